/** Branches, remote branches and tags, as `git for-each-ref` lists them, and the search among them. */
import { textOf } from '../../git/outputText';

export type RefKind = 'head' | 'remote' | 'tag';

export interface Ref {
  kind: RefKind;
  /** "refs/heads/main". */
  full: string;
  /** "main", "origin/main". */
  name: string;
  oid: string;
  /** Fields of the last commit, for `refDetails`; '': unknown. */
  details: string;
}

export interface RefDetails {
  /** Seconds since 1970. */
  date: number;
  author: string;
  subject: string;
}

export type RefOrder = 'committerdate' | 'alphabetically';

const kPrefixes: readonly (readonly [RefKind, string])[] = [
  ['head', 'refs/heads/'],
  ['remote', 'refs/remotes/'],
  ['tag', 'refs/tags/'],
];

const kFields = '%(refname)%00%(objectname)%00%(symref)';
/** For a tag with a message: the date and the name of its tagger. */
const kDetailFields = '%(creatordate:unix)%00%(authorname)%(taggername)%00%(subject)';
const kAll = kPrefixes.map(([, prefix]) => prefix);

/** Sorted by name. git reads no commits for this list. */
export const kListRefs: readonly string[] = ['for-each-ref', `--format=${kFields}`, ...kAll];

/** The same list with details. git reads each commit, and fails if a commit is missing. */
export function listDetailedRefs(order: RefOrder): string[] {
  const sort = order === 'committerdate' ? ['--sort=-creatordate'] : [];
  return ['for-each-ref', ...sort, `--format=${kFields}%00${kDetailFields}`, ...kAll];
}

/**
 * Returns branches, then remote branches, then tags, each in git's order. Leaves out symbolic refs ("origin/HEAD")
 * and names that are not UTF-8. A user waits for the result: the parser makes no array for each of 50,000 lines.
 */
export function parseRefs(output: Uint8Array): Ref[] {
  const text = textOf(output);
  const refs: Record<RefKind, Ref[]> = { head: [], remote: [], tag: [] };
  for (let at = 0, end = text.indexOf('\n'); end >= 0; at = end + 1, end = text.indexOf('\n', at)) {
    const afterName = text.indexOf('\0', at);
    const afterOid = text.indexOf('\0', afterName + 1);
    const isWhole = at < afterName && afterName < afterOid && afterOid < end;
    const afterSymref = endOfField(text, afterOid + 1, end);
    const leadsToAnother = afterOid + 1 < afterSymref;
    if (!isWhole || leadsToAnother) continue;
    const prefix = kPrefixes.find(([, each]) => text.startsWith(each, at));
    const full = text.slice(at, afterName);
    if (prefix === undefined || full.includes('\ufffd')) continue;
    const [kind, { length }] = prefix;
    const oid = text.slice(afterName + 1, afterOid);
    refs[kind].push({ kind, full, name: full.slice(length), oid, details: text.slice(afterSymref + 1, end) });
  }
  return [...refs.head, ...refs.remote, ...refs.tag];
}

function endOfField(text: string, at: number, end: number): number {
  const found = text.indexOf('\0', at);
  return found < 0 || found > end ? end : found;
}

/** Undefined: the commit is unknown. */
export function refDetails({ details }: Ref): RefDetails | undefined {
  const [date = '', author = '', subject = ''] = details.split('\0');
  return date === '' ? undefined : { date: Number(date), author, subject };
}

/** Lists the upstream of each branch, by their full names. */
export const kListUpstreams: readonly string[] = [
  'for-each-ref',
  '--format=%(refname)%00%(upstream)',
  'refs/heads/',
];

/**
 * The name of the branch that has this upstream. If several have it, prefers the branch with the upstream's own name.
 * Undefined: none.
 */
export function findTracking(output: Uint8Array, upstream: string): string | undefined {
  const names = textOf(output)
    .split('\n')
    .filter((each) => each.endsWith(`\0${upstream}`))
    .map((line) => line.slice('refs/heads/'.length, line.indexOf('\0')));
  return names.find((name) => upstream.endsWith(`/${name}`)) ?? names[0];
}

export interface Found {
  refs: Ref[];
  /** Number of all matches, shown or not. */
  total: number;
}

/** Finds refs by typed text. Called again with each letter. */
export class RefSearch {
  private readonly lower: readonly string[];

  constructor(
    readonly refs: readonly Ref[],
    private readonly limit: number,
  ) {
    this.lower = refs.map(({ name }) => name.toLowerCase());
  }

  /**
   * The refs whose names contain every word. Exact names come first, then names that begin with the first word. Names
   * with a part that begins with it follow, and then all others. Refs of equal rank keep their order.
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
 * True if a person who typed this may have chosen that name: the name contains all words, or all letters in their
 * order. The editor and `RefSearch` require at least the letters in order.
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

/**
 * The shortest name that git resolves to this ref, and not to another ref or an option. Messages of merges contain
 * it.
 */
export function revisionOf({ kind, name }: Ref, refs: readonly Ref[]): string {
  const isShared = refs.some((other) => other.name === name && other.kind !== kind);
  return isShared || name.startsWith('-')
    ? `${{ head: 'heads', remote: 'remotes', tag: 'tags' }[kind]}/${name}`
    : name;
}
