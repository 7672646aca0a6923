/** A row can disappear after its menu was opened. The command then must not act on the active editor's file. */
import { strict as assert } from 'node:assert';
import type { AllContext } from '../../../extension/features';
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
      // These tests ignore the URIs.
      Uri: Object.assign(() => undefined, { file: () => ({ with: () => ({}) }) }),
    });
    standInWindow.showInformationMessage = (text: string) => {
      told.push(text);
      return Promise.resolve(undefined);
    };
    const { registerCommands } = await import('../../../extension/features/index.js');
    const { Resource } = await import('../../../extension/scm/Resource.js');
    const registry = { paths: { toOpened: (path: string) => [path] }, locate: () => undefined };
    registerCommands({ registry } as unknown as AllContext);
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
