/** Decides what a commit contains, by the staged changes, the other changes and the user's settings. */
import { kOwnIdentity } from '../../git/environment';
import { textOf } from '../../git/outputText';
import { GroupId } from '../../model/status';
import { Operation } from '../../protocol';

/** Options of a commit command. */
export interface CommitOptions {
  /** All tracked changes. `smartCommitChanges` decides whether untracked files are included. */
  all?: boolean;
  /** Only the staged changes, whatever the settings say. */
  staged?: boolean;
  amend?: boolean;
  signOff?: boolean;
  noVerify?: boolean;
  empty?: boolean;
  /** Signs with the key and program of git's config. Absent: git decides by `commit.gpgSign`. */
  sign?: boolean;
}

/** Same settings as in VS Code's own Git. */
export interface CommitSettings {
  enableSmartCommit: boolean;
  suggestSmartCommit: boolean;
  smartCommitChanges: 'all' | 'tracked';
  alwaysSignOff: boolean;
  enableCommitSigning: boolean;
}

export interface CommitState {
  /** Number of rows in each group. */
  counts: Readonly<Record<GroupId, number>>;
  operation: Operation | undefined;
}

/** `stagesUntracked`: untracked files are staged first, because `git commit --all` skips them. */
export type CommitDecision =
  | { kind: 'commit'; all: boolean; stagesUntracked: boolean }
  /** Nothing is staged: ask whether to commit everything. */
  | { kind: 'askAll' }
  /** Nothing is staged. The user does not want the question, or requested staged changes only. */
  | { kind: 'nothingStaged' }
  /** Nothing has changed: ask whether to create an empty commit. */
  | { kind: 'askEmpty' };

export function decideCommit(
  { counts, operation }: CommitState,
  options: CommitOptions,
  { enableSmartCommit, suggestSmartCommit, smartCommitChanges }: CommitSettings,
): CommitDecision {
  const takesUntracked = smartCommitChanges === 'all' && counts.untracked > 0;
  const staged: CommitDecision = { kind: 'commit', all: false, stagesUntracked: false };
  const everything: CommitDecision = { kind: 'commit', all: true, stagesUntracked: takesUntracked };
  const hasMore = counts.workingTree > 0 || takesUntracked;
  // git refuses and says why. With --all, git would treat files with conflicts as resolved.
  if (counts.merge > 0) return staged;
  if (options.all === true && hasMore) return everything;
  // The commit that ends a merge may have no changes.
  if (options.amend === true || options.empty === true || operation === 'merge') return staged;
  if (counts.index > 0) return staged;
  if (options.staged === true) return { kind: 'nothingStaged' };
  if (!hasMore) return { kind: 'askEmpty' };
  if (enableSmartCommit) return everything;
  return suggestSmartCommit ? { kind: 'askAll' } : { kind: 'nothingStaged' };
}

/** The message comes from standard input, or from the editor that git opens. */
export type MessageSource = 'input' | 'editor';

export interface CommitArguments {
  options: CommitOptions;
  source: MessageSource;
  /** The editor shows the changes below the message. */
  verbose?: boolean;
}

export function commitArguments({ options, source, verbose = false }: CommitArguments): string[] {
  const { all, amend, signOff, noVerify, empty, sign } = options;
  return [
    ...kOwnIdentity,
    'commit',
    '--quiet',
    ...(all === true ? ['--all'] : []),
    ...(amend === true ? ['--amend'] : []),
    ...(signOff === true ? ['--signoff'] : []),
    ...(noVerify === true ? ['--no-verify'] : []),
    ...(empty === true ? ['--allow-empty'] : []),
    ...(sign === true ? ['--gpg-sign'] : []),
    ...(verbose && source === 'editor' ? ['--verbose'] : []),
    ...(source === 'input' ? ['--file=-'] : []),
  ];
}

export interface LastCommit {
  parents: number;
  message: string;
}

/** The message with a new first line. */
export function withSubject(message: string, subject: string): string {
  const end = message.indexOf('\n');
  return end < 0 ? subject : subject + message.slice(end);
}

/** Parses the output of `git cat-file commit HEAD`. The message has no trailing newlines. */
export function parseCommit(bytes: Uint8Array): LastCommit {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = whole.indexOf('\n\n');
  const header = whole.toString('latin1', 0, end < 0 ? whole.length : end).split('\n');
  const parents = header.filter((line) => line.startsWith('parent ')).length;
  const message = end < 0 ? '' : decoded(whole.subarray(end + 2), header);
  return { parents, message: message.replace(/\n+$/, '') };
}

/** A message that is not UTF-8 has an encoding header (`i18n.commitEncoding`). */
function decoded(message: Buffer, header: readonly string[]): string {
  const line = header.find((each) => each.startsWith('encoding '));
  try {
    return new TextDecoder(line?.slice('encoding '.length) ?? 'utf-8').decode(message);
  } catch {
    return textOf(message);
  }
}
