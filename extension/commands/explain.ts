/** Why a row of the view, or a file or folder of the explorer, stands in the status as it does. Runs nothing. */
import { window } from 'vscode';
import { t } from '../l10n';
import { explanationText } from '../model/explanationText';
import { reasonText } from '../model/helperReasons';
import { basename, toDisplay } from '../model/repoPath';
import { Located, messageOf } from '../model/RepositoryRegistry';
import { CommandContext, CommandTable } from './context';
import { onFolder } from './folders';
import { fileOf } from './resource';

export const explainCommands = {
  'residentGit.explain': async (context, ...args) => {
    // Of a row, of what was clicked in the explorer, or of the active editor's file.
    const located = fileOf(context.registry, args);
    if (located !== undefined) await explain(context, located);
  },

  'residentGit.explainFolder': onFolder(explain),
} satisfies CommandTable;

async function explain(
  { helper, reports, log }: CommandContext,
  { repository, path }: Located,
): Promise<void> {
  const { root } = repository;
  const name = toDisplay(basename(path === '' ? root : path));
  try {
    const explanation = await helper.explain({ root, path: path.replace(/\/$/, '') });
    await reports.show(t('Why is {0} here', name), explanationText(root, explanation));
  } catch (error) {
    const reason = messageOf(error);
    log.error(`${toDisplay(root)}: ${toDisplay(path)} cannot be explained: ${toDisplay(reason)}`);
    void window.showErrorMessage(
      t('Resident Git cannot explain {0}: {1}', name, toDisplay(reasonText(reason))),
    );
  }
}
