/**
 * Asks the question about the built-in Git, and has the commands that answer and undo it. `model/Coexistence` decides
 * and writes the settings.
 */
import { Memento, QuickPickItem, window, workspace, ConfigurationTarget } from 'vscode';
import { setContextKey } from '../contextKeys';
import { BuiltInGit } from '../git/BuiltInGit';
import { Feature } from '../lifecycle';
import { t } from '../l10n';
import { Coexistence, Offer } from '../model/Coexistence';
import {
  Answer,
  BuiltInSettings,
  CountBadge,
  describe,
  kCountBadges,
  Setting,
  SettingName,
  Write,
} from '../model/coexistencePlan';
import { isText } from '../model/repoPath';
import { Repository } from '../model/Repository';
import { messageOf } from '../model/messageOf';
import { RepositoryRegistry } from '../model/RepositoryRegistry';
import { CommandContext, CommandTable } from './context';
import { tellDone } from './tell';

const kOnly = t('Disable Built-in');
const kSideBySide = t('Side by Side');
const kNotNow = t('Not Now');

/** In the order of the buttons. A detail has at most 80 characters: a quick pick cuts longer ones. */
const kAnswers: readonly (QuickPickItem & { answer?: Answer })[] = [
  {
    label: kOnly,
    answer: 'only',
    detail: t('Built-in Git closes this repository. Its timeline, blame and graph are empty.'),
  },
  {
    label: kSideBySide,
    answer: 'sideBySide',
    detail: t('Built-in Git stays on. Only its badges and its count are hidden.'),
  },
  { label: kNotNow, detail: t('Nothing changes.') },
];

const kQuestions: Readonly<Record<Offer, string>> = {
  first: t('Changes and badges appear twice: turn off built-in Git for this repository?'),
  trap: t(
    'git.autorefresh is off, so Discard in built-in Git can delete committed files: turn built-in Git off here?',
  ),
  count: t('The badge of Source Control counts each change twice: hide the count of built-in Git?'),
};

export const coexistenceCommands = {
  'residentGit.setUpCoexistence': async (context) => {
    const placeHolder = t('Choose how to work with built-in Git');
    const picked = await window.showQuickPick(kAnswers, { placeHolder });
    if (picked?.answer !== undefined) await applyAndTell(context, picked.answer);
  },
  'residentGit.undoCoexistence': undo,
} satisfies CommandTable;

type Applying = Pick<CommandContext, 'coexistence' | 'log' | 'registry'>;

async function undo({ coexistence, log }: Applying): Promise<void> {
  const writes = await coexistence.undo();
  for (const write of writes) log.info(describe(write));
  tellContext(coexistence);
  const none = t('Nothing to undo.');
  void window.showInformationMessage(
    writes.length === 0 ? none : t('The settings of built-in Git are restored.'),
  );
}

async function applyAndTell(context: Applying, answer: Answer): Promise<void> {
  const { coexistence, log, registry } = context;
  const writes = await coexistence.apply(answer);
  for (const write of writes) log.info(describe(write));
  tellContext(coexistence);
  if (writes.length === 0) {
    void window.showInformationMessage(t('Nothing to change.'));
    return;
  }
  tellDone(applied(answer, registry.repositories.length), () => undo(context));
}

function applied(answer: Answer, repositories: number): string {
  if (answer === 'sideBySide') return t('Built-in Git stays on. Its badges and its count are hidden.');
  return repositories === 1
    ? t('Built-in Git is off for this repository.')
    : t('Built-in Git is off for these {0} repositories.', repositories);
}

function tellContext({ canUndo }: Coexistence): void {
  setContextKey('residentGit.coexistenceApplied', canUndo);
}

/** Asks after a repository is verified: then the view shows the problem. */
export class CoexistenceOffer extends Feature {
  private isAsking = false;
  /** A question that the user closed without an answer comes back in the next window. */
  private isDone = false;
  private queue = Promise.resolve();

