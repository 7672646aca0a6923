/** What a commit consists of: decided by what is staged, what else there is, and what a person said once and for all. */
import { Operation } from '../protocol';
import { textOf } from './outputText';
import { GroupId } from './status';

/** What a command asks for. */
export interface CommitOptions {
  /** Everything that is tracked, and by `smartCommitChanges` what is not. */
  all?: boolean;
  /** What is staged and nothing else, whatever is set. */
  staged?: boolean;
  amend?: boolean;
  signOff?: boolean;
  noVerify?: boolean;
  empty?: boolean;
  /** By the key and program that git's config names. Without it git decides, by `commit.gpgSign`. */
  sign?: boolean;
}

/** As VS Code's own Git has them. */
export interface CommitSettings {
  enableSmartCommit: boolean;
  suggestSmartCommit: boolean;
  smartCommitChanges: 'all' | 'tracked';
  alwaysSignOff: boolean;
  enableCommitSigning: boolean;
}

export interface CommitState {
  /** Rows of each group. */
  counts: Readonly<Record<GroupId, number>>;
  operation: Operation | undefined;
}

/** `stagesUntracked`: they are staged first, because `git commit --all` leaves them. */
export type CommitDecision =
  | { kind: 'commit'; all: boolean; stagesUntracked: boolean }
  /** Nothing is staged: whether everything is meant. */
  | { kind: 'askAll' }
  /** Nothing is staged, and the user does not want to be asked, or asked for what is. */
  | { kind: 'nothingStaged' }
  /** There is no change at all. */
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
  // git refuses, and says why; with --all it would take files that have conflicts for resolved.
  if (counts.merge > 0) return staged;
  if (options.all === true && hasMore) return everything;
  // What ends a merge may have no change of its own.
  if (options.amend === true || options.empty === true || operation === 'merge') return staged;
  if (counts.index > 0) return staged;
  if (options.staged === true) return { kind: 'nothingStaged' };
  if (!hasMore) return { kind: 'askEmpty' };
  if (enableSmartCommit) return everything;
  return suggestSmartCommit ? { kind: 'askAll' } : { kind: 'nothingStaged' };
}

/** The message is the standard input, or is written in the editor that git opens. */
export type MessageSource = 'input' | 'editor';

export interface CommitArguments {
  options: CommitOptions;
  source: MessageSource;
  /** An editor shows the changes below the message. */
  verbose?: boolean;
}

/** Whoever commits, merges, rebases or tags has an identity that is never guessed from the host's name. */
export const kOwnIdentity = ['-c', 'user.useConfigOnly=true'] as const;

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

/** With `commit.cleanup=scissors` git writes it above its comments, and what looks like one above it is none. */
const kScissors = /^\S+ -{24} >8 -{24}$/m;

/**
 * What git has prepared for a merge, squash or revert: without the lines that are comments. What those begin with
 * (core.commentChar) its list of conflicts tells.
 */
export function preparedMessage(text: string): string {
  const scissors = kScissors.exec(text);
  if (scissors !== null) return text.slice(0, scissors.index).trim();
  const start = /^(\S+) Conflicts:\n\1\t/m.exec(text)?.[1] ?? '#';
  const lines = text.split('\n').filter((line) => !line.startsWith(start));
  return lines.join('\n').trim();
}

export interface LastCommit {
  parents: number;
  message: string;
}

/** The message with another first line. */
export function withSubject(message: string, subject: string): string {
  const end = message.indexOf('\n');
  return end < 0 ? subject : subject + message.slice(end);
}

/** Of `git cat-file commit HEAD`; the message as it was written, without its last newline. */
export function parseCommit(bytes: Uint8Array): LastCommit {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = whole.indexOf('\n\n');
  const header = whole.toString('latin1', 0, end < 0 ? whole.length : end).split('\n');
  const parents = header.filter((line) => line.startsWith('parent ')).length;
  const message = end < 0 ? '' : decoded(whole.subarray(end + 2), header);
  return { parents, message: message.replace(/\n+$/, '') };
}

/** What is not UTF-8 says so (`i18n.commitEncoding`). */
function decoded(message: Buffer, header: readonly string[]): string {
  const line = header.find((each) => each.startsWith('encoding '));
  try {
    return new TextDecoder(line?.slice('encoding '.length) ?? 'utf-8').decode(message);
  } catch {
    return textOf(message);
  }
}
