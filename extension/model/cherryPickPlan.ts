/** What is asked of git to pick a commit of another branch, and which there are to choose from. */
import { kOwnIdentity } from './commitPlan';
import { textOf } from './outputText';
import { mayMean } from './refs';

export interface PickableCommit {
  oid: string;
  author: string;
  subject: string;
  /** In milliseconds since 1970. */
  time: number;
}

/** As many as a person looks through; an older one is named by its id. */
const kMostListed = 1000;

/** The latest that are on some branch or tag and not in HEAD. A merge is no choice: it has a change for each parent. */
export function pickableArguments({ hasHead }: { hasHead: boolean }): string[] {
  return [
    'log',
    '-z',
    '--no-show-signature',
    '--encoding=UTF-8',
    '--no-merges',
    `--max-count=${kMostListed}`,
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

/** `mainline`: what a merge brought to its first parent. */
export function cherryPickArguments(revision: string, { mainline = false } = {}): string[] {
  return [...kOwnIdentity, 'cherry-pick', ...(mainline ? ['--mainline', '1'] : []), revision];
}

/**
 * What Enter on a commit of the list means: an editor that has not filtered yet tells of one that does not fit what is
 * typed. Then a hash is meant, where it can be one; else undefined: nothing yet.
 */
export function meantRevision(typed: string, { oid, author, subject }: PickableCommit): string | undefined {
  if (mayMean(typed, `${subject} ${oid} ${author}`)) return oid;
  return /^\s*[0-9a-f]{4,64}\s*$/i.test(typed) ? typed.trim() : undefined;
}

/** A revision as it was typed; undefined where there is none, or git would take it for an option. */
export function typedRevision(typed: string): string | undefined {
  const revision = typed.trim();
  return revision === '' || revision.startsWith('-') ? undefined : revision;
}
