/** What stash, pop, apply and drop ask of git, and what its list says. */
import { RepoPath, StatusEntry } from '../protocol';
import { textOf } from './outputText';
import { GroupId, groupsOf, movedFrom } from './status';

export interface Stash {
  /** Its place in the list now; another one's after the next stash. */
  index: number;
  /** What it is, wherever it stands. */
  oid: string;
  /** "WIP on main: 1234567 base", "On main: message". */
  description: string;
  /** In milliseconds since 1970. */
  time: number;
  /** What HEAD was, then what was staged, then, where some are in it, untracked files alone. */
  parents: readonly string[];
}

export interface StashOptions {
  untracked?: boolean;
  staged?: boolean;
  /** Only paths that are the standard input, each ended by NUL. */
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

/** Everything that is tracked, or only what is staged; with `untracked` what is not tracked too. */
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

/** What names the changes of these rows to git, whole files each: their paths, and whether some are not tracked. */
export function planStashOf(rows: readonly { entry: StatusEntry; group: GroupId }[]): {
  paths: RepoPath[];
  untracked: boolean;
} {
  const paths = new Set<RepoPath>();
  let untracked = false;
  for (const { entry, group } of rows) {
    // git stashes no conflicts, and nothing within another repository.
    if (entry.kind === 'unmerged' || entry.path.endsWith('/')) continue;
    paths.add(entry.path);
    untracked ||= entry.kind === 'untracked';
    const from = movedFrom(entry, group);
    if (from !== undefined) paths.add(from);
  }
  return { paths: [...paths], untracked };
}

/** So many paths are named only where they are not all that there is: as pathspecs 20,000 take git a minute and more. */
export const kManyPaths = 1000;

/** Whether git would stash nothing else of `all` without being told of paths. */
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

/** By what it is: its place may be another's by then. */
export function applyArguments({ oid }: Stash): string[] {
  return ['stash', 'apply', '--quiet', oid];
}

/** Its files as they were before and in it, then its untracked ones, by one git. */
export function stashChangesCommand({ oid, parents: [base = '', , untracked] }: Stash): {
  args: string[];
  input: Uint8Array;
} {
  const lines = [`${oid} ${base}`, ...(untracked === undefined ? [] : [untracked])];
  const args = ['diff-tree', '--stdin', '--root', '-r', '-z', '--raw', '--find-renames', '--no-commit-id'];
  return { args, input: Buffer.from(lines.map((line) => `${line}\n`).join(''), 'utf8') };
}

/** What stands at its place, to be compared before it goes. */
export function atPlaceArguments({ index }: Stash): string[] {
  return ['rev-parse', '--verify', '--quiet', `stash@{${index}}`];
}

/** Only where it stands at its place still. */
export function takeArguments(verb: 'pop' | 'drop', { index }: Stash): string[] {
  return ['stash', verb, '--quiet', `stash@{${index}}`];
}
