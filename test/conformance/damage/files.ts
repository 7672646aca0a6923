/** The files that can be damaged. */
import * as fs from 'node:fs';
import { join } from 'node:path';
import { type Bytes, fromBuffer, toBuffer } from '../../support/bytes';
import type { Sandbox } from '../../support/sandbox';
import type { Way } from './damages';

/** Files that git never reads for a status, and files of the sandbox. */
const unread =
  /(^|\/)(hooks|home|run|bin|batch-[^/]*)(\/|$)|\.(lock|sample)$|(^|\/)(description|COMMIT_EDITMSG)$/;

/** Kinds of files by path: for statistics, and so that each kind is drawn equally often. */
const kinds: readonly (readonly [RegExp, string])[] = [
  [/(^|\/)objects\/info\/commit-graphs\/commit-graph-chain$/, 'chain of commit-graphs'],
  [/(^|\/)objects\/info\/commit-graph/, 'commit-graph'],
  [/(^|\/)objects\/info\/alternates$/, 'alternates'],
  [/(^|\/)objects\/pack\/multi-pack-index$/, 'multi-pack-index'],
  [/(^|\/)multi-pack-index-chain$/, 'chain of multi-pack-indexes'],
  [/(^|\/)multi-pack-index\.d\/.*\.midx$/, 'multi-pack-index of a chain'],
  [/(^|\/)objects\/pack\/.*\.(pack|idx|rev|bitmap)$/, 'file of packs'],
  [/(^|\/)objects\/../, 'loose object'],
  [/(^|\/)reftable\/tables\.list$/, 'list of reftables'],
  [/(^|\/)reftable\//, 'reftable'],
  [/(^|\/)logs\//, 'log'],
  [/(^|\/)refs\//, 'ref'],
  [/(^|\/)(rebase-merge|rebase-apply|sequencer)\//, 'state of an operation'],
  [/(^|\/)BISECT_/, 'state of a bisect'],
  [/(^|\/)sharedindex\./, 'shared index'],
];

export interface DamageableFile {
  /** Relative to the sandbox's root. */
  path: Bytes;
  kind: string;
}

function kindOf(path: Bytes): string {
  const known = kinds.find(([pattern]) => pattern.test(path));
  if (!known) return path.slice(path.lastIndexOf('/') + 1);
  const extension = /\.(pack|idx|rev|bitmap)$/.exec(path)?.[1];
  return extension === undefined ? known[1] : `${extension} of a pack`;
}

/**
 * Files of every git directory in the sandbox, and worktree files that lead to one or describe submodules.
 */
export function damageableFiles(sandbox: Sandbox): DamageableFile[] {
  const found: DamageableFile[] = [];
  const visit = (directory: Bytes, inGitDirectory: boolean): void => {
    const entries = fs.readdirSync(join(sandbox.root, directory), { withFileTypes: true });
    const isGitDirectory = inGitDirectory || entries.some(({ name }) => name === 'HEAD');
    for (const entry of entries.sort((left, right) => (left.name < right.name ? -1 : 1))) {
      const path = directory === '' ? entry.name : `${directory}/${entry.name}`;
      if (unread.test(path)) continue;
      const speaks = ['.git', '.gitmodules', 'gitconfig'].includes(entry.name);
      if (entry.isDirectory()) visit(path, isGitDirectory || entry.name === '.git');
      else if (entry.isFile() && (isGitDirectory || speaks)) found.push({ path, kind: kindOf(path) });
    }
  };
  visit('', false);
  return found.filter(({ path }) => !path.startsWith('origin/'));
}

export function readFile(sandbox: Sandbox, path: Bytes): Bytes {
  return fromBuffer(fs.readFileSync(sandbox.path(path)));
}

/** True if the file has another hard link, possibly in another repository. */
export function isLinked(sandbox: Sandbox, path: Bytes): boolean {
  return fs.statSync(sandbox.path(path)).nlink > 1;
}

/** Writes a file to damage or repair it, even if it is read-only. */
export function replaceFile(sandbox: Sandbox, path: Bytes, content: Bytes, way: Way): void {
  const absolute = sandbox.path(path);
  const mode = fs.statSync(absolute).mode & 0o777;
  if (way === 'in place') {
    fs.chmodSync(absolute, mode | 0o200);
    fs.writeFileSync(absolute, toBuffer(content));
    fs.chmodSync(absolute, mode);
    return;
  }
  // Not in the same directory: in some directories a file name has a meaning.
  const other = sandbox.path('damaged');
  fs.writeFileSync(other, toBuffer(content), { mode });
  fs.renameSync(other, absolute);
}
