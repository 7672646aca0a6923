/** Reports for the user to read or send: diagnostics, and differences from git status. They contain no file content. */
import { t } from '../../l10n';
import { reasonText } from '../../model/helperReasons';
import { grouped } from '../../model/numberText';
import { basename, toDisplay } from '../../model/repoPath';
import { Difference } from './statusComparison';
import { Batch, Rescan } from './WorktreeHistory';

export interface DiagnosedWorktree {
  root: string;
  gitDir: string | undefined;
  /** A line for each fact. */
  details: readonly string[];
  /** Why the status may be late or missing; undefined: no lasting problem. */
  trouble: string | undefined;
  changes: number;
  batches: readonly Batch[];
  rescans: readonly Rescan[];
}

export interface Diagnostics {
  /** The id of the background process; undefined: not running. */
  pid: number | undefined;
  /** Memory of the background process; undefined: not running, or not reported by the system. */
  memoryKb: number | undefined;
  /** The user's limit of watches, for all programs together; undefined: the system has no such limit. */
  maxWatches: number | undefined;
  worktrees: readonly DiagnosedWorktree[];
}

export function diagnosticsReport({ pid, memoryKb, maxWatches, worktrees }: Diagnostics): string {
  const lines = [
    t('Resident Git Diagnostics'),
    '',
    ...summaryLines(worktrees),
    processLine(pid, memoryKb),
    ...(maxWatches === undefined ? [] : [t('fs.inotify.max_user_watches is {0}.', grouped(maxWatches))]),
    t('All times are local ({0}).', timeZone()),
  ];
  for (const worktree of worktrees) lines.push('', ...worktreeLines(worktree));
  return `${lines.join('\n')}\n`;
}

function summaryLines(worktrees: readonly DiagnosedWorktree[]): string[] {
  const { length } = worktrees;
  const count = length === 1 ? t('1 repository is open.') : t('{0} repositories are open.', grouped(length));
  const troubles = worktrees.flatMap(({ root, trouble }) =>
    trouble === undefined ? [] : [`${toDisplay(basename(root))}: ${trouble}`],
  );
  return [count, ...(troubles.length > 0 ? troubles : [t('No problems found.')])];
}

function processLine(pid: number | undefined, memoryKb: number | undefined): string {
  if (pid === undefined) return t('The background process is not running.');
  if (memoryKb === undefined) return t('The background process is process {0}.', String(pid));
  const megabytes = grouped(Math.round(memoryKb / 1024));
  return t('The background process is process {0} and uses {1} MB of memory.', String(pid), megabytes);
}

function worktreeLines({ root, gitDir, details, changes, batches, rescans }: DiagnosedWorktree): string[] {
  const lines: string[] = [];
  if (gitDir !== undefined) lines.push(t('git directory: {0}', toDisplay(gitDir)));
  lines.push(
    ...details,
    t('Changed paths: {0}', grouped(changes)),
    rescans.length === 0 ? t('Rescans: none') : t('Rescans, newest first:'),
    ...[...rescans]
      .reverse()
      .map(({ time, reason }) => `  ${localTime(time)}  ${toDisplay(reasonText(reason))}`),
    batches.length === 0 ? t('Last changes: none') : t('Last changes, newest first:'),
    ...[...batches].reverse().map((batch) => `  ${localTime(batch.time)}  ${batchText(batch)}`),
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
  const nothing = t('no entry');
  const lines = [
    t('Resident Git and git status in {0}', toDisplay(root)),
    '',
    ...versions,
    ...details,
    t('git status took {0} ms.', Math.round(gitMs)),
    '',
    t('Different paths: {0}', grouped(differences.length)),
    ...differences.map(({ path, ours = nothing, git = nothing }) => {
      const line = t('{0}: Resident Git {1}, git {2}', toDisplay(path), ours, git);
      return `  ${line}`;
    }),
  ];
  return `${lines.join('\n')}\n`;
}

/** "2026-01-31 14:03:21", in any language. */
function localTime(time: number): string {
  const date = new Date(time);
  const two = (number: number) => String(number).padStart(2, '0');
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-');
  return `${day} ${date.toLocaleTimeString('en-GB')}`;
}

/** "UTC+02:00". */
function timeZone(): string {
  const minutes = -new Date().getTimezoneOffset();
  const two = (number: number) => String(Math.floor(number)).padStart(2, '0');
  const size = Math.abs(minutes);
  return `UTC${minutes < 0 ? '-' : '+'}${two(size / 60)}:${two(size % 60)}`;
}
