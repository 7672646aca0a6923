/** git itself asks the resident model what changed: what that writes is said first, and can be undone. */
import { window } from 'vscode';
import { t } from '../l10n';
import { reasonText } from '../model/helperReasons';
import { basename, isText, toDisplay } from '../model/repoPath';
import { Repository } from '../model/Repository';
import { messageOf } from '../model/RepositoryRegistry';
import { CommandContext, CommandTable } from './context';
import { inRepository } from './repository';

export const accelerationCommands = {
  'residentGit.accelerate': inRepository(tellingFailures(accelerate)),
  'residentGit.undoAcceleration': inRepository(tellingFailures(undo)),
} satisfies CommandTable;

type Action = (context: CommandContext, repository: Repository, name: string) => Promise<void>;

function tellingFailures(action: Action) {
  return async (context: CommandContext, repository: Repository): Promise<void> => {
    const name = toDisplay(basename(repository.root));
    try {
      if (!isText(repository.root)) throw new Error(t('git cannot be given a path that is no text.'));
      await action(context, repository, name);
    } catch (error) {
      const message = messageOf(error);
      context.log.error(`${toDisplay(repository.root)}: ${message}`);
      void window.showErrorMessage(t('The config of {0} stays as it was: {1}', name, reasonText(message)));
    }
  };
}

async function accelerate(
  { accelerator }: CommandContext,
  { root }: Repository,
  name: string,
): Promise<void> {
  const settings = await accelerator.preview(root, { manyFiles: true });
  if (settings.length === 0) {
    void window.showInformationMessage(t('git asks Resident Git in {0} already.', name));
    return;
  }
  const detail = [
    t("These settings are written into the repository's own config, the last only if it is wanted:"),
    settings.join('\n'),
    t(
      'While a window has the repository open, git asks it which files changed, and looks at no others. Else it looks at all, as before.',
    ),
    t('"Undo Acceleration of git" restores what was there.'),
  ].join('\n\n');
  const write = t('Write');
  const writeMore = t('With feature.manyFiles');
  const question = t('Have git itself ask Resident Git what changed in {0}?', name);
  const picked = await window.showInformationMessage(question, { modal: true, detail }, write, writeMore);
  if (picked === undefined) return;
  await accelerator.write(root, { manyFiles: picked === writeMore });
  void window.showInformationMessage(t('git asks Resident Git in {0} from now on.', name));
}

async function undo({ accelerator }: CommandContext, { root }: Repository, name: string): Promise<void> {
  const lines = await accelerator.undo(root);
  void window.showInformationMessage(t('The config of {0}: {1}', name, lines.map(toDisplay).join('; ')));
}
