/** Constructs the parts of the extension and connects them. Activation does not wait for the helper to start. */
import './translator';
import { dirname } from 'node:path';
import { ExtensionContext, workspace } from 'vscode';
import { t } from './l10n';
import { HelperClient, HelperListener } from './client/HelperClient';
import { registerCommands } from './features';
import { BlameDecoration } from './features/blame/BlameDecoration';
import { BlameRules } from './features/blame/BlameRules';
import { Blames } from './features/blame/Blames';
import { BlameStatusItem } from './features/blame/BlameStatusItem';
import { BlameTracker } from './features/blame/BlameTracker';
import { CommitDetails } from './features/blame/CommitDetails';
import { CoexistenceOffer } from './features/coexistence/CoexistenceOffer';
import { createCoexistence } from './features/coexistence/createCoexistence';
import { FastGit } from './features/coexistence/FastGit';
import { offerRestart } from './features/diagnostics/helperCommands';
import { FileHistory } from './features/history/FileHistory';
import { GitHistoryReader } from './features/history/HistoryReader';
import { OpenRepositoryOffer } from './features/repositories/OpenRepositoryOffer';
import { Decorations } from './decorations/Decorations';
import { Accelerator } from './features/accelerate/Accelerator';
import { BuiltInGit } from './git/BuiltInGit';
import { InTurn, readCommitTemplate } from './features/commit/template';
import { CurrentStatus } from './git/currentStatus';
import { Git } from './git/Git';
import { Prompts } from './git/prompts/Prompts';
import { GitCommand } from './git/runGit';
import { createLog } from './log';
import { pathWithGit } from './model/gitOnPath';
import { Report } from './model/HelperApi';
import { toDisplay } from './model/repoPath';
import { Repository } from './model/Repository';
import { messageOf } from './model/messageOf';
import { RepositoryRegistry } from './model/RepositoryRegistry';
import { Attention } from './scm/Attention';
import { DetailsWanted } from './scm/DetailsWanted';
import { BuiltInKey } from './features/coexistence/BuiltInKey';
import { ConflictKey } from './features/conflicts/ConflictKey';
import { WorktreeHistories } from './features/diagnostics/WorktreeHistory';
import { ContentProvider } from './scm/ContentProvider';
import { KeptMessages } from './scm/KeptMessages';
import { OpenAnswers } from './features/repositories/OpenAnswers';
import { OperationSteps } from './scm/OperationSteps';
import { QuickDiff } from './scm/QuickDiff';
import { Reports } from './scm/Reports';
import { RepositoryKeys } from './scm/RepositoryKeys';
import { SourceControls } from './scm/SourceControls';
import { hasStrangers } from './scm/strangers';
import { StatusBar } from './scm/StatusBar';
import { Synchronizing } from './scm/Synchronizing';
import { pathOf, worktreeUris } from './scm/uris';
import { WatchLimitKey } from './features/watchLimit/WatchLimitKey';
import { WelcomeKey } from './scm/WelcomeKey';
import { WorkspaceRepositories } from './features/repositories/WorkspaceRepositories';

let helper: HelperClient | undefined;

