/** git arguments to cherry-pick a commit of another branch, and the list of commits to choose from. */
import { kOwnIdentity } from '../../git/environment';
import { textOf } from '../../git/outputText';
import { mayMean } from '../refs/refs';

export interface PickableCommit {
  oid: string;
  author: string;
  subject: string;
  /** In milliseconds since 1970. */
  time: number;
}

/** A person does not read a longer list. An older commit can be named by its id. */
const kMaxListed = 1000;

/**
 * The latest commits that are on a branch or tag and not in HEAD. Leaves out merges: a merge has a change for each
 * parent.
 */
export function pickableArguments({ hasHead }: { hasHead: boolean }): string[] {
  return [
    'log',
    '-z',
    '--no-show-signature',
    '--encoding=UTF-8',
    '--no-merges',
    `--max-count=${kMaxListed}`,
    '--format=%H%n%ct%n%aN%n%s',
    '--branches',
    '--remotes',
    '--tags',
    ...(hasHead ? ['--not', 'HEAD'] : []),
    '--',
  ];
}

export function parsePickable(output: Uint8Array): PickableCommit[] {
  const records = textOf(output).split('\0');
  return records.flatMap((record) => {
    const [oid, time, author = '', ...subject] = record.split('\n');
    if (oid === undefined || time === undefined) return [];
    return [{ oid, author, subject: subject.join(' '), time: Number(time) * 1000 }];
  });
}

/** `mainline`: picks the change of a merge against its first parent. */
export function cherryPickArguments(revision: string, { mainline = false } = {}): string[] {
  return [...kOwnIdentity, 'cherry-pick', ...(mainline ? ['--mainline', '1'] : []), revision];
}

/**
 * The commit that Enter on a row of the list chooses. An editor that has not filtered yet reports a row that does not
 * match the typed text. The typed text is then returned if it can be a hash; else undefined: no choice yet.
 */
export function meantRevision(typed: string, { oid, author, subject }: PickableCommit): string | undefined {
  if (mayMean(typed, `${subject} ${oid} ${author}`)) return oid;
  return /^\s*[0-9a-f]{4,64}\s*$/i.test(typed) ? typed.trim() : undefined;
}

/** The typed revision; undefined: it is empty, or git would read it as an option. */
export function typedRevision(typed: string): string | undefined {
  const revision = typed.trim();
  return revision === '' || revision.startsWith('-') ? undefined : revision;
}
