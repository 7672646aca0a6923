/** Speeds up git itself: git asks the resident model which files changed. The user sees each setting first. */
import { QuickPickItem, window } from 'vscode';
import { CommandContext, CommandTable } from '../../commands/context';
import { inRepository } from '../../commands/repository';
import { isMeant } from '../../commands/tell';
import { t } from '../../l10n';
import { reasonText } from '../../model/helperReasons';
import { messageOf } from '../../model/messageOf';
import { basename, isText, toDisplay } from '../../model/repoPath';
import { Repository } from '../../model/Repository';
import { Acceleration, Accelerator } from './Accelerator';
import { warmUp } from './warmUp';

export interface AccelerateContext extends CommandContext {
  accelerator: Accelerator;
}

export const accelerationCommands = {
  'residentGit.accelerate': inRepository(tellingFailures(accelerate)),
  'residentGit.undoAcceleration': inRepository(tellingFailures(undo)),
} satisfies CommandTable<AccelerateContext>;

type Action = (context: AccelerateContext, repository: Repository, name: string) => Promise<void>;

function tellingFailures(action: Action) {
  return async (context: AccelerateContext, repository: Repository): Promise<void> => {
    const name = toDisplay(basename(repository.root));
    try {
      if (!isText(repository.root)) {
        throw new Error(t('The path is not valid UTF-8, so git cannot be called with it.'));
      }
      await action(context, repository, name);
    } catch (error) {
      const message = messageOf(error);
      context.log.error(`${toDisplay(repository.root)}: ${message}`);
      void window.showErrorMessage(t('The config of {0} was not changed: {1}', name, reasonText(message)));
    }
  };
}

interface Choice extends QuickPickItem {
  acceleration: Acceleration;
  settings: readonly string[];
}

async function accelerate(context: AccelerateContext, { root }: Repository, name: string): Promise<void> {
  const { accelerator } = context;
  const choices = await choicesFor(context, root);
  if (choices.length === 0) {
    void window.showInformationMessage(t('git already asks Resident Git in {0}.', name));
    return;
  }
  const placeHolder = t('Choose how to speed up git in {0}', name);
  const choice = await window.showQuickPick(choices, { placeHolder });
  if (choice === undefined) return;
  const detail = t(
    '{0}\n\n"Undo Git Speed-Up" restores the earlier settings.',
    choice.settings.map(toDisplay).join('\n'),
  );
  const question = t('Write these settings to the config of {0}?', name);
  if (!(await isMeant(question, t('Write'), detail))) return;
  await accelerator.write(root, choice.acceleration);
  const run = t('Run git status');
  const answer = await window.showInformationMessage(
    t('git now asks Resident Git in {0}. Its next git status still reads every file.', name),
    run,
  );
  if (answer !== run || !(await warmUp(accelerator, root, choice.acceleration))) return;
  void window.showInformationMessage(
    t('git status in {0} is fast while a window has the repository open.', name),
  );
}

/** The choices that this git supports and does not use yet. */
async function choicesFor({ accelerator }: AccelerateContext, root: string): Promise<Choice[]> {
  const bySocket = { bySocket: true };
  // Rejects if this git has no fsmonitor daemon.
  const socketSettings = await accelerator.preview(root, bySocket).catch(() => undefined);
  if (socketSettings?.length === 0) return [];
  const byHook = { bySocket: false };
  const withManyFiles = { bySocket: false, manyFiles: true };
  // Rejects if git already asks a different program, or its own daemon.
  const rejection = (error: unknown) => {
    if (socketSettings === undefined) throw error;
    return [];
  };
  const hookSettings = await accelerator.preview(root, byHook).catch(rejection);
  const allSettings = await accelerator.preview(root, withManyFiles).catch(rejection);
  const choices: Choice[] = [
    {
      label: t('Use the fsmonitor Hook'),
      detail: t('For every git version. git reads every file while no window is open.'),
      acceleration: byHook,
      settings: hookSettings,
    },
    {
      label: t('Use the fsmonitor Hook and feature.manyFiles'),
      detail: t('The index also gets a smaller format. Older tools can fail to read it.'),
      acceleration: withManyFiles,
      settings: allSettings,
    },
  ];
  if (socketSettings !== undefined) {
    choices.push({
      label: t("Replace git's fsmonitor Daemon"),
      detail: t('Fastest. Needs git 2.55. While no window is open, git starts its own daemon.'),
      acceleration: bySocket,
      settings: socketSettings,
    });
  }
  return choices.filter(({ settings }) => settings.length > 0);
}

async function undo({ accelerator }: AccelerateContext, { root }: Repository, name: string): Promise<void> {
  const lines = await accelerator.undo(root);
  void window.showInformationMessage(
    t('Restored the config of {0}: {1}', name, lines.map(toDisplay).join('; ')),
  );
}
