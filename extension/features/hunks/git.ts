/**
 * Reads and writes the index entry of one file, to stage parts of its changes. Also computes the entry that `git add`
 * would make. The caller's `run` reports failures. Does not know `vscode`.
 *
 * The entry of `git add` comes from git itself, in a temporary index with only the file and the `.gitattributes` around
 * it. This gives the same end of lines, encoding, `$Id$` and filters as `git add`. The command `git hash-object --path`
 * would not: it reads no index, so it converts files that `git add` leaves unchanged.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { parseAttributes } from '../../git/attributes';
import { CancelledError } from '../../git/GitQueue';
import { onIndexEntries } from '../../git/pathInput';
import { GitCommand, GitResult, Run } from '../../git/runGit';
import { t } from '../../l10n';
import { isText } from '../../model/repoPath';
import { RepoPath } from '../../protocol';
import { fileAtArguments } from '../revisions/plan';

export interface IndexEntry {
  mode: string;
  oid: string;
}

/** A file's entry in the index, and the attributes files that apply to it. */
export interface InIndex {
  /** Undefined if the file is not in the index. */
  entry: IndexEntry | undefined;
  /** The `.gitattributes` files of the folders above the file. */
  attributeFiles: (IndexEntry & { path: RepoPath })[];
}

const kAttributes = '.gitattributes';
/** Options for a temporary index: git writes no other file beside it, and runs no hook. */
export const kTemporaryIndexOptions = [
  ...['-c', 'core.splitIndex=false'],
  ...['-c', 'core.fsmonitor=false'],
  ...['-c', 'core.hooksPath=/dev/null'],
] as const;

/** Rejects with a reason if no part of this file can be staged. */
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

/** The entry that `git add` would make from the file on disk. Writes the content to git's object database. */
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
      args: [...kTemporaryIndexOptions, 'update-index', '--add', ...entries, '--', path],
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

/** The file's entry in HEAD, or undefined if HEAD does not have the file. HEAD must have a commit. */
export async function inHead(run: Run, path: RepoPath): Promise<IndexEntry | undefined> {
  const [line] = lines(await needed(run, { args: fileAtArguments('HEAD', path) }));
  const [, mode, oid] = /^(\d+) blob ([0-9a-f]+)\t/.exec(line ?? '') ?? [];
  return mode === undefined || oid === undefined ? undefined : { mode, oid };
}

export async function blob(run: Run, oid: string): Promise<Buffer> {
  return needed(run, { args: ['cat-file', 'blob', oid], keepsAll: true });
}

/** The file's content as a checkout would write it at this path. */
export async function asCheckedOut(run: Run, path: RepoPath, { oid }: IndexEntry): Promise<Buffer> {
  return needed(run, { args: ['cat-file', '--filters', `--path=${path}`, oid], keepsAll: true });
}

/** Writes these bytes to the file's index entry, without conversion. */
export async function writeIndex(run: Run, path: RepoPath, mode: string, bytes: Buffer): Promise<void> {
  const args = ['hash-object', '-w', '--stdin', '--no-filters'];
  const oid = (await needed(run, { args, input: bytes })).toString('ascii').trim();
  await needed(run, onIndexEntries([{ mode, oid, path }]));
}

export async function removeFromIndex(run: Run, path: RepoPath, { oid }: IndexEntry): Promise<void> {
  await needed(run, onIndexEntries([{ mode: '0', oid: '0'.repeat(oid.length), path }]));
}

/** The attributes that decide whether git converts a file in `git add`. */
export const kConversions = ['text', 'eol', 'crlf', 'filter', 'ident', 'working-tree-encoding'] as const;

export function conversionQuestion(path: RepoPath): GitCommand {
  return { args: ['check-attr', '-z', ...kConversions, '--', path] };
}

/** True if `git add` may store different bytes. `answer`: the output of `conversionQuestion`. */
export function mayConvert(answer: Buffer, autocrlf: string, bytes: Buffer): boolean {
  const values = new Map(parseAttributes(answer).map(({ name, value }) => [name, value]));
  const isOn = (name: string) => !['unspecified', 'unset', undefined].includes(values.get(name));
  if (isOn('filter') || isOn('working-tree-encoding')) return true;
  if (isOn('ident') && bytes.includes('$Id')) return true;
  if (!bytes.includes('\r') || values.get('text') === 'unset') return false;
  return isOn('text') || isOn('eol') || isOn('crlf') || autocrlf !== 'false';
}

/** Returns the standard output. Throws `CancelledError` if git failed: that failure is already reported. */
async function needed(run: Run, command: GitCommand): Promise<Buffer> {
  const result: GitResult | undefined = await run(command);
  if (result === undefined) throw new CancelledError('git failed');
  return result.stdout;
}

function lines(output: Buffer): string[] {
  return output.toString('utf8').split('\0').slice(0, -1);
}
