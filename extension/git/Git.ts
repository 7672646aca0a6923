/**
 * Runs git for commands: in the repository's queue, with progress in the view. The log gets the full command and its
 * time. The user gets each failure with git's reason.
 *
 * Invariants:
 *  - No git runs in an untrusted workspace.
 *  - `undefined` means: the failure was reported, or the user cancelled. The caller reports nothing more.
 */
import { commands, env, LogOutputChannel, ProgressLocation, Uri, window, workspace } from 'vscode';
import { Feature } from '../lifecycle';
import { t } from '../l10n';
import { gitToRun } from '../model/gitOnPath';
import { reasonText } from '../model/helperReasons';
import { redact } from '../model/redact';
import { basename, isText, toDisplay } from '../model/repoPath';
import { messageOf } from '../model/messageOf';
import { BuiltInGit } from './BuiltInGit';
import { gitEnvironment, isAskedByBuiltIn } from './environment';
import { explain, Failure, FailureKind } from './failures';
import { clock, failureText, showFailure, WayOut, WaysOut } from './failureToast';
import { CancelledError, GitQueue } from './GitQueue';
import { lockHolders } from './lockHolders';
import { Asking, Prompts } from './prompts/Prompts';
import { GitCommand, GitProgram, GitResult, runGit } from './runGit';

export type { WayOut, WaysOut } from './failureToast';

const kOutputScheme = 'resident-git-output';
/** Limit for the kept outputs of failed commands. Older outputs cannot be shown any more. */
const kKeptOutputs = 20;
/** Delays before the retries, if another process holds a lock. */
const kLockWaitsMs = [50, 100, 200, 400, 800] as const;

/** A folder to run git in: a repository, or a folder that will become a repository. */
export interface Place {
  readonly root: string;
  readonly gitDir?: string | undefined;
  readonly commonDir?: string | undefined;
}

export interface RunOptions {
  /** The action, for the progress and for failures: "Staging changes". */
  title: string;
  /** Failures that the caller reports or handles itself. */
  expected?: readonly FailureKind[];
  ways?: WaysOut;
}

/** Runs one git command inside `exclusively`, with its options. `expected` applies to this command only. */
export type RunInTurn = (
  command: GitCommand,
  own?: Pick<RunOptions, 'expected'>,
) => Promise<GitResult | undefined>;

export class Git extends Feature {
  private readonly queue = new GitQueue();
  readonly onDidChangeBusy = this.queue.onDidChange;
  private readonly outputs = new Map<string, string>();

  constructor(
    private readonly builtIn: BuiltInGit,
    private readonly log: LogOutputChannel,
    private readonly prompts: Pick<Prompts, 'begin'> | undefined,
  ) {
    super();
    this.store.add(
      workspace.registerTextDocumentContentProvider(kOutputScheme, {
        provideTextDocumentContent: (uri) => this.outputs.get(uri.path),
      }),
    );
  }

  /** True if a command runs or waits in the repository. */
  isBusy({ root }: Place): boolean {
    return this.queue.isBusy(root);
  }

  /** Cancels the running and waiting commands of the repository. Its other worktrees continue. */
  cancel({ root }: Place): void {
    this.queue.cancel(root);
  }

  /** Returns the result if git succeeded or failed as `expected`; otherwise undefined. */
  async run(repository: Place, command: GitCommand, options: RunOptions): Promise<GitResult | undefined> {
    return this.exclusively(repository, options, (run) => run(command));
  }

  /**
   * Runs `task` in the repository's queue, with progress. Undefined: it failed and this is reported, or it was
   * cancelled.
   */
  async exclusively<T>(
    repository: Place,
    options: RunOptions,
    task: (run: RunInTurn, signal: AbortSignal) => Promise<T>,
  ): Promise<T | undefined> {
    const { title } = options;
    const name = toDisplay(basename(repository.root));
    if (!mayRun(repository)) return undefined;
    try {
      const run = (signal: AbortSignal) =>
        Promise.resolve(
          window.withProgress({ location: ProgressLocation.SourceControl, title: `${name}: ${title}` }, () =>
            task((command, own) => this.runNow(repository, command, { ...options, ...own }, signal), signal),
          ),
        );
      return await this.queue.run(keyOf(repository), run, repository.root);
    } catch (error) {
      if (!(error instanceof CancelledError)) this.tellError(repository, title, error);
      return undefined;
    }
  }

