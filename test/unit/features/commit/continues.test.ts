/** "Commit" in the middle of an am continues it: only git knows the author of the next commit. */
import { strict as assert } from 'node:assert';
import type { CommandContext } from '../../../../extension/commands/context';
import { Repository } from '../../../../extension/model/Repository';
import { installVscodeStandIn } from '../../client/vscodeStandIn';

describe('Commit during an am', () => {
  it('continues the am', async () => {
    const ran: unknown[][] = [];
    installVscodeStandIn({
      commands: { executeCommand: (...args: unknown[]) => Promise.resolve(void ran.push(args)) },
    });
    const { commitCommands } = await import('../../../../extension/features/commit/commands.js');
    const repository = Object.defineProperty(new Repository('/r'), 'operation', { value: 'am' });
    const context = {
      registry: { repositories: [repository] },
      sourceControls: { inputBoxOf: () => ({ value: 'message' }) },
    } as unknown as CommandContext;
    await commitCommands['residentGit.commit'](context, repository);
    assert.deepEqual(ran, [['residentGit.continueOperation', repository]]);
  });
});
