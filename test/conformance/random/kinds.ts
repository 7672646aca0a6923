/** Kinds of states in an answer. A kind that never occurs in a long run reveals a gap in the generator. */
import { fromBuffer } from '../../support/bytes';
import type { RunResult } from '../../support/run';
import { splitRecords } from '../records';
import { expectedQuestions } from './asking';
import { operations } from './operations/all';
import { shapeKinds } from './shape';

const letters = [
  'A.',
  'M.',
  'D.',
  'R.',
  'C.',
  'T.',
  '.M',
  '.D',
  '.T',
  '.A',
  'AM',
  'AD',
  'MM',
  'MD',
  'RM',
  'RD',
  '.R',
  '.C',
];
const conflicts = ['DD', 'AU', 'UD', 'UA', 'DU', 'AA', 'UU'];

/** Messages of the long format during an unfinished operation. */
const longStates: readonly { kind: string; says: RegExp }[] = [
  { kind: 'long: clean', says: /^nothing to commit, working tree clean$/m },
  { kind: 'long: merging', says: /^You have unmerged paths\.$/m },
  { kind: 'long: merge to be concluded', says: /^All conflicts fixed but you are still merging\.$/m },
  { kind: 'long: rebasing', says: /^You are currently (rebasing|editing|splitting)/m },
  { kind: 'long: bisecting', says: /^You are currently bisecting/m },
  {
    kind: 'long: cherry-picking',
    says: /^(You are currently cherry-picking|Cherry-pick currently in progress)/m,
  },
  { kind: 'long: reverting', says: /^(You are currently reverting|Revert currently in progress)/m },
  { kind: 'long: in an am session', says: /^You are in the middle of an am session\.$/m },
  { kind: 'long: detached', says: /^HEAD detached (at|from)/m },
  { kind: 'long: no commits', says: /^No commits yet$/m },
  { kind: 'long: diverged', says: /have diverged,$/m },
  { kind: 'long: sparse', says: /^You are in a sparse checkout/m },
  { kind: 'long: stashes', says: /^Your stash currently has/m },
  { kind: 'long: submodule comments', says: /\((new commits|modified content|untracked content)/m },
];

/** Kinds in one answer in the long format. */
export function kindsOfLong({ stdout }: RunResult): string[] {
  const said = fromBuffer(stdout);
  return longStates.filter(({ says }) => says.test(said)).map(({ kind }) => kind);
}

/** Every kind that a run of many seeds must meet. */
export const expectedKinds: readonly string[] = [
  ...letters.map((xy) => `changed ${xy}`),
  ...conflicts.map((xy) => `unmerged ${xy}`),
  'mode change',
  'inexact rename',
  'submodule clean in a changed entry',
  'submodule with new commits',
  'submodule with modified content',
  'submodule with untracked content',
  'untracked file',
  'untracked directory',
  'ignored file',
  'ignored directory',
  'odd bytes',
  'clean',
  'unborn branch',
  'detached HEAD',
  'upstream even',
  'upstream ahead',
  'upstream behind',
  'upstream gone',
  'stashes counted',
  'unmerged symlink',
  'unmerged submodule',
  'unmerged modes that differ',
  ...longStates.map(({ kind }) => kind),
  ...shapeKinds,
  ...expectedQuestions,
  ...operations.flatMap(({ name, kinds = [] }) => [`operation: ${name}`, ...kinds]),
];

function kindsOfHeader(record: string): string[] {
  if (record === '# branch.oid (initial)') return ['unborn branch'];
  if (record === '# branch.head (detached)') return ['detached HEAD'];
  if (record.startsWith('# stash ')) return ['stashes counted'];
  const counts = /^# branch\.ab \+(\d+) -(\d+)$/.exec(record);
  if (!counts) return [];
  const [ahead, behind] = [Number(counts[1]), Number(counts[2])];
  const kinds = [ahead > 0 ? 'upstream ahead' : '', behind > 0 ? 'upstream behind' : ''].filter(Boolean);
  return kinds.length > 0 ? kinds : ['upstream even'];
}

function kindsOfUnmerged(record: string): string[] {
  const [, xy = '', , ...rest] = record.split(' ');
  const modes = rest.slice(0, 3).filter((mode) => mode !== '000000');
  const kinds = [`unmerged ${xy}`];
  if (modes.includes('120000')) kinds.push('unmerged symlink');
  if (modes.includes('160000')) kinds.push('unmerged submodule');
  if (new Set(modes).size > 1) kinds.push('unmerged modes that differ');
  return kinds;
}

function kindsOfEntry(record: string): string[] {
  const [type, xy = '', submodule = '', headMode, indexMode, worktreeMode] = record.split(' ');
  if (type === 'u') return kindsOfUnmerged(record);
  const kinds = [`changed ${xy}`];
  const modes = [headMode, indexMode, worktreeMode].filter((mode) => mode?.startsWith('100'));
  if (new Set(modes).size > 1) kinds.push('mode change');
  if (type === '2' && !/ [RC]100 /.test(record)) kinds.push('inexact rename');
  if (submodule === 'S...') kinds.push('submodule clean in a changed entry');
  if (submodule[1] === 'C') kinds.push('submodule with new commits');
  if (submodule[2] === 'M') kinds.push('submodule with modified content');
  if (submodule[3] === 'U') kinds.push('submodule with untracked content');
  return kinds;
}

/** Kinds in one answer of porcelain v2 with -z and --branch. */
export function kindsOf({ stdout }: RunResult): Set<string> {
  const records = splitRecords(stdout);
  const kinds = new Set<string>();
  const headers = records.filter((record) => record.startsWith('# '));
  const has = (prefix: string): boolean => headers.some((header) => header.startsWith(prefix));
  if (has('# branch.upstream') && !has('# branch.ab')) kinds.add('upstream gone');
  if (records.length > 0 && records.length === headers.length) kinds.add('clean');
  for (const record of records) {
    const path = record.slice(2);
    if (record.startsWith('# ')) kindsOfHeader(record).forEach((kind) => kinds.add(kind));
    else if (record.startsWith('? '))
      kinds.add(path.endsWith('/') ? 'untracked directory' : 'untracked file');
    else if (record.startsWith('! ')) kinds.add(path.endsWith('/') ? 'ignored directory' : 'ignored file');
    else kindsOfEntry(record).forEach((kind) => kinds.add(kind));
    if (/[^\x20-\x7e\0]/.test(record)) kinds.add('odd bytes');
  }
  return kinds;
}
