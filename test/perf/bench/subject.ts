/** The measured worktree, and the variants of git for it. */
import assert from 'node:assert/strict';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { withoutCaches } from '../../support/oracle';
import { run } from '../../support/run';
import type { Sandbox } from '../../support/sandbox';
import type { Programs } from './programs';

export interface GitVariant {
  name: string;
  command: string[];
  env: NodeJS.ProcessEnv;
}

interface VariantPlan {
  name: string;
  settings: string[];
  indexVersion: number;
}

const variantPlans: VariantPlan[] = [
  { name: 'git, feature.manyFiles', settings: ['feature.manyFiles=true'], indexVersion: 4 },
  { name: 'git, untracked cache', settings: ['core.untrackedCache=true'], indexVersion: 2 },
];
const fsmonitorPlan: VariantPlan = {
  name: 'git, its fsmonitor',
  settings: ['core.fsmonitor=true', 'core.untrackedCache=true'],
  indexVersion: 2,
};

const statusArgs = ['status', '--porcelain'];
const mainBranch = 'refs/heads/main';
const otherBranch = 'other';

export class Subject {
  readonly name: string;
  readonly worktree: string;
  /** True: rows may change files, which are restored afterwards. Only for a generated repository. */
  readonly writable: boolean;
  readonly otherBranch = otherBranch;
  private readonly marker: string | undefined;
  private variantsMade: GitVariant[] | undefined;
  /** git ran with its own fsmonitor, which leaves a daemon. */
  private mayHaveDaemon = false;

  private constructor(
    private readonly sandbox: Sandbox,
    options: { name: string; worktree: string; folder?: string },
  ) {
    this.name = options.name;
    this.worktree = options.worktree;
    this.writable = options.folder !== undefined;
    this.marker = options.folder === undefined ? undefined : join(options.folder, 'changed');
  }

  /** Makes the repository in `cache`, unless it exists. */
  static generated(sandbox: Sandbox, programs: Programs, shape: string, cache: string): Subject {
    const folder = join(cache, shape);
    mkdirSync(cache, { recursive: true });
    programs.generate(shape, folder);
    const subject = new Subject(sandbox, { name: shape, worktree: join(folder, 'worktree'), folder });
    // A run that changed files was aborted.
    if (subject.marker !== undefined && existsSync(subject.marker)) subject.putRight();
    return subject;
  }

  static existing(sandbox: Sandbox, path: string): Subject {
    const result = run('git', ['rev-parse', '--show-toplevel'], { cwd: resolve(path), env: sandbox.env });
    if (result.code !== 0) throw new Error(`${path}: ${result.stderr.toString('utf8')}`);
    const worktree = result.stdout.toString('utf8').replace(/\n$/, '');
    if (!statSync(join(worktree, '.git')).isDirectory()) {
      throw new Error(`${worktree}: the bench wants a worktree whose .git is a directory`);
    }
    return new Subject(sandbox, { name: worktree, worktree });
  }

  get env(): NodeJS.ProcessEnv {
    return this.sandbox.env;
  }

  get indexPath(): string {
    return join(this.worktree, '.git/index');
  }

  private get configPath(): string {
    return join(this.worktree, '.git/config');
  }

  scratch(name: string): string {
    return this.sandbox.path(name);
  }

  git(args: string[], env: NodeJS.ProcessEnv = {}): string {
    const options = { cwd: this.worktree, env: { ...this.env, ...env }, timeoutMs: 30 * 60_000 };
    const result = run('git', args, options);
    assert.equal(result.code, 0, `git ${args.join(' ')}: ${result.stderr.toString('utf8')}`);
    return result.stdout.toString('utf8');
  }

  /** A copy of the index in another version. */
  indexCopy(version: number): string {
    const copy = this.scratch(`index.v${version}`);
    copyFileSync(this.indexPath, copy);
    this.git(['update-index', '--index-version', String(version), '--force-write-index'], {
      GIT_INDEX_FILE: copy,
    });
    return copy;
  }

