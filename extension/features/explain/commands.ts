/** Commands that explain the status of a row in the view, or of a file or folder in the explorer. */
import { window } from 'vscode';
import { CommandContext, CommandTable } from '../../commands/context';
import { onFolder } from '../../commands/folder';
import { fileOf } from '../../commands/rows';
import { t } from '../../l10n';
import { reasonText } from '../../model/helperReasons';
import { messageOf } from '../../model/messageOf';
import { basename, join, toDisplay } from '../../model/repoPath';
import { Located } from '../../model/RepositoryRegistry';
import { explanationText, isSubmodule } from './explanationText';

export const explainCommands = {
  'residentGit.explain': async (context, ...args) => {
    const located = fileOf(context.registry, args);
    if (located !== undefined) await explain(context, located);
  },

  'residentGit.explainFolder': onFolder(explain),
} satisfies CommandTable;

async function explain(context: CommandContext, located: Located): Promise<void> {
  const { helper, reports, log } = context;
  const { root } = located.repository;
  const path = located.path.replace(/\/$/, '');
  const name = toDisplay(basename(path === '' ? root : path));
  try {
    const explanation = await helper.explain({ root, path });
    const checkedOut = isSubmodule(explanation) ? await commitIn(context, join(root, path)) : undefined;
    const text = explanationText(root, explanation, checkedOut);
    await reports.showMarkdown(t('Why Is {0} Here?', name), text);
  } catch (error) {
    const reason = messageOf(error);
    log.error(`${toDisplay(root)}: ${toDisplay(path)} cannot be explained: ${toDisplay(reason)}`);
    void window.showErrorMessage(
      t('Resident Git cannot explain {0}: {1}', name, toDisplay(reasonText(reason))),
    );
  }
}

/** The commit that is checked out in a submodule; undefined: no commit, or git may not run. */
async function commitIn({ registry, git }: CommandContext, root: string): Promise<string | undefined> {
  const open = registry.get(root);
  if (open?.verified === true) return open.branch.oid;
  const answer = await git.ask({ root }, { args: ['rev-parse', '--show-cdup', '--verify', 'HEAD'] });
  // If the folder has no repository of its own, git answers for the outer repository: --show-cdup is then not empty.
  const [above, oid] = answer?.stdout.toString('latin1').split('\n') ?? [];
  return above === '' && oid !== '' ? oid : undefined;
}
