/** The text about a line's commit, by the user's template. The variables are those of VS Code's own Git. */
import { ageText } from '../refs/age';
import { BlameCommit } from './incremental';

/** Longest subject in a text, like in VS Code's own Git. */
const kLongestSubject = 50;
/** A shortened name keeps this many characters. */
const kShortest = 8;
export const kHashLength = 7;

export interface Format {
  template: string;
  /** Limit of the text, in characters. */
  limit: number;
  language: string;
  /** In seconds since 1970. */
  now?: number;
}

/** An unknown variable stays as it is. A long text loses the end of its subject, then of its name. */
export function blameText(commit: BlameCommit, { template, limit, language, now }: Format): string {
  const values = new Map([
    ['hash', commit.hash],
    ['hashShort', commit.hash.slice(0, kHashLength)],
    ['subject', shortened(plain(commit.subject), kLongestSubject)],
    ['authorName', plain(commit.authorName)],
    ['authorEmail', plain(commit.authorEmail)],
    ['authorDate', dateText(commit.authorDate, language)],
    ['authorDateAgo', ageText(commit.authorDate, language, now)],
  ]);
  const fill = () =>
    plain(template.replace(/\$\{(\w+)\}/g, (whole, name: string) => values.get(name) ?? whole));
  for (const name of ['subject', 'authorName', 'authorEmail']) {
    const excess = lengthOf(fill()) - limit;
    if (excess <= 0) break;
    const value = values.get(name) ?? '';
    values.set(name, shortened(value, Math.max(kShortest, lengthOf(value) - excess)));
  }
  return shortened(fill(), limit);
}

export function dateText(seconds: number, language: string): string {
  const date = new Date(seconds * 1000);
  // A commit can have a date beyond those of JavaScript.
  if (Number.isNaN(date.getTime())) return '';
  return date.toLocaleString(language, { dateStyle: 'medium', timeStyle: 'short' });
}

/** The text in one line: the names in a commit can contain anything. */
export function plain(text: string): string {
  return text.replace(/[\s\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim();
}

const segmenter = new Intl.Segmenter();
const charactersOf = (text: string) => Array.from(segmenter.segment(text), ({ segment }) => segment);
const lengthOf = (text: string) => charactersOf(text).length;

function shortened(text: string, limit: number): string {
  const characters = charactersOf(text);
  if (characters.length <= limit) return text;
  const kept = characters.slice(0, Math.max(0, limit - 1)).join('');
  return `${kept.trimEnd()}…`;
}

/** The text for a status bar item, in which `$(name)` would be an icon. */
export function withoutIcons(text: string): string {
  return text.replace(/\$\([\w-]+(~\w+)?\)/g, '\\$&');
}