  /** First plain git. The other variants have an index of their own with filled caches. */
  gitVariants(): GitVariant[] {
    this.variantsMade ??= [
      // git would refresh the index, which we may not write everywhere.
      { name: 'git', command: ['git', ...statusArgs], env: this.writable ? {} : { GIT_OPTIONAL_LOCKS: '0' } },
      ...[...variantPlans, ...(this.hasFsmonitor() ? [fsmonitorPlan] : [])].map((plan) =>
        this.makeVariant(plan),
      ),
    ];
    return this.variantsMade;
  }

  /** Writes settings into the repository's own config. The result removes them. Only within changing(). */
  configure(settings: readonly string[]): () => void {
    const before = readFileSync(this.configPath);
    for (const setting of settings) this.git(['config', '--local', ...setting.split('=')]);
    return () => writeFileSync(this.configPath, before);
  }

  hasFsmonitor(): boolean {
    return this.git(['version', '--build-options']).includes('fsmonitor--daemon');
  }

  /** Ends processes that git started. */
  stopGit(): void {
    if (!this.mayHaveDaemon) return;
    run('git', ['fsmonitor--daemon', 'stop'], { cwd: this.worktree, env: this.env });
    this.mayHaveDaemon = false;
  }

  private makeVariant({ name, settings, indexVersion }: VariantPlan): GitVariant {
    this.mayHaveDaemon ||= settings === fsmonitorPlan.settings;
    const index = this.scratch(`index.${name.replace(/\W+/g, '-')}`);
    copyFileSync(this.indexPath, index);
    const env = { GIT_INDEX_FILE: index };
    const config = settings.flatMap((setting) => ['-c', setting]);
    this.git(
      [...config, 'update-index', '--index-version', String(indexVersion), '--force-write-index'],
      env,
    );
    // The first run fills the untracked cache; the second uses it.
    for (let i = 0; i < 2; i += 1) this.git([...config, ...statusArgs], env);
    return { name, command: ['git', ...config, ...statusArgs], env };
  }

  /** Lets `act` change files, the index and the branch main, then restores everything. */
  async changing<T>(act: () => T | Promise<T>): Promise<T> {
    assert.ok(this.marker !== undefined, 'only a generated repository is changed');
    const commit = this.git(['rev-parse', mainBranch]);
    copyFileSync(this.configPath, configOf(this.marker));
    writeFileSync(this.marker, commit);
    try {
      return await act();
    } finally {
      this.putRight();
    }
  }

  private putRight(): void {
    if (this.marker !== undefined && existsSync(configOf(this.marker)))
      renameSync(configOf(this.marker), this.configPath);
    rmSync(`${this.indexPath}.lock`, { force: true });
    this.git(['symbolic-ref', 'HEAD', mainBranch]);
    const commit = this.marker === undefined ? '' : readFileSync(this.marker, 'utf8').trim();
    // An aborted run may have left an empty marker.
    if (commit !== '') this.git(['update-ref', mainBranch, commit]);
    this.git(['stash', 'clear']);
    this.git(['reset', '-q', '--hard']);
    this.git(['clean', '-fdq']);
    // An index that is a second newer than every file has no racily clean entries.
    const written = Math.floor(statSync(this.indexPath).mtimeMs / 1000);
    while (Math.floor(Date.now() / 1000) <= written + 1) run('sleep', ['0.1'], { cwd: '/', env: this.env });
    const asMade = ['--index-version', '2', '--force-write-index'];
    this.git([...withoutCaches, 'update-index', '-q', '--refresh', ...asMade]);
    assert.equal(this.git(statusArgs), '');
    this.variantsMade = undefined;
    if (this.marker !== undefined) rmSync(this.marker, { force: true });
  }
}

/** Backup of the config, beside the marker. */
const configOf = (marker: string) => `${marker}.config`;

/** Number of entries in the header of an index file. */
export function entryCount(indexPath: string): number {
  return readFileSync(indexPath).readUInt32BE(8);
}