  /** Runs a read-only command at once, in parallel with other commands. */
  async read(
    repository: Place,
    command: GitCommand,
    title: string,
    signal = new AbortController().signal,
  ): Promise<GitResult | undefined> {
    if (!mayRun(repository)) return undefined;
    try {
      return await this.runNow(repository, { ...command, keepsAll: true }, { title }, signal);
    } catch (error) {
      this.tellError(repository, title, error);
      return undefined;
    }
  }

  /** Asks for optional information. Undefined, without a message: git failed, or may not run. */
  async ask(
    repository: Place,
    command: GitCommand,
    signal = new AbortController().signal,
  ): Promise<GitResult | undefined> {
    try {
      const result = await this.background(repository, command, signal);
      return result?.code === 0 ? result : undefined;
    } catch (error) {
      this.log.warn(`${toDisplay(repository.root)}: ${toDisplay(messageOf(error))}`);
      return undefined;
    }
  }

  /** Runs a read-only command in the background, without messages. Undefined: git may not run. */
  async background(
    repository: Place,
    command: GitCommand,
    signal: AbortSignal,
  ): Promise<GitResult | undefined> {
    if (!workspace.isTrusted || !isText(repository.root)) return undefined;
    return (await this.runOnce(repository, command, signal)).result;
  }

  private tellError({ root }: Place, title: string, error: unknown): void {
    const reason = messageOf(error);
    this.log.error(`${toDisplay(root)}: ${toDisplay(reason)}`);
    const shown = toDisplay(reasonText(reason));
    void window.showErrorMessage(t('{0} failed in {1}: {2}', title, toDisplay(basename(root)), shown));
  }

  /** Retries while a lock is held: most locks are held for milliseconds. */
  private async runNow(
    repository: Place,
    command: GitCommand,
    { title, expected = [], ways = {} }: RunOptions,
    signal: AbortSignal,
  ): Promise<GitResult | undefined> {
    for (let attempt = 0; ; attempt++) {
      const { result, isDismissed } = await this.runOnce(repository, command, signal);
      this.note(repository, command, result);
      if (result.isCancelled) return undefined;
      if (result.code === 0) return result;
      const failure = explain(subcommandOf(command.args), result);
      if (expected.includes(failure.kind)) return result;
      if (isDismissed) return undefined;
      const waitMs = failure.kind === 'locked' ? kLockWaitsMs[attempt] : undefined;
      if (waitMs === undefined) {
        void this.tell(repository, title, { command, result, failure, ways: ways[failure.kind] ?? [] });
        return undefined;
      }
      await new Promise((resolve) => setTimeout(resolve, waitMs));
      if (signal.aborted) return undefined;
    }
  }

  private note({ root }: Place, command: GitCommand, result: GitResult): void {
    const { code, isCancelled, milliseconds, stderr } = result;
    const how = isCancelled ? ', cancelled' : code === 0 ? '' : `, exit code ${code ?? 'none'}`;
    const line = `${toDisplay(root)}: > ${toDisplay(wordsOf(command))} [${Math.round(milliseconds)} ms${how}]`;
    if (code === 0) this.log.info(line);
    else this.log.error(`${line}\n${redact(stderr.toString('utf8'))}`);
  }

  private async runOnce(
    { root }: Place,
    command: GitCommand,
    signal: AbortSignal,
  ): Promise<{ result: GitResult; isDismissed: boolean }> {
    const asking = await this.beginAsking(root, command);
    try {
      const program = await this.program(command, asking);
      const result = await runGit(program, root, command, signal);
      return { result, isDismissed: asking?.isDismissed === true };
    } finally {
      asking?.end();
    }
  }

  /** Undefined if the built-in Git asks the user, or if nobody can be asked. */
  private async beginAsking(root: string, { editor }: GitCommand): Promise<Asking | undefined> {
    if (isAskedByBuiltIn(this.builtIn.git?.env, editor)) return undefined;
    try {
      return await this.prompts?.begin(toDisplay(basename(root)));
    } catch (error) {
      this.log.warn(`git cannot ask for anything: ${messageOf(error)}`);
      return undefined;
    }
  }

  private async program({ editor, index }: GitCommand, asking: Asking | undefined): Promise<GitProgram> {
    const { path: ofOther, env: ofBuiltIn } = this.builtIn.git ?? {};
    const path = ofOther ?? (await gitToRun(workspace.getConfiguration('git').get('path')));
    return { path, env: gitEnvironment(process.env, { ofBuiltIn, own: asking?.own, editor, index }) };
  }

