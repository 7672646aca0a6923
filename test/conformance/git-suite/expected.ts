/**
 * Cases of git's tests (2.39 and 2.55) that give another result with git-resident, each with its reason. Our
 * program only reads: it never writes the index, and leaves nothing in git's trace files. A case that checks
 * either does not test an answer. `--compare` shows that the answers in it are equal.
 */
import type { Source } from '../disagreement';

export interface ExpectedDifference {
  /** Such as "t7508". */
  suite: string;
  /** The title in the script. */
  title: string;
  /** Number of cases with that title that differ; default 1. */
  times?: number;
  sources: readonly Source[];
  reason: string;
}

const both = ['scan', 'resident'] as const;
const traced = "looks at the trace of git's own untracked cache";
const cacheWritten = 'needs the untracked cache that git status has written into the index';
const indexWritten = 'needs the index that git status has written';
const elsewhere =
  'GIT_WORK_TREE alone, for a worktree without a git directory: a process started there finds no repository';

function named(suite: string, reason: string, titles: readonly string[]): ExpectedDifference[] {
  return titles.map((title) => ({ suite, title, sources: both, reason }));
}

export const expectedDifferences: readonly ExpectedDifference[] = [
  {
    suite: 't0056',
    title:
      'Effect on --work-tree option: "-C c/a.git --work-tree=../a"  is equivalent to "--work-tree=c/a --git-dir=c/a.git"',
    sources: ['resident'],
    reason: elsewhere,
  },
  {
    suite: 't0056',
    title:
      'Order should not matter: "--work-tree=../a -C c/a.git" is equivalent to "-C c/a.git --work-tree=../a"',
    sources: ['resident'],
    reason: elsewhere,
  },
  ...named('t1092', "looks at the trace of git's own index", [
    'index.sparse disabled inline uses full index',
  ]),
  ...named('t7063', traced, [
    'status second time (fully populated cache)',
    'if -uall is configured, untracked cache is used by default',
    'if -uall is configured, untracked cache is bypassed with -unormal',
    'modify in root directory, one dir invalidation',
    'new .gitignore invalidates recursively',
    'new info/exclude invalidates everything',
    'status after commit',
    'test sparse status with untracked cache',
    'test sparse status again with untracked cache',
    'test sparse status with untracked cache and subdir',
    'test sparse status again with untracked cache and subdir',
  ]),
  ...named('t7063', cacheWritten, [
    'untracked cache after first status',
    'untracked cache after second status',
    'untracked cache remains after bypass',
    'if -uall was configured, untracked cache is populated',
    'move two from tracked to untracked',
    'move two from untracked to tracked',
    'untracked cache correct after commit',
    'untracked cache correct after status',
    'verify untracked cache dump (sparse/subdirs)',
    'setting core.untrackedCache to true and using git status creates the cache',
    'setting core.untrackedCache to false and using git status removes the cache',
    'setting core.untrackedCache to keep',
    '"status" after file replacement should be clean with UC=true',
  ]),
  { suite: 't7063', title: 'status after the move', times: 2, sources: both, reason: traced },
  { suite: 't7063', title: 'verify untracked cache dump', times: 5, sources: both, reason: cacheWritten },
  { suite: 't7063', title: 'test ident field is working', sources: ['resident'], reason: elsewhere },
  {
    suite: 't7519',
    title: "status doesn't detect unreported modifications",
    times: 4,
    sources: both,
    reason: "looks whether the file system monitor's hook was run, which git-resident never does",
  },
  ...named('t1700', indexWritten, ['same mode for index & split index']),
  ...named('t7113', 'needs the hook that git runs when its status has written the index', [
    'test status, add, commit, others trigger hook without flags set',
  ]),
  ...named('t7113', 'goes on with the commits of the case named above', [
    'test reset --mixed and update-index triggers the hook',
  ]),
  ...named('t7508', indexWritten, [
    'status refreshes the index',
    '--no-optional-locks prevents index update',
    'racy timestamps will be fixed for clean worktree',
    'racy timestamps will be fixed for dirty worktree',
  ]),
  // Since 2.40.
  ...named('t7508', 'GIT_TEST_UF_DELAY_WARNING makes git itself slow', [
    'slow status advice when core.untrackedCache and fsmonitor are unset',
    'slow status advice when core.untrackedCache true, but not fsmonitor',
  ]),
];
