/** What Resident Git knows and does, to be read: what it watches, and whether git status says the same. */
import { readFile } from 'node:fs/promises';
import { env, version, window } from 'vscode';
import { t } from '../l10n';
import { parsePorcelain } from '../model/porcelain';
import { basename, toDisplay } from '../model/repoPath';
import { Repository } from '../model/Repository';
import { comparisonReport, watchedReport } from '../model/reports';
import { compareStatus, Difference } from '../model/statusComparison';
import { CommandContext, CommandTable } from './context';
import { inRepository } from './repository';

export const reportCommands = {
  'residentGit.compareStatus': inRepository(compare),
  'residentGit.showWatched': showWatched,
} satisfies CommandTable;

/** Says the same as the model is asked, and by itself: no index is written, no daemon believed. */
const kAskGit = {
  args: [
    ...['--no-optional-locks', '-c', 'core.fsmonitor=false', '-c', 'core.untrackedCache=false'],
    ...['status', '--porcelain=v2', '-z', '--untracked-files=all'],
  ],
};
/** A repository that changes all the while is compared so often. */
const kTries = 3;

async function compare(context: CommandContext, repository: Repository): Promise<void> {
  const title = t('Comparing with git status');
  const result = await context.git.exclusively(repository, { title }, (run, signal) =>
    difference(context, repository, () => run({ ...kAskGit, keepsAll: true }), signal),
  );
  if (result === undefined) return;
  const name = toDisplay(basename(repository.root));
  if (result === 'changing') {
    const message = t('{0} changes all the while: it cannot be compared now.', name);
    void window.showInformationMessage(`Resident Git: ${message}`);
    return;
  }
  const { differences, gitMs, total } = result;
  if (differences.length === 0) {
    const entries = total.toLocaleString('en');
    void window.showInformationMessage(
      total === 1
        ? t('git status says the same of {0} as Resident Git: 1 entry, in {1} ms.', name, Math.round(gitMs))
        : t(
            'git status says the same of {0} as Resident Git: {1} entries, in {2} ms.',
            name,
            entries,
            Math.round(gitMs),
          ),
    );
    return;
  }
  const show = t('Show Report');
  const message = t(
    'git status says something else than Resident Git of {0} paths in {1}.',
    differences.length,
    name,
  );
  if ((await window.showWarningMessage(message, show)) !== show) return;
  const { details } = context.statusBar.lineOf(repository);
  const versions = [`${env.appName} ${version}, ${process.platform} ${process.arch}`];
  await context.reports.show(
    t('Resident Git and git status: {0}', name),
    comparisonReport({ root: repository.root, details, versions, gitMs, differences }),
  );
}

interface Compared {
  differences: Difference[];
  gitMs: number;
  /** Entries that git has. */
  total: number;
}

/** The model is asked before and after git: what changed meanwhile is no difference. */
async function difference(
  { currentStatus }: CommandContext,
  { root }: Repository,
  askGit: () => Promise<{ stdout: Buffer; milliseconds: number } | undefined>,
  signal: AbortSignal,
): Promise<Compared | 'changing' | undefined> {
  for (let tries = 0; tries < kTries && !signal.aborted; tries++) {
    const before = await currentStatus.ask(root, signal);
    const told = await askGit();
    if (told === undefined) return undefined;
    const git = parsePorcelain(told.stdout);
    const after = await currentStatus.ask(root, signal);
    const differences = compareStatus(after, git);
    const isSame = differences.length === 0 || compareStatus(before, git).length === 0;
    const gitMs = told.milliseconds;
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
}: CommandContext): Promise<void> {
  const { pid } = helper;
  const worktrees = registry.repositories.map((repository) => ({
    root: repository.root,
    gitDir: repository.gitDir,
    details: statusBar.lineOf(repository).details,
    state: repository.state,
    changes: repository.size,
    batches: histories.of(repository).batches,
    rescans: histories.of(repository).rescans,
  }));
  const text = watchedReport({
    pid,
    memoryKb: pid === undefined ? undefined : await numberIn(`/proc/${pid}/status`, /^VmRSS:\s*(\d+) kB$/m),
    maxWatches: await numberIn('/proc/sys/fs/inotify/max_user_watches', /^(\d+)$/m),
    worktrees,
  });
  await reports.show(t('What Resident Git watches'), text);
}

/** Undefined where the system does not tell. */
async function numberIn(file: string, pattern: RegExp): Promise<number | undefined> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const number = pattern.exec(text)?.[1];
  return number === undefined ? undefined : Number(number);
}
