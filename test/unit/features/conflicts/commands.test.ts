/** The editor that opens a file with conflicts depends on the host's abilities. */
import { strict as assert } from 'node:assert';
import { Repository } from '../../../../extension/model/Repository';
import { RepositoryRegistry } from '../../../../extension/model/RepositoryRegistry';
import type { StatusEntry } from '../../../../extension/protocol';
import { installVscodeStandIn } from '../../client/vscodeStandIn';

describe('opening a file with conflicts', () => {
  const entry: StatusEntry = { kind: 'unmerged', path: 'sub/f', conflict: 'UU' };
  const registry = { paths: { toOpened: (path: string) => [path] } } as unknown as RepositoryRegistry;

  async function run(known: readonly string[]): Promise<string[]> {
    const ran: string[] = [];
    const uriOf = (text: string) => ({
      with: ({ query }: { query: string }) => uriOf(/source=(\w+)/.exec(query)?.[1] ?? ''),
      toString: () => text,
    });
    installVscodeStandIn({
      Uri: { file: uriOf },
      ViewColumn: { One: 1, Two: 2, Three: 3 },
      commands: {
        getCommands: () => Promise.resolve(known),
        executeCommand: (id: string, ...args: unknown[]) => {
          ran.push(
            [id, ...args.map((arg) => (args.length > 1 ? String(arg) : JSON.stringify(arg)))].join(' '),
          );
          return Promise.resolve(undefined);
        },
      },
    });
    const { openMerge } = await import('../../../../extension/features/conflicts/commands.js');
    const repository = new Repository('/r');
    await openMerge({ registry }, { repository, entry, group: 'merge' });
    return ran;
  }

  it('is the merge editor where there is one', async () => {
    const [only, ...others] = await run(['_open.mergeEditor']);
    assert.match(only ?? '', /^_open\.mergeEditor .*"Incoming".*"Current"/);
    assert.deepEqual(others, []);
  });

  it('is what both sides changed beside the file where there is none', async () => {
    assert.deepEqual(await run([]), [
      'vscode.diff stage1 stage2 f (Base ↔ Current) [object Object]',
      'vscode.diff stage1 stage3 f (Base ↔ Incoming) [object Object]',
      'vscode.open /r/sub/f [object Object]',
    ]);
  });
});
