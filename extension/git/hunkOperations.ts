/**
 * Parts of one file's changes: what the index has of it, what git would put there, and the index with other bytes. Whoever
 * runs git tells of failures. Does not know `vscode`.
 *
 * What git would put there is asked of git itself, in an index of a moment that has nothing but the file and the
 * `.gitattributes` around it: only so end of lines, encoding, `$Id$` and filters are what `git add` makes of them (`git
 * hash-object --path` knows no index, and so converts what `git add` leaves).
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { RepoPath } from '../protocol';
import { t } from '../l10n';
import { isText } from '../model/repoPath';
import { fileAtArguments } from '../model/revisionPlan';
import { parseAttributes } from './attributes';
import { Run } from './changeOperations';
import { CancelledError } from './GitQueue';
import { onIndexEntries } from './pathInput';
import { GitCommand, GitResult } from './runGit';

export interface IndexEntry {
  mode: string;
  oid: string;
}

/** What the index has of a file. */
export interface InIndex {
  /** Undefined where the file is not in the index. */
  entry: IndexEntry | undefined;
  /** Of the folders that it is in. */
  attributeFiles: (IndexEntry & { path: RepoPath })[];
}

const kAttributes = '.gitattributes';
/** No other file is written beside it, and no hook hears of it. */
export const kInIndexOfAMoment = [
  ...['-c', 'core.splitIndex=false'],
  ...['-c', 'core.fsmonitor=false'],
  ...['-c', 'core.hooksPath=/dev/null'],
] as const;

/** Rejects with a reason where there is no such file of which a part could be staged. */
export async function readIndex(run: Run, path: RepoPath): Promise<InIndex> {
  if (!isText(path)) throw new Error(t('its name is not valid UTF-8'));
  const folders = path.split('/').slice(0, -1);
  const around = [
    kAttributes,
    ...folders.map((_, i) => `${folders.slice(0, i + 1).join('/')}/${kAttributes}`),
  ];
  const args = ['--literal-pathspecs', 'ls-files', '--stage', '-z', '--', path, ...around];
  const found: InIndex = { entry: undefined, attributeFiles: [] };
  for (const line of lines(await needed(run, { args, keepsAll: true }))) {
    const [, mode = '', oid = '', stage, name = ''] = /^(\d+) ([0-9a-f]+) (\d)\t([^]*)$/.exec(line) ?? [];
    if (name === path) {
      if (stage !== '0') throw new Error(t('{0} has conflicts', path));
      requireFile(path, mode);
      found.entry = { mode, oid };
    }
    if (around.includes(name) && stage === '0') found.attributeFiles.push({ mode, oid, path: name });
  }
  return found;
}

/** What `git add` would make of the file as it is on the disk; its content is among git's objects then. */
export async function asAdded(
  run: Run,
  path: RepoPath,
  { entry, attributeFiles }: InIndex,
): Promise<IndexEntry> {
  const folder = await mkdtemp(`${tmpdir()}/resident-git-index-`);
  try {
    const index = `${folder}/index`;
    const own = entry === undefined ? [] : [{ ...entry, path }];
    const others = attributeFiles.filter((other) => other.path !== path);
    const entries = [...others, ...own].flatMap(({ mode, oid, path: name }) => [
      '--cacheinfo',
      `${mode},${oid},${name}`,
    ]);
    await needed(run, {
      args: [...kInIndexOfAMoment, 'update-index', '--add', ...entries, '--', path],
      index,
    });
    const args = ['--literal-pathspecs', 'ls-files', '--stage', '-z', '--', path];
    const [line = ''] = lines(await needed(run, { args, index }));
    const [, mode = '', oid = ''] = /^(\d+) ([0-9a-f]+) /.exec(line) ?? [];
    requireFile(path, mode);
    return { mode, oid };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function requireFile(path: RepoPath, mode: string): void {
  if (!mode.startsWith('100')) throw new Error(t('{0} is not a file', path));
}

/** What HEAD has of it; undefined where it has nothing. HEAD is there. */
export async function inHead(run: Run, path: RepoPath): Promise<IndexEntry | undefined> {
  const [line] = lines(await needed(run, { args: fileAtArguments('HEAD', path) }));
  const [, mode, oid] = /^(\d+) blob ([0-9a-f]+)\t/.exec(line ?? '') ?? [];
  return mode === undefined || oid === undefined ? undefined : { mode, oid };
}

export async function blob(run: Run, oid: string): Promise<Buffer> {
  return needed(run, { args: ['cat-file', 'blob', oid], keepsAll: true });
}

/** The file as a check-out would write it at this path. */
export async function asCheckedOut(run: Run, path: RepoPath, { oid }: IndexEntry): Promise<Buffer> {
  return needed(run, { args: ['cat-file', '--filters', `--path=${path}`, oid], keepsAll: true });
}

/** The index has these bytes of it, as they are. */
export async function writeIndex(run: Run, path: RepoPath, mode: string, bytes: Buffer): Promise<void> {
  const args = ['hash-object', '-w', '--stdin', '--no-filters'];
  const oid = (await needed(run, { args, input: bytes })).toString('ascii').trim();
  await needed(run, onIndexEntries([{ mode, oid, path }]));
}

export async function removeFromIndex(run: Run, path: RepoPath, { oid }: IndexEntry): Promise<void> {
  await needed(run, onIndexEntries([{ mode: '0', oid: '0'.repeat(oid.length), path }]));
}

/** Answers about a path that say whether git converts what it adds. */
export const kConversions = ['text', 'eol', 'crlf', 'filter', 'ident', 'working-tree-encoding'] as const;

export function conversionQuestion(path: RepoPath): GitCommand {
  return { args: ['check-attr', '-z', ...kConversions, '--', path] };
}

/** Whether git may take other bytes than these, by its answer to `conversionQuestion`. */
export function mayConvert(answer: Buffer, autocrlf: string, bytes: Buffer): boolean {
  const values = new Map(parseAttributes(answer).map(({ name, value }) => [name, value]));
  const isOn = (name: string) => !['unspecified', 'unset', undefined].includes(values.get(name));
  if (isOn('filter') || isOn('working-tree-encoding')) return true;
  if (isOn('ident') && bytes.includes('$Id')) return true;
  if (!bytes.includes('\r') || values.get('text') === 'unset') return false;
  return isOn('text') || isOn('eol') || isOn('crlf') || autocrlf !== 'false';
}

/** Its standard output. Whoever failed has told of it. */
async function needed(run: Run, command: GitCommand): Promise<Buffer> {
  const result: GitResult | undefined = await run(command);
  if (result === undefined) throw new CancelledError('git failed');
  return result.stdout;
}

function lines(output: Buffer): string[] {
  return output.toString('utf8').split('\0').slice(0, -1);
}
