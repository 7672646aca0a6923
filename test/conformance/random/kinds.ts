/** Which kinds of state an answer shows. A kind that never occurs in a long run means a blind generator. */
import type { RunResult } from '../../support/run';
import { splitRecords } from '../records';

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
];
const conflicts = ['DD', 'AU', 'UD', 'UA', 'DU', 'AA', 'UU'];

/** Every kind that a run of many seeds has to meet. */
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
  'sha256',
  'untracked cache',
  'split index',
  'submodule',
  'sparse checkout',
];

function kindsOfHeader(record: string): string[] {
  if (record === '# branch.oid (initial)') return ['unborn branch'];
  if (record === '# branch.head (detached)') return ['detached HEAD'];
  const counts = /^# branch\.ab \+(\d+) -(\d+)$/.exec(record);
  if (!counts) return [];
  const [ahead, behind] = [Number(counts[1]), Number(counts[2])];
  const kinds = [ahead > 0 ? 'upstream ahead' : '', behind > 0 ? 'upstream behind' : ''].filter(Boolean);
  return kinds.length > 0 ? kinds : ['upstream even'];
}

function kindsOfEntry(record: string): string[] {
  const [type, xy = '', submodule = '', headMode, indexMode, worktreeMode] = record.split(' ');
  if (type === 'u') return [`unmerged ${xy}`];
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