export function activate(context: ExtensionContext): void {
  const started = performance.now();
  const log = createLog();
  const own = <T extends { dispose(): unknown }>(disposable: T): T => {
    context.subscriptions.push(disposable);
    return disposable;
  };
  own(log);

  const listener: HelperListener = {
    helperStarted: () => {
      statusBar.setHelper('running');
      registry.helperStarted();
    },
    helperLost: () => {
      statusBar.setHelper('starting');
      registry.helperLost();
    },
    helperGivenUp: (message) => {
      statusBar.setHelper('givenUp');
      void offerRestart(commandContext, message);
    },
    didChange: (delta) => {
      registry.didChange(delta);
    },
    didClose: (params) => {
      registry.didClose(params);
    },
    log: (severity, message) => {
      log[severity](message);
    },
  };
  const module = context.asAbsolutePath('dist/helper.js');
  /** The PATH of the last started helper. */
  let path = process.env.PATH;
  const client = new HelperClient(async (events) => {
    // vscode-languageclient is large: load it after activation.
    const { connectLanguageClient } = await import('./client/languageClient.js');
    // Reads the user's value only: the helper also runs in an untrusted workspace.
    path = await pathWithGit(workspace.getConfiguration('git').inspect('path')?.globalValue);
    return connectLanguageClient({ module, cwd: dirname(module), path, outputChannel: log }, events);
  }, listener);
  helper = client;

  const report: Report = (severity, message) => {
    log[severity](toDisplay(message));
  };
  const registry = own(new RepositoryRegistry(client, report));
  const histories = new WorktreeHistories(registry);
  const steps = own(new OperationSteps(registry));
  own(new ConflictKey(registry));
  const content = own(
    new ContentProvider(registry, client, async (repository, oid) => {
      const command = { args: ['cat-file', 'blob', oid] };
      return (await git.read(repository, command, t('Reading a file')))?.stdout;
    }),
  );
  const templates = new InTurn();
  const readTemplate = (repository: Repository) =>
    readCommitTemplate((command) => git.ask(repository, command), repository.root);
  const builtIn = own(new BuiltInGit());
  own(new BuiltInKey(registry, builtIn));
  const welcome = own(new WelcomeKey(registry, builtIn, () => path));
  own(new WatchLimitKey(registry));
  const synchronizing = own(new Synchronizing());
  const sourceControls = own(
    new SourceControls(
      registry,
      new QuickDiff(registry, content),
      new KeptMessages(context.workspaceState),
      steps,
      synchronizing,
      welcome,
      (repository) => templates.run(() => readTemplate(repository)),
      () => {
        log.show();
      },
      () => hasStrangers(builtIn, context.extension.id),
    ),
  );
  own(
    new Decorations(registry, client, {
      urisOf: (repository, path) => worktreeUris(registry.paths, repository, path),
      pathOf,
    }),
  );
  const statusBar = own(new StatusBar(registry, steps, new DetailsWanted(registry)));
  const restartHelper = () => {
    statusBar.setHelper('starting');
    return client.restart();
  };
  const prompts = own(
    new Prompts({
      script: context.asAbsolutePath('dist/git-prompt.sh'),
      main: context.asAbsolutePath('dist/prompt.js'),
    }),
  );
  const git = own(new Git(builtIn, log, prompts));
  const repositoryKeys = own(new RepositoryKeys(registry, git, sourceControls));
  const coexistence = createCoexistence(registry, builtIn, context.globalState, context.workspaceState);
  const openAnswers = new OpenAnswers(context.workspaceState);
  const binary = context.asAbsolutePath('dist/bin/git-resident');
  const accelerator = new Accelerator(binary);
  const background = (root: string, command: GitCommand, signal: AbortSignal) =>
    git.background({ root }, command, signal);
  const details = new CommitDetails(background);
  const rules = new BlameRules((place, command) => git.ask(place, command));
  const blame = own(new BlameTracker(registry, builtIn, own(new Blames(background)), rules, details));
  own(new BlameStatusItem(blame, details));
  own(new BlameDecoration(blame, details));
  const historyReader = new GitHistoryReader(background);
  const commandContext = {
    blame,
    accelerator,
    registry,
    helper: client,
    restartHelper,
    sourceControls,
    statusBar,
    synchronizing,
    log,
    coexistence,
    fastGit: new FastGit(accelerator, context.globalState),
    git,
    currentStatus: new CurrentStatus(client),
    histories,
    reports: own(new Reports()),
    openAnswers,
    historyReader,
    fileHistory: own(new FileHistory(registry, git, historyReader)),
  };
  own(registerCommands(commandContext));
  own(new OpenRepositoryOffer(registry, commandContext));
  own(new CoexistenceOffer(registry, builtIn, commandContext));

  const repositories = own(
    new WorkspaceRepositories(registry, report, openAnswers, () => {
      sourceControls.rebuild();
      repositoryKeys.update();
    }),
  );
  own(new Attention(registry));
  void client.start();
  void repositories.open();
  void accelerator.followLink().then(
    (before) => {
      if (before !== undefined) log.info(`core.fsmonitor now runs this version, not ${before}`);
    },
    (error: unknown) => {
      log.error(`core.fsmonitor cannot be updated to this version: ${messageOf(error)}`);
    },
  );
  log.info(`activated in ${(performance.now() - started).toFixed(1)} ms`);
}

/** VS Code waits for this promise, which resolves when the helper has ended. */
export function deactivate(): Promise<void> | undefined {
  return helper?.stop();
}
