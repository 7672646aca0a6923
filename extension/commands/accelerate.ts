/** git itself asks the resident model what changed: what that writes is said first, and can be undone. */
import { MessageItem, window } from 'vscode';
import { Acceleration } from '../git/Accelerator';
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

interface Choice extends MessageItem {
  acceleration: Acceleration;
}

async function accelerate(
  { accelerator }: CommandContext,
  { root }: Repository,
  name: string,
): Promise<void> {
  const inPlace = { bySocket: true, manyFiles: false };
  // Refused where git has no daemon, and then not offered.
  const inPlaceSettings = await accelerator.preview(root, inPlace).catch(() => undefined);
  const isInPlace = inPlaceSettings?.length === 0;
  const settings = isInPlace ? [] : await accelerator.preview(root, { bySocket: false, manyFiles: true });
  const choices: Choice[] = [];
  const detail: string[] = [];
  if (settings.length > 0) {
    choices.push(
      { title: t('Write'), acceleration: { bySocket: false, manyFiles: false } },
      { title: t('With feature.manyFiles'), acceleration: { bySocket: false, manyFiles: true } },
    );
    detail.push(
      t("These settings are written into the repository's own config, the last only if it is wanted:"),
      settings.join('\n'),
      t(
        'While a window has the repository open, git asks it which files changed, and looks at no others. Else it looks at all, as before.',
      ),
    );
  }
  if (inPlaceSettings !== undefined && !isInPlace) {
    choices.push({ title: t("In Place of git's Daemon"), acceleration: inPlace });
    detail.push(
      t(
        '"In Place of git\'s Daemon" is for git 2.55 or newer. It saves git a copy of its own process for each question. Where no window has the repository open, git starts its own daemon, which misses some changes. Older versions of git look at all files. These settings are written:',
      ),
      inPlaceSettings.join('\n'),
    );
  }
  if (choices.length === 0) {
    void window.showInformationMessage(t('git asks Resident Git in {0} already.', name));
    return;
  }
  detail.push(t('"Undo Acceleration of git" restores what was there.'));
  const question = t('Have git itself ask Resident Git what changed in {0}?', name);
  const options = { modal: true, detail: detail.join('\n\n') };
  const picked = await window.showInformationMessage(question, options, ...choices);
  if (picked === undefined) return;
  await accelerator.write(root, picked.acceleration);
  void window.showInformationMessage(t('git asks Resident Git in {0} from now on.', name));
}

async function undo({ accelerator }: CommandContext, { root }: Repository, name: string): Promise<void> {
  const lines = await accelerator.undo(root);
  void window.showInformationMessage(t('The config of {0}: {1}', name, lines.map(toDisplay).join('; ')));
}
