/** Shows the view that lists the files with conflicts, and opens the first file. */
import { commands, window } from 'vscode';
import { CommandContext, CommandTable } from '../../commands/context';
import { chooseRepository } from '../../commands/repository';
import { config } from '../../config';
import { t } from '../../l10n';
import { worktreeUri } from '../../scm/uris';
import { mergeSources } from './plan';

export const showConflictsCommands = {
  'residentGit.showConflicts': showConflicts,
} satisfies CommandTable;

async function showConflicts(context: CommandContext, argument: unknown): Promise<void> {
  const { registry } = context;
  const conflicted = registry.repositories.filter((repository) => repository.countIn('merge') > 0);
  if (conflicted.length === 0) {
    void window.showInformationMessage(t('No file has conflicts.'));
    return;
  }
  const repository = await chooseRepository(context, argument, conflicted);
  const [first] = repository?.entriesIn('merge') ?? [];
  if (repository === undefined || first?.kind !== 'unmerged') return;
  await commands.executeCommand('workbench.view.scm');
  const isMerged = config.mergeEditor && mergeSources(first.conflict) !== undefined;
  const uri = worktreeUri(registry.paths, repository, first.path);
  await commands.executeCommand(isMerged ? 'residentGit.openMergeEditor' : 'residentGit.openChange', uri);
}