  constructor(
    private readonly registry: RepositoryRegistry,
    builtIn: BuiltInGit,
    private readonly context: Applying,
  ) {
    super();
    const update = () => {
      this.update();
    };
    this.store.add(builtIn.onDidChange(update));
    this.store.add(
      workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('git')) update();
      }),
    );
    this.store.add(
      registry.onDidOpen((repository: Repository) => {
        update();
        repository.onDidChange(({ stale, state }) => {
          if (stale || state) update();
        });
      }),
    );
  }

  private update(): void {
    const { coexistence, log } = this.context;
    this.queue = this.queue.then(async () => {
      try {
        await coexistence.reconcile();
        tellContext(coexistence);
      } catch (error) {
        log.error(`the built-in Git cannot be changed: ${messageOf(error)}`);
      }
    });
    void this.ask();
  }

  private async ask(): Promise<void> {
    if (this.isAsking || this.isDone) return;
    if (!this.registry.repositories.some(({ verified }) => verified)) return;
    const { coexistence, log } = this.context;
    const { offer } = coexistence;
    if (offer === undefined) return;
    this.isAsking = true;
    try {
      const label = await window.showInformationMessage(kQuestions[offer], kOnly, kSideBySide, kNotNow);
      await coexistence.noteTold(offer);
      const answer = kAnswers.find((each) => each.label === label)?.answer;
      if (answer !== undefined) await applyAndTell(this.context, answer);
      else if (label === kNotNow) await coexistence.noteNotNow();
      this.isDone = answer === undefined;
    } catch (error) {
      this.isDone = true;
      log.error(messageOf(error));
      void window.showErrorMessage(t('A setting could not be changed: {0}', messageOf(error)));
    } finally {
      this.isAsking = false;
    }
  }
}

export function createCoexistence(
  registry: RepositoryRegistry,
  builtIn: BuiltInGit,
  globalState: Memento,
  workspaceState: Memento,
): Coexistence {
  return new Coexistence({
    settings: { read: readSettings, write: writeSetting },
    memory: { user: globalState, workspace: workspaceState },
    builtIn: {
      openRoots: () => (builtIn.isOn ? builtIn.repositories.map(({ root }) => root) : undefined),
      close: (root) => builtIn.close(root),
      open: (root) => builtIn.open(root),
    },
    names: () => {
      const roots = registry.repositories.map(({ root }) => root).filter(isText);
      const theirs = builtIn.repositories.filter(({ real }) => roots.includes(real));
      const names = [
        ...roots.flatMap((root) => registry.paths.toOpened(root)),
        ...theirs.map(({ root }) => root),
      ];
      return [...new Set(names)];
    },
  });
}

function readSettings(): BuiltInSettings {
  return {
    'git.decorations.enabled': read('git.decorations.enabled', true, isBoolean),
    'git.countBadge': read('git.countBadge', 'all', isCountBadge),
    'git.autorefresh': read('git.autorefresh', true, isBoolean),
    'git.ignoredRepositories': read('git.ignoredRepositories', [], isList),
  };
}

function read<T>(name: SettingName, fallback: T, is: (value: unknown) => value is T): Setting<T> {
  const found = workspace.getConfiguration().inspect<unknown>(name);
  const checked = (value: unknown) => (is(value) ? value : undefined);
  return {
    user: checked(found?.globalValue),
    workspace: checked(found?.workspaceValue),
    default: checked(found?.defaultValue) ?? fallback,
  };
}

const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean';
const isCountBadge = (value: unknown): value is CountBadge => kCountBadges.some((each) => each === value);
const isList = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string');

async function writeSetting({ setting, scope, value }: Write): Promise<void> {
  const target = scope === 'user' ? ConfigurationTarget.Global : ConfigurationTarget.Workspace;
  await workspace.getConfiguration().update(setting, value, target);
}
