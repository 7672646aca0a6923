/** Context of an operation: the repository, its generator, and a view of the current files. */
import * as fs from 'node:fs';
import { relative } from 'node:path';
import { type Bytes, fromBuffer, utf8 } from '../../support/bytes';
import type { Repository } from '../../support/repository';
import type { Prng } from './prng';
import { pathsInIndex } from './indexListing';
import { directoryName, fileName } from './names';

/** Enough for every state to occur, few enough for a status of a few milliseconds. */
const pathLimit = 400;

/** A FIFO is 'other': opening it would block. */
function typeOf(entry: fs.Dirent): 'directory' | 'symlink' | 'file' | 'other' {
  if (entry.isDirectory()) return 'directory';
  if (entry.isSymbolicLink()) return 'symlink';
  return entry.isFile() ? 'file' : 'other';
}

export class World {
  /** Kinds of states that an operation reached. */
  readonly kinds = new Set<string>();
  private tracked: readonly Bytes[] | undefined;

  constructor(
    readonly repo: Repository,
    readonly prng: Prng,
    /** False: file modes apply to the questions. */
    readonly questionsHaveRights = true,
  ) {}

  /** Paths in the worktree, sorted by bytes. Excludes everything in a `.git` or a nested repository. */
  paths(kind: 'file' | 'directory' | 'symlink' | 'any'): Bytes[] {
    const found: Bytes[] = [];
    const visit = (directory: Bytes): void => {
      const options = { withFileTypes: true, encoding: 'buffer' } as const;
      const names = (fs.readdirSync(this.repo.absolute(directory), options) as unknown as fs.Dirent[])
        .map((entry) => ({ entry, name: fromBuffer(entry.name as unknown as Buffer) }))
        .sort((left, right) => (left.name < right.name ? -1 : 1));
      if (directory !== '' && names.some(({ name }) => name === '.git')) return;
      for (const { entry, name } of names) {
        if (found.length >= pathLimit) return;
        if (name === '.git') continue;
        const path = directory === '' ? name : `${directory}/${name}`;
        const is = typeOf(entry);
        if (kind === 'any' || kind === is) found.push(path);
        if (is === 'directory') visit(path);
      }
    };
    visit('');
    return found;
  }

  pick(kind: 'file' | 'directory' | 'symlink' | 'any'): Bytes | undefined {
    const paths = this.paths(kind);
    return paths.length === 0 ? undefined : this.prng.pick(paths);
  }

  /** Paths in the index at the time of the first call. */
  trackedPaths(): readonly Bytes[] {
    this.tracked ??= pathsInIndex(this.repo);
    return this.tracked;
  }

  pickTracked(): Bytes | undefined {
    const paths = this.trackedPaths().filter((path) => !path.endsWith('/'));
    return paths.length === 0 ? undefined : this.prng.pick(paths);
  }

  /** Path of a git directory's file, relative to the worktree's root; undefined if git refuses. */
  gitPath(name: string): Bytes | undefined {
    const said = this.repo.ask('rev-parse', '--git-path', name);
    const path = fromBuffer(said.stdout).slice(0, -1);
    if (said.code !== 0) return undefined;
    return path.startsWith('/') ? utf8(relative(this.repo.root, path)) : path;
  }

  /** An existing directory (often the root), as a prefix of paths. */
  directoryPrefix(): Bytes {
    const directory = this.prng.chance(40) ? undefined : this.pick('directory');
    return directory === undefined ? '' : `${directory}/`;
  }

  /** A path for a new file; it may exist. */
  newPath(): Bytes {
    const { prng } = this;
    let prefix = this.directoryPrefix();
    while (prng.chance(25) && prefix.length < 500) prefix += `${directoryName(prng)}/`;
    return prefix + fileName(prng);
  }

  /** True if a file can be created: no parent is a file. */
  creatable(path: Bytes): boolean {
    for (let slash = path.indexOf('/'); slash > 0; slash = path.indexOf('/', slash + 1)) {
      const kind = this.repo.kind(path.slice(0, slash));
      if (kind === 'none') return true;
      if (kind !== 'directory') return false;
    }
    return true;
  }
}
