/** Texts that a person reads or sends: what is watched, and where git status says something else. No contents of files. */
import { t } from '../l10n';
import { ModelState } from '../protocol';
import { reasonText } from './helperReasons';
import { toDisplay } from './repoPath';
import { Difference } from './statusComparison';
import { Batch, Rescan } from './WorktreeHistory';

export interface WatchedWorktree {
  root: string;
  gitDir: string | undefined;
  /** As the status bar says them. */
  details: readonly string[];
  state: ModelState;
  changes: number;
  batches: readonly Batch[];
  rescans: readonly Rescan[];
}

export interface Watched {
  /** Of the helper; undefined where it does not run, or the system does not tell. */
  pid: number | undefined;
  memoryKb: number | undefined;
  /** Of the user, in all programs; undefined where the system has no such limit. */
  maxWatches: number | undefined;
  worktrees: readonly WatchedWorktree[];
}

export function watchedReport({ pid, memoryKb, maxWatches, worktrees }: Watched): string {
  const lines = [
    t('What Resident Git watches'),
    '',
    helperLine(pid, memoryKb),
    ...(maxWatches === undefined ? [] : [t('fs.inotify.max_user_watches is {0}.', grouped(maxWatches))]),
    t('Worktrees: {0}', worktrees.length),
  ];
  for (const worktree of worktrees) lines.push('', ...worktreeLines(worktree));
  return `${lines.join('\n')}\n`;
}

function helperLine(pid: number | undefined, memoryKb: number | undefined): string {
  if (pid === undefined) return t('The helper does not run.');
  if (memoryKb === undefined) return t('The helper is process {0}.', String(pid));
  const megabytes = grouped(Math.round(memoryKb / 1024));
  return t('The helper is process {0}, {1} MB of memory.', String(pid), megabytes);
}

function worktreeLines({
  root,
  gitDir,
  details,
  state,
  changes,
  batches,
  rescans,
}: WatchedWorktree): string[] {
  const lines: string[] = [];
  if (gitDir !== undefined) lines.push(t('git directory: {0}', toDisplay(gitDir)));
  lines.push(...details, t('Changed paths: {0}', grouped(changes)));
  if (state.state === 'polling' || state.state === 'watching') {
    const polled = state.state === 'polling' ? state.polled : 0;
    lines.push(t('Directories: {0} watched, {1} polled', grouped(state.directories), grouped(polled)));
  }
  lines.push(
    rescans.length === 0 ? t('Looked at as a whole again: never') : t('Looked at as a whole again:'),
    ...[...rescans].reverse().map(({ time, reason }) => `  ${at(time)}  ${toDisplay(reasonText(reason))}`),
    batches.length === 0 ? t('Last changes, the newest first: none') : t('Last changes, the newest first:'),
    ...[...batches].reverse().map((batch) => `  ${at(batch.time)}  ${batchText(batch)}`),
  );
  return [toDisplay(root), ...lines.map((line) => `  ${line}`)];
}

function batchText({ paths, latencyMs }: Batch): string {
  const count = paths === 1 ? t('1 path') : t('{0} paths', grouped(paths));
  return latencyMs === undefined ? count : t('{0}, {1} ms after the event', count, latencyMs.toFixed(2));
}

export interface Comparison {
  root: string;
  details: readonly string[];
  versions: readonly string[];
  gitMs: number;
  differences: readonly Difference[];
}

export function comparisonReport({ root, details, versions, gitMs, differences }: Comparison): string {
  const nothing = t('nothing');
  const lines = [
    t('Resident Git and git status in {0}', toDisplay(root)),
    '',
    ...versions,
    ...details,
    t('git status took {0} ms.', Math.round(gitMs)),
    '',
    t('Paths of which they say different things: {0}', grouped(differences.length)),
    ...differences.map(({ path, ours = nothing, git = nothing }) => {
      const line = t('{0}: Resident Git {1}, git {2}', toDisplay(path), ours, git);
      return `  ${line}`;
    }),
  ];
  return `${lines.join('\n')}\n`;
}

const at = (time: number) => new Date(time).toISOString();
const grouped = (count: number) => count.toLocaleString('en-US');
