/**
 * Support for tests of the repositories in a workspace: a helper that records its calls, and repositories on disk.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { HelperApi } from '../../../extension/model/HelperApi';
import {
  ConfigureParams,
  defaultConfiguration,
  DiscoverResult,
  OpenParams,
  OpenResult,
} from '../../../extension/protocol';

export class FakeHelper implements HelperApi {
  readonly calls: string[] = [];
  /** Configurations of `open` and of `configure`. */
  readonly opened: ConfigureParams[] = [];
  readonly configured: ConfigureParams[] = [];
  /** Called by `open` before it answers. */
  onOpen: (() => void) | undefined;
  readonly found = new Map<string, DiscoverResult>();
  readonly refused = new Map<string, Error>();

  discover({ path }: { path: string }): Promise<DiscoverResult> {
    this.calls.push(`discover ${path}`);
    const result = this.found.get(path);
    return result === undefined
      ? Promise.reject(new Error(`${path}: no such folder`))
      : Promise.resolve(result);
  }
  open({ root, trusted, configuration }: OpenParams): Promise<OpenResult> {
    this.calls.push(`open ${root}${trusted ? '' : ' untrusted'}`);
    this.onOpen?.();
    this.opened.push({ root, ...(configuration ?? defaultConfiguration) });
    const error = this.refused.get(root);
    if (error !== undefined) return Promise.reject(error);
    return Promise.resolve({ root, gitDir: `${root}/.git`, commonDir: `${root}/.git` });
  }
  close({ root }: { root: string }): Promise<void> {
    this.calls.push(`close ${root}`);
    return Promise.resolve();
  }
  rescan(): Promise<never> {
    return Promise.reject(new Error('unused'));
  }
  status(): Promise<never> {
    return Promise.reject(new Error('unused'));
  }
  ignored(): Promise<never> {
    return Promise.reject(new Error('unused'));
  }
  content(): Promise<never> {
    return Promise.reject(new Error('unused'));
  }
  explain(): Promise<never> {
    return Promise.reject(new Error('unused'));
  }
  configure(params: ConfigureParams): Promise<void> {
    this.configured.push(params);
    return Promise.resolve();
  }
}

export const kTrusted = { depth: 1, trusted: true };

/** Repositories in their own temporary folder. They contain only the files that the registry checks. */
export class RepositoriesOnDisk {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'registry-')));

  at(...names: string[]): string {
    return join(this.folder, ...names);
  }

  repositoryAt(...names: string[]): string {
    mkdirSync(this.at(...names, '.git'), { recursive: true });
    writeFileSync(this.at(...names, '.git/HEAD'), 'ref: refs/heads/main\n');
    return this.at(...names);
  }

  /** A linked worktree. `gitDir` is absolute, or relative to the worktree. */
  linkedAt(name: string, gitDir: string): string {
    mkdirSync(this.at(name));
    writeFileSync(this.at(name, '.git'), `gitdir: ${gitDir}\n`);
    mkdirSync(resolve(this.at(name), gitDir), { recursive: true });
    writeFileSync(resolve(this.at(name), gitDir, 'HEAD'), 'ref: refs/heads/main\n');
    return this.at(name);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
