/**
 * Branches, remote branches and tags, as one `git for-each-ref` lists them, and how a person finds one among many. Nothing
 * of what they lead to is read: a list of 50,000 is there at once.
 */
import { t } from '../l10n';
import { textOf } from './outputText';

export type RefKind = 'head' | 'remote' | 'tag';

export interface Ref {
  kind: RefKind;
  /** "refs/heads/main". */
  full: string;
  /** "main", "origin/main". */
  name: string;
  oid: string;
}

const kPrefixes: readonly (readonly [RefKind, string])[] = [
  ['head', 'refs/heads/'],
  ['remote', 'refs/remotes/'],
  ['tag', 'refs/tags/'],
];

/** A branch first, then what is elsewhere. */
export const kListRefs: readonly string[] = [
  'for-each-ref',
  '--format=%(refname)%00%(objectname)%00%(symref)',
  ...kPrefixes.map(([, prefix]) => prefix),
];

/**
 * In git's order. Without those that only lead to another ("origin/HEAD"), and those whose names are no text. Somebody waits
 * for it: 50,000 lines are walked through without an array for each.
 */
export function parseRefs(output: Uint8Array): Ref[] {
  const text = textOf(output);
  const refs: Ref[] = [];
  for (let at = 0, end = text.indexOf('\n'); end >= 0; at = end + 1, end = text.indexOf('\n', at)) {
    const afterName = text.indexOf('\0', at);
    const afterOid = text.indexOf('\0', afterName + 1);
    const isWhole = at < afterName && afterName < afterOid && afterOid < end;
    const leadsToAnother = afterOid + 1 < end;
    if (!isWhole || leadsToAnother) continue;
    const prefix = kPrefixes.find(([, each]) => text.startsWith(each, at));
    const full = text.slice(at, afterName);
    if (prefix === undefined || full.includes('\ufffd')) continue;
    const [kind, { length }] = prefix;
    refs.push({ kind, full, name: full.slice(length), oid: text.slice(afterName + 1, afterOid) });
  }
  return refs;
}

/** Which upstream each branch has, by their full names. */
export const kListUpstreams: readonly string[] = [
  'for-each-ref',
  '--format=%(refname)%00%(upstream)',
  'refs/heads/',
];

/** The name of the branch whose upstream it is, of several the one that has its name; undefined where there is none. */
export function findTracking(output: Uint8Array, upstream: string): string | undefined {
  const names = textOf(output)
    .split('\n')
    .filter((each) => each.endsWith(`\0${upstream}`))
    .map((line) => line.slice('refs/heads/'.length, line.indexOf('\0')));
  return names.find((name) => upstream.endsWith(`/${name}`)) ?? names[0];
}

export interface Found {
  refs: Ref[];
  /** How many there are, shown or not. */
  total: number;
}

/** Finds refs by what a person types; asked again with each letter. */
export class RefSearch {
  private readonly lower: readonly string[];

  constructor(
    readonly refs: readonly Ref[],
    private readonly limit: number,
  ) {
    this.lower = refs.map(({ name }) => name.toLowerCase());
  }

  /**
   * Those whose names have every word of it: first the one of that name, then those that begin so, then those of which
   * a part does; within that in the order in which they came.
   */
  find(typed: string): Found {
    const words = typed
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== '');
    const [first] = words;
    if (first === undefined) return { refs: this.refs.slice(0, this.limit), total: this.refs.length };
    const ranks: Ref[][] = [[], [], [], []];
    let total = 0;
    this.refs.forEach((ref, i) => {
      const name = this.lower[i] ?? '';
      if (!words.every((word) => name.includes(word))) return;
      total++;
      const rank = name === first ? 0 : name.startsWith(first) ? 1 : name.includes(`/${first}`) ? 2 : 3;
      if ((ranks[rank]?.length ?? 0) < this.limit) ranks[rank]?.push(ref);
    });
    return { refs: ranks.flat().slice(0, this.limit), total };
  }
}

/**
 * Whether a person who typed this may have chosen that name: its letters are in the name in their order, which is the least
 * by which the editor or `RefSearch` find it, or all its words are.
 */
export function mayMean(typed: string, name: string): boolean {
  const lower = name.toLowerCase();
  const words = typed.toLowerCase().split(/\s+/);
  if (words.every((word) => lower.includes(word))) return true;
  let at = 0;
  for (const letter of words.join('')) {
    at = lower.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

/** The shortest name by which git takes it for itself, and for no option, whatever else there is; messages of merges have it. */
export function revisionOf({ kind, name }: Ref, refs: readonly Ref[]): string {
  const isShared = refs.some((other) => other.name === name && other.kind !== kind);
  return isShared || name.startsWith('-')
    ? `${{ head: 'heads', remote: 'remotes', tag: 'tags' }[kind]}/${name}`
    : name;
}

/** A name as a person types it: without spaces. */
export function toBranchName(typed: string): string {
  return typed.trim().replace(/\s+/g, '-');
}

/** What git would refuse of a new branch's or tag's name (`git check-ref-format`); undefined where it takes it. */
export function refNameProblem(name: string): string | undefined {
  if (name === '') return t('A name is needed.');
  const bad = /[\x00-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\//.exec(name)?.[0];
  if (bad !== undefined) return t('A name cannot have {0}.', JSON.stringify(bad));
  if (/^[-/]|[/.]$/.test(name)) return t('A name cannot begin with - or /, nor end in / or a dot.');
  if (/(^|\/)\.|\.lock(\/|$)/.test(name)) return t('No part of a name can begin with a dot or end in .lock.');
  if (name === '@' || name === 'HEAD') return t('{0} is the name of something else.', name);
  return undefined;
}
