/** git arguments for stash, pop, apply and drop, and the parser of the stash list. */
import { textOf } from '../../git/outputText';
import { GroupId, groupsOf, movedFrom } from '../../model/status';
import { RepoPath, StatusEntry } from '../../protocol';

export interface Stash {
  /** Current position in the list. After the next stash, another entry has this position. */
  index: number;
  /** The stash's commit. It stays the same when the position changes. */
  oid: string;
  /** "WIP on main: 1234567 base", "On main: message". */
  description: string;
  /** In milliseconds since 1970. */
  time: number;
  /** Commits: HEAD before the stash, the index, and the untracked files if the stash has any. */
  parents: readonly string[];
}

export interface StashOptions {
  untracked?: boolean;
  staged?: boolean;
  /** Only the paths on standard input, each ended by NUL. */
  paths?: boolean;
}

export const kListStashes: readonly string[] = ['stash', 'list', '-z', '--format=%P%n%H%n%ct%n%gs'];

export function parseStashes(output: Uint8Array): Stash[] {
  const text = textOf(output);
  return text
    .split('\0')
    .filter((record) => record.trim() !== '')
    .map((record, index) => {
      const [parents = '', oid = '', time = '0', ...description] = record.split('\n');
      return {
        index,
        oid,
        description: description.join(' '),
        time: Number(time) * 1000,
        parents: parents.split(' '),
      };
    });
}

/** Stashes all tracked changes, or only staged changes; with `untracked`, also untracked files. */
export function stashArguments(message: string, { untracked, staged, paths }: StashOptions): string[] {
  return [
    ...(paths === true ? ['--literal-pathspecs'] : []),
    'stash',
    'push',
    ...(untracked === true ? ['--include-untracked'] : []),
    ...(staged === true ? ['--staged'] : []),
    ...(message.trim() === '' ? [] : [`--message=${message}`]),
    ...(paths === true ? ['--pathspec-from-file=-', '--pathspec-file-nul'] : []),
  ];
}

/** The paths of the changes in these rows, as whole files. `untracked`: some of them are untracked. */
export function planStashOf(rows: readonly { entry: StatusEntry; group: GroupId }[]): {
  paths: RepoPath[];
  untracked: boolean;
} {
  const paths = new Set<RepoPath>();
  let untracked = false;
  for (const { entry, group } of rows) {
    // git stashes neither conflicts nor anything within another repository.
    if (entry.kind === 'unmerged' || entry.path.endsWith('/')) continue;
    paths.add(entry.path);
    untracked ||= entry.kind === 'untracked';
    const from = movedFrom(entry, group);
    if (from !== undefined) paths.add(from);
  }
  return { paths: [...paths], untracked };
}

/**
 * From this number on, paths are passed to git only if other changes must stay: 20,000 pathspecs take git over a
 * minute.
 */
export const kManyPaths = 1000;

/** True if git, without paths, would stash nothing of `all` but these paths. */
export function areAllMeant(
  all: readonly StatusEntry[],
  isMeant: ReadonlySet<RepoPath>,
  untracked: boolean,
): boolean {
  const rows = all.flatMap((entry) => groupsOf(entry).map((group) => ({ entry, group })));
  const stashed = rows.filter(({ entry }) => untracked || entry.kind !== 'untracked');
  const areMeant = ({ entry, group }: (typeof rows)[number]) =>
    isMeant.has(entry.path) && isMeant.has(movedFrom(entry, group) ?? entry.path);
  return stashed.every(areMeant);
}

export function isNothingStashed(output: Uint8Array): boolean {
  return textOf(output).includes('No local changes to save');
}

/** Applies by id: another stash may be at the position by then. */
export function applyArguments({ oid }: Stash): string[] {
  return ['stash', 'apply', '--quiet', oid];
}

/** Lists the stash's changes against its base, then its untracked files, with one git process. */
export function stashChangesCommand({ oid, parents: [base = '', , untracked] }: Stash): {
  args: string[];
  input: Uint8Array;
} {
  const lines = [`${oid} ${base}`, ...(untracked === undefined ? [] : [untracked])];
  const args = ['diff-tree', '--stdin', '--root', '-r', '-z', '--raw', '--find-renames', '--no-commit-id'];
  return { args, input: Buffer.from(lines.map((line) => `${line}\n`).join(''), 'utf8') };
}

/** The stash at this position, to compare before it is removed. */
export function atPlaceArguments({ index }: Stash): string[] {
  return ['rev-parse', '--verify', '--quiet', `stash@{${index}}`];
}

/** Call only if the stash is still at its position. */
export function takeArguments(verb: 'pop' | 'drop', { index }: Stash): string[] {
  return ['stash', verb, '--quiet', `stash@{${index}}`];
}
