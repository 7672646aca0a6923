/** A row that has gone since its menu was opened is no row of the active editor's file. */
import { strict as assert } from 'node:assert';
import type { CommandContext } from '../../../extension/commands/context';
import { Repository } from '../../../extension/model/Repository';
import { installVscodeStandIn, standInWindow } from '../client/vscodeStandIn';

describe('a command on a row', () => {
  const handlers = new Map<string, (...args: unknown[]) => Promise<unknown>>();
  let told: string[];
  let opened: string[];
  let row: object;

  before(async () => {
    installVscodeStandIn({
      commands: {
        registerCommand: (id: string, handler: (...args: unknown[]) => Promise<unknown>) => {
          handlers.set(id, handler);
          return { dispose: () => undefined };
        },
        executeCommand: (id: string) => {
          opened.push(id);
          return Promise.resolve(undefined);
        },
      },
      Disposable: { from: () => undefined },
      // What is made of a path is nothing that is looked at here.
      Uri: Object.assign(() => undefined, { file: () => ({ with: () => ({}) }) }),
    });
    standInWindow.showInformationMessage = (text: string) => {
      told.push(text);
      return Promise.resolve(undefined);
    };
    const { registerCommands } = await import('../../../extension/commands/index.js');
    const { Resource } = await import('../../../extension/scm/Resource.js');
    const registry = { paths: { toOpened: (path: string) => [path] }, locate: () => undefined };
    registerCommands({ registry } as unknown as CommandContext);
    row = Object.assign(Object.create(Resource.prototype) as object, {
      repository: new Repository('/r'),
      entry: { kind: 'changed', path: 'f', index: '.', worktree: 'M' },
      group: 'workingTree',
    });
  });
  after(() => {
    delete standInWindow.showInformationMessage;
  });
  beforeEach(() => {
    told = [];
    opened = [];
  });

  const open = (...args: unknown[]) => handlers.get('residentGit.openChange')?.(...args);

  it('is run for the row', async () => {
    await open(row, row);
    assert.deepEqual([opened, told], [['vscode.diff'], []]);
  });

  it('means the active editor where it was no row that was pointed at', async () => {
    await open();
    assert.deepEqual([opened, told], [[], ['There are no changes to this file.']]);
  });

  it('does nothing, and says so, where one of the rows has gone', async () => {
    for (const args of [[undefined], [undefined, row], [row, undefined]]) await open(...args);
    const text = 'The row has changed meanwhile. Nothing was done.';
    assert.deepEqual([opened, told], [[], [text, text, text]]);
  });
});
