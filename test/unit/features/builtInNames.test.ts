/** Commands named like those of VS Code's own Git do only what the name says. */
import { strict as assert } from 'node:assert';
import type { CommandHandler } from '../../../extension/commands/context';
import type { AllContext } from '../../../extension/features';
import { Repository } from '../../../extension/model/Repository';
import { installVscodeStandIn, standInWindow } from '../client/vscodeStandIn';

describe("a command by the built-in's name", () => {
  let table: Readonly<Record<string, CommandHandler<AllContext>>>;
  let asked: string[];
  let ran: string[];
  let told: number;
  let confirms: boolean;

  before(async () => {
    installVscodeStandIn();
    const { commandTable } = await import('../../../extension/features/index.js');
    table = commandTable;
  });
  beforeEach(() => {
    [asked, ran, told] = [[], [], 0];
    confirms = false;
    standInWindow.showWarningMessage = (text: string, _options: unknown, yes: string) => {
      asked.push(text);
      return Promise.resolve(confirms ? yes : undefined);
    };
    standInWindow.showInformationMessage = () => {
      told++;
      return Promise.resolve(undefined);
    };
  });
  afterEach(() => {
    delete standInWindow.showWarningMessage;
    delete standInWindow.showInformationMessage;
  });

  function contextWith(...operations: (Repository['operation'] | undefined)[]): AllContext {
    const repositories = operations.map((operation, i) =>
      Object.defineProperty(new Repository(`/r${i}`), 'operation', { value: operation }),
    );
    const git = {
      run: ({ root }: Repository, { args }: { args: string[] }) => {
        ran.push(`${root} ${args.slice(-2).join(' ')}`);
        return Promise.resolve(undefined);
      },
    };
    return {
      registry: { repositories },
      git,
      statusBar: {},
      sourceControls: { repositoryOf: () => undefined },
    } as unknown as AllContext;
  }

  it('asks, and then aborts the operation that it names, and no other', async () => {
    const context = contextWith('rebase', 'merge', undefined, 'cherry-pick');
    const names = ['mergeAbort', 'rebaseAbort', 'cherryPickAbort'];
    for (const name of names) await table[`residentGit.${name}`]?.(context);
    assert.deepEqual([asked.length, ran], [3, []]);
    confirms = true;
    for (const name of names) await table[`residentGit.${name}`]?.(context);
    assert.deepEqual(ran, ['/r1 merge --abort', '/r0 rebase --abort', '/r3 cherry-pick --abort']);
    const other = contextWith('rebase');
    await table['residentGit.mergeAbort']?.(other);
    assert.deepEqual([ran.length, told], [3, 1]);
  });

  it('asks before hooks are left out, whatever else it says of the commit', async () => {
    const names = Object.keys(table).filter((name) => /commit\w*NoVerify$/i.test(name));
    assert.equal(names.length, 10);
    // The question comes first, before the choice of a repository.
    for (const name of names) await table[name]?.({} as AllContext);
    assert.equal(asked.length, names.length);
  });
});