  /**
   * The toast can stay for hours, and an extension cannot close it. Therefore each button checks the repository first.
   */
  private async tell(repository: Place, title: string, failed: Failed): Promise<void> {
    const { command, result, failure, ways } = failed;
    const at = new Date();
    const commits = await this.commitsOf(repository);
    const holders = failure.kind === 'locked' ? [await this.describeHolders(repository)] : [];
    const copied = failure.command;
    const offered: WayOut[] = [
      ...ways.map((way) => ({
        ...way,
        run: async () => {
          const isSame = (await this.commitsOf(repository)) === commits;
          if (isSame || (await isStillMeant(way, at))) await way.run();
        },
      })),
      ...(copied === undefined
        ? []
        : [{ label: t('Copy Command'), run: () => env.clipboard.writeText(copied) }]),
      { label: t('Show Output'), run: () => this.showOutput(wordsOf(command), result) },
    ];
    const message = [toDisplay(redact(failure.message)), ...holders].join(' ');
    const chosen = await showFailure(
      failure.kind,
      failureText(failure.kind, { title, at, message }),
      offered,
    );
    try {
      await chosen?.run();
    } catch (error) {
      this.tellError(repository, chosen?.label ?? title, error);
    }
  }

  /** The current commits of HEAD and its upstream; '' if git cannot be started. */
  private async commitsOf(repository: Place): Promise<string> {
    const command = { args: ['rev-parse', 'HEAD', '@{upstream}'] };
    try {
      const { result } = await this.runOnce(repository, command, new AbortController().signal);
      return result.stdout.toString('utf8');
    } catch {
      return '';
    }
  }

  private async describeHolders({ root, gitDir, commonDir }: Place): Promise<string> {
    const folders = [root, gitDir, commonDir].filter((folder) => folder !== undefined);
    const holders = await lockHolders(folders);
    if (holders.length === 0) {
      return t('None of your git processes runs there. If one crashed, delete the lock file.');
    }
    const list = holders.map(({ pid, command }) => t('"{0}" (process {1})', toDisplay(command), String(pid)));
    return t('{0} is running.', list.join(', '));
  }

  private async showOutput(words: string, { stdout, stderr, code }: GitResult): Promise<void> {
    const text = [
      `> ${words}`,
      stderr.toString('utf8'),
      stdout.toString('utf8'),
      `exit code ${code ?? 'none'}`,
    ];
    const path = `/git-output-${Date.now()}.log`;
    this.outputs.set(path, redact(text.filter((part) => part !== '').join('\n')));
    for (const old of this.outputs.keys()) {
      if (this.outputs.size <= kKeptOutputs) break;
      this.outputs.delete(old);
    }
    await commands.executeCommand('vscode.open', Uri.from({ scheme: kOutputScheme, path }));
  }
}

interface Failed {
  command: GitCommand;
  result: GitResult;
  failure: Failure;
  ways: readonly WayOut[];
}

async function isStillMeant({ label }: WayOut, at: Date): Promise<boolean> {
  const message = t('The repository has changed since {0}. Do you still want to continue?', clock(at));
  return (await window.showWarningMessage(message, { modal: true }, label)) === label;
}

/** False if git may not run. The user gets the reason. */
function mayRun({ root }: Place): boolean {
  if (!workspace.isTrusted) {
    void window.showWarningMessage(
      t('Resident Git does not run git in an untrusted workspace. Trust the workspace first.'),
    );
    return false;
  }
  if (isText(root)) return true;
  const name = toDisplay(basename(root));
  void window.showErrorMessage(t('git cannot run in {0}: the name of the folder is not valid UTF-8.', name));
  return false;
}

/** The queue's key. Linked worktrees share refs, objects and their locks, so they share a queue. */
function keyOf({ root, commonDir }: Place): string {
  return commonDir ?? root;
}

const wordsOf = ({ args }: GitCommand) => redact(`git ${args.join(' ')}`);

/** The first word that is not an option of git itself. */
function subcommandOf(args: readonly string[]): string {
  let i = 0;
  while (args[i]?.startsWith('-') === true) i += args[i] === '-c' || args[i] === '-C' ? 2 : 1;
  return args[i] ?? '';
}
