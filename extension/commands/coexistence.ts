/**
 * Living beside VS Code's own Git: the question, and the commands that answer and undo it. What is decided and written is
 * `model/Coexistence`.
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
import { messageOf, RepositoryRegistry } from '../model/RepositoryRegistry';
import { CommandContext, CommandTable } from './context';

const kOnly = t('Only Resident Git Here');
const kSideBySide = t('Side by Side');
const kNotNow = t('Not Now');

/** What each answer does and costs, in the order in which they stand. */
const kAnswers: readonly (QuickPickItem & { answer?: Answer })[] = [
  {
    label: kOnly,
    answer: 'only',
    detail: t(
      "VS Code's own Git no longer opens this repository (git.ignoredRepositories). Its Timeline, blame and graph, and " +
        'extensions that ask it for repositories, show nothing of this one; its sign-in and its terminal support stay.',
    ),
  },
  {
    label: kSideBySide,
    answer: 'sideBySide',
    detail: t(
      "VS Code's own Git stays whole and refreshes itself (git.autorefresh); only its badges (git.decorations.enabled) " +
        'and its part of the number on the Source Control icon (git.countBadge) are off, so that none stands twice; ' +
        'repositories that only it has open go without them. It goes on to run git status after changes.',
    ),
  },
  { label: kNotNow, detail: t('Nothing is changed.') },
];

const kUndoHint = t('The command "Resident Git: Undo Coexistence Settings" takes either back.');
const kQuestions: Readonly<Record<Offer, string>> = {
  first: t(
    "VS Code's own Git has this repository open too: every badge stands twice, every change is counted twice, and git " +
      'status runs after every change. "{0}": it no longer opens this repository (git.ignoredRepositories), and its ' +
      'Timeline, blame and graph, and extensions that ask it for repositories, show nothing of it. "{1}": it stays ' +
      'whole, only its badges (git.decorations.enabled) and its count (git.countBadge) are off, also of repositories ' +
      'that only it has open, and it goes on to run git status. {2}',
    kOnly,
    kSideBySide,
    kUndoHint,
  ),
  trap: t(
    "Resident Git once turned off the automatic refresh of VS Code's own Git. Its lists go stale by that, and its " +
      'Discard can then delete a file that has been committed since. Please change it: either answer turns the ' +
      'refresh on again. "{0}": it no longer opens this repository (git.ignoredRepositories). ' +
      '"{1}": only its badges and its count (git.countBadge) are off. {2}',
    kOnly,
    kSideBySide,
    kUndoHint,
  ),
  count: t(
    "The badges of VS Code's own Git are off because of Resident Git, and what it counts is not: the number on the Source " +
      'Control icon has every change twice. "{1}" turns that off too (git.countBadge). "{0}": it no longer opens this ' +
      'repository (git.ignoredRepositories). {2}',
    kOnly,
    kSideBySide,
    kUndoHint,
  ),
};

export const coexistenceCommands = {
  'residentGit.setUpCoexistence': async (context) => {
    const placeHolder = t("How Resident Git and VS Code's own Git live together here");
    const picked = await window.showQuickPick(kAnswers, { placeHolder });
    if (picked?.answer !== undefined) await applyAndTell(context, picked.answer);
  },
  'residentGit.undoCoexistence': async ({ coexistence, log }) => {
    const writes = await coexistence.undo();
    for (const write of writes) log.info(describe(write));
    tellContext(coexistence);
    const none = t("Nothing that Resident Git has changed of VS Code's own Git is in force here.");
    void window.showInformationMessage(writes.length === 0 ? none : said(writes));
  },
} satisfies CommandTable;

type Applying = Pick<CommandContext, 'coexistence' | 'log'>;

async function applyAndTell({ coexistence, log }: Applying, answer: Answer): Promise<void> {
  const writes = await coexistence.apply(answer);
  for (const write of writes) log.info(describe(write));
  tellContext(coexistence);
  void window.showInformationMessage(
    writes.length === 0 ? t('Resident Git: it is so already.') : said(writes),
  );
}

function tellContext({ canUndo }: Coexistence): void {
  setContextKey('residentGit.coexistenceApplied', canUndo);
}

const said = (writes: readonly Write[]) => `Resident Git: ${writes.map(describe).join('; ')}.`;

/** Asks after a repository is right, so that the question comes with something to show for it. */
export class CoexistenceOffer extends Feature {
  private isAsking = false;
  /** Closing the question is no answer; it comes once per window. */
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
        log.error(`VS Code's own Git cannot be told: ${messageOf(error)}`);
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
      void window.showErrorMessage(t('Resident Git cannot change a setting: {0}', messageOf(error)));
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
