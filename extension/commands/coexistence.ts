/**
 * Living beside VS Code's own Git: with both at work every badge stands twice ("M, M") and every refresh runs
 * `git status` after all. So the user is asked, once, whether the built-in one may stop both; it is never disabled,
 * and what was set before comes back with one command.
 */
import { ConfigurationTarget, extensions, Memento, window, workspace } from 'vscode';
import { setContextKey } from '../contextKeys';
import { Subscription } from '../model/Emitter';
import { Repository } from '../model/Repository';
import { RepositoryRegistry } from '../model/RepositoryRegistry';
import { CommandContext, CommandTable } from './context';

const kSettings = ['git.decorations.enabled', 'git.autorefresh'] as const;
/** Whether the question was answered for good. */
const kAnsweredKey = 'coexistence.answered';
/** The user's settings as they were, while ours are in force. */
const kPreviousKey = 'coexistence.previous';

type Previous = Partial<Record<(typeof kSettings)[number], unknown>>;

export const coexistenceCommands = {
  'residentGit.setUpCoexistence': ({ globalState }) => apply(globalState),
  'residentGit.undoCoexistence': undo,
} satisfies CommandTable;

/** Asks after the first repository is right, so that the offer comes with something to show for it. */
export function offerCoexistence(registry: RepositoryRegistry, globalState: Memento): Subscription {
  setContextKey('residentGit.coexistenceApplied', globalState.get<Previous>(kPreviousKey) !== undefined);
  let isAsked = false;
  const ask = (repository: Repository) => {
    if (isAsked || !repository.verified) return;
    isAsked = true;
    void offer(globalState);
  };
  return registry.onDidOpen((repository) => {
    ask(repository);
    repository.onDidChange(() => {
      ask(repository);
    });
  });
}

async function offer(globalState: Memento): Promise<void> {
  const isAnswered = globalState.get<boolean>(kAnsweredKey) === true;
  if (isAnswered || !isBuiltInAtWork()) return;
  const [yes, later, never] = ['Yes', 'Not Now', 'Never'] as const;
  const answer = await window.showInformationMessage(
    "VS Code's own Git shows badges of its own and runs git status after every change. Turn off its badges and its " +
      'automatic refresh, and leave both to Resident Git? Everything else of it stays. ' +
      'The command "Resident Git: Undo Coexistence Settings" takes this back.',
    yes,
    later,
    never,
  );
  if (answer === yes) await apply(globalState);
  // Closing the question is no answer; it comes once per window at most.
  if (answer === yes || answer === never) await globalState.update(kAnsweredKey, true);
}

function isBuiltInAtWork(): boolean {
  if (extensions.getExtension('vscode.git') === undefined) return false;
  const configuration = workspace.getConfiguration();
  if (configuration.get<boolean>('git.enabled') === false) return false;
  return kSettings.some((setting) => configuration.get<boolean>(setting) !== false);
}

/** In the user's own settings: a workspace's file may be under version control. */
async function apply(globalState: Memento): Promise<void> {
  const configuration = workspace.getConfiguration();
  if (globalState.get<Previous>(kPreviousKey) === undefined) {
    const previous: Previous = {};
    for (const setting of kSettings) previous[setting] = configuration.inspect(setting)?.globalValue ?? null;
    await globalState.update(kPreviousKey, previous);
  }
  for (const setting of kSettings) await configuration.update(setting, false, ConfigurationTarget.Global);
  setContextKey('residentGit.coexistenceApplied', true);
}

async function undo({ globalState, log }: CommandContext): Promise<void> {
  const previous = globalState.get<Previous>(kPreviousKey);
  if (previous === undefined) {
    void window.showInformationMessage("Resident Git has changed no setting of VS Code's own Git.");
    return;
  }
  const configuration = workspace.getConfiguration();
  for (const setting of kSettings) {
    await configuration.update(setting, previous[setting] ?? undefined, ConfigurationTarget.Global);
  }
  await globalState.update(kPreviousKey, undefined);
  // Who takes it back does not want to be asked again.
  await globalState.update(kAnsweredKey, true);
  setContextKey('residentGit.coexistenceApplied', false);
  log.info("the settings of VS Code's own Git are as they were");
}
