/** Commands for reports about Resident Git: its diagnostics, and a comparison with git status. */
import { readFile } from 'node:fs/promises';
import { env, version, window } from 'vscode';
import { CommandContext, CommandTable } from '../../commands/context';
import { inRepository } from '../../commands/repository';
import { parsePorcelain } from '../../git/porcelain';
import { t } from '../../l10n';
import { basename, toDisplay } from '../../model/repoPath';
import { Repository } from '../../model/Repository';
import { comparisonReport, diagnosticsReport } from './reports';
import { compareStatus, Difference } from './statusComparison';
import { WorktreeHistories } from './WorktreeHistory';

export interface DiagnosticsContext extends CommandContext {
  histories: WorktreeHistories;
}

export const reportCommands = {
  'residentGit.compareStatus': inRepository(compare),
  'residentGit.showWatched': showWatched,
} satisfies CommandTable<DiagnosticsContext>;

/** Asks git for the same status as the model. git does not write the index, and asks no fsmonitor daemon. */
const kAskGit = {
  args: [
    ...['--no-optional-locks', '-c', 'core.fsmonitor=false', '-c', 'core.untrackedCache=false'],
    ...['status', '--porcelain=v2', '-z', '--untracked-files=all'],
  ],
};
/** Maximum number of comparisons if the repository keeps changing. */
const kTries = 3;

async function compare(context: CommandContext, repository: Repository): Promise<void> {
  const title = t('Verifying against git status');
  const result = await context.git.exclusively(repository, { title }, (run, signal) =>
    difference(context, repository, () => run({ ...kAskGit, keepsAll: true }), signal),
  );
  if (result === undefined) return;
  const name = toDisplay(basename(repository.root));
  if (result === 'changing') {
    const message = t('{0} keeps changing. Try again later.', name);
    void window.showInformationMessage(`Resident Git: ${message}`);
    return;
  }
  const { differences, gitMs, total } = result;
  if (differences.length === 0) {
    const entries = total === 1 ? t('1 entry') : t('{0} entries', total.toLocaleString('en'));
    void window.showInformationMessage(t('Resident Git matches git status ({0}).', entries));
    return;
  }
  const show = t('Show Report');
  const message =
    differences.length === 1
      ? t('Resident Git and git status differ in 1 path of {0}.', name)
      : t('Resident Git and git status differ in {0} paths of {1}.', differences.length, name);
  if ((await window.showWarningMessage(message, show)) !== show) return;
  const { details } = context.statusBar.lineOf(repository);
  const versions = [`${env.appName} ${version}, ${process.platform} ${process.arch}`];
  await context.reports.show(
    t('Resident Git and git status in {0}', name),
    comparisonReport({ root: repository.root, details, versions, gitMs, differences }),
  );
}

interface Compared {
  differences: Difference[];
  gitMs: number;
  /** Number of entries in git's status. */
  total: number;
}

/**
 * Asks the model before and after git. git agrees if its answer equals one of the model's answers. A difference counts
 * only if the model gave the same answer twice; otherwise retries. Undefined: git failed, may not run, or was cancelled.
 */
async function difference(
  { currentStatus }: CommandContext,
  { root }: Repository,
  askGit: () => Promise<{ stdout: Buffer; milliseconds: number } | undefined>,
  signal: AbortSignal,
): Promise<Compared | 'changing' | undefined> {
  for (let tries = 0; tries < kTries && !signal.aborted; tries++) {
    const before = await currentStatus.ask(root, signal);
    const answer = await askGit();
    if (answer === undefined) return undefined;
    const git = parsePorcelain(answer.stdout);
    const after = await currentStatus.ask(root, signal);
    const differences = compareStatus(after, git);
    const isSame = differences.length === 0 || compareStatus(before, git).length === 0;
    const gitMs = answer.milliseconds;
    if (isSame) return { differences: [], gitMs, total: git.length };
    if (compareStatus(before, after).length === 0) return { differences, gitMs, total: git.length };
  }
  return signal.aborted ? undefined : 'changing';
}

async function showWatched({
  registry,
  statusBar,
  histories,
  helper,
  reports,
}: DiagnosticsContext): Promise<void> {
  const { pid } = helper;
  const worktrees = registry.repositories.map((repository) => {
    const { details, trouble } = statusBar.lineOf(repository);
    const { batches, rescans } = histories.of(repository);
    const { root, gitDir, size } = repository;
    return { root, gitDir, details, trouble, changes: size, batches, rescans };
  });
  const text = diagnosticsReport({
    pid,
    memoryKb: pid === undefined ? undefined : await numberIn(`/proc/${pid}/status`, /^VmRSS:\s*(\d+) kB$/m),
    maxWatches: await numberIn('/proc/sys/fs/inotify/max_user_watches', /^(\d+)$/m),
    worktrees,
  });
  await reports.show(t('Resident Git Diagnostics'), text);
}

/** The first number in `file` that matches `pattern`; undefined: no such file or number. */
async function numberIn(file: string, pattern: RegExp): Promise<number | undefined> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const number = pattern.exec(text)?.[1];
  return number === undefined ? undefined : Number(number);
}
