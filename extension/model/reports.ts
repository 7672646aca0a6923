/** Texts that a person reads or sends: what is watched, and where git status says something else. No contents of files. */
import { ModelState } from '../protocol';
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
  const memory = memoryKb === undefined ? '' : `, ${grouped(Math.round(memoryKb / 1024))} MB of memory`;
  const lines = [
    'What Resident Git watches',
    '',
    pid === undefined ? 'The helper does not run.' : `The helper is process ${pid}${memory}.`,
    ...(maxWatches === undefined ? [] : [`fs.inotify.max_user_watches is ${grouped(maxWatches)}.`]),
    `Worktrees: ${worktrees.length}`,
  ];
  for (const worktree of worktrees) lines.push('', ...worktreeLines(worktree));
  return `${lines.join('\n')}\n`;
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
  const lines = [toDisplay(root)];
  if (gitDir !== undefined) lines.push(`  git directory: ${toDisplay(gitDir)}`);
  lines.push(...details.map((detail) => `  ${detail}`), `  Changed paths: ${grouped(changes)}`);
  if (state.state === 'polling' || state.state === 'watching') {
    const polled = state.state === 'polling' ? state.polled : 0;
    lines.push(`  Directories: ${grouped(state.directories)} watched, ${grouped(polled)} polled`);
  }
  lines.push(`  Looked at as a whole again: ${rescans.length === 0 ? 'never' : ''}`.trimEnd());
  for (const { time, reason } of [...rescans].reverse()) lines.push(`    ${at(time)}  ${toDisplay(reason)}`);
  lines.push(`  Last changes, the newest first: ${batches.length === 0 ? 'none' : ''}`.trimEnd());
  for (const { time, paths, latencyMs } of [...batches].reverse()) {
    const latency = latencyMs === undefined ? '' : `, ${latencyMs.toFixed(2)} ms after the event`;
    lines.push(`    ${at(time)}  ${grouped(paths)} ${paths === 1 ? 'path' : 'paths'}${latency}`);
  }
  return lines;
}

export interface Comparison {
  root: string;
  details: readonly string[];
  versions: readonly string[];
  gitMs: number;
  differences: readonly Difference[];
}

export function comparisonReport({ root, details, versions, gitMs, differences }: Comparison): string {
  const lines = [
    `Resident Git and git status in ${toDisplay(root)}`,
    '',
    ...versions,
    ...details,
    `git status took ${Math.round(gitMs)} ms.`,
    '',
    `Paths of which they say different things: ${grouped(differences.length)}`,
    ...differences.map(
      ({ path, ours = 'nothing', git = 'nothing' }) =>
        `  ${toDisplay(path)}: Resident Git ${ours}, git ${git}`,
    ),
  ];
  return `${lines.join('\n')}\n`;
}

const at = (time: number) => new Date(time).toISOString();
const grouped = (count: number) => count.toLocaleString('en-US');
