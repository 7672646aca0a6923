/**
 * A worktree in a sandbox, and the actions of a test on it. Paths are `Bytes`, relative to the worktree's
 * root. Each action is also recorded in the sandbox's script.
 */
import * as fs from 'node:fs';
import { relative } from 'node:path';
import { type Bytes, fromBuffer, isUtf8, shellFormat, shellWord, toBuffer, toText } from './bytes';
import { forceRemove } from './remove';
import { run, type RunResult } from './run';
import type { Sandbox } from './sandbox';

export class GitError extends Error {
  constructor(
    args: readonly Bytes[],
    readonly result: RunResult,
  ) {
    super(
      `git ${args.map(shellWord).join(' ')}: exit code ${result.code}\n${result.stderr.toString('latin1')}`,
    );
  }
}

/** Sets the modification time of a path, and nothing else. */
export interface Times {
  /** Seconds since 1970. */
  seconds: number;
}

/** Variables that direct git to one repository from any directory. */
const leadingVariables = ['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE'];

export class Repository {
  private readonly shown: string;

  /**
   * root: absolute path of a directory; it may be missing. isInner: the sandbox's variables lead to another
   * repository.
   */
  constructor(
    readonly sandbox: Sandbox,
    readonly root: string,
    private readonly isInner = false,
  ) {
    this.shown = relative(sandbox.root, root);
  }

  /** A new repository at `name` below the sandbox's root. */
  static init(sandbox: Sandbox, name: string, ...options: string[]): Repository {
    const repository = new Repository(sandbox, sandbox.path(name));
    fs.mkdirSync(repository.root, { recursive: true });
    sandbox.script.push(`mkdir -p ${repository.shown}`);
    repository.git('init', '-q', ...options);
    return repository;
  }

  /** Another worktree or repository below this one's root. */
  at(path: Bytes): Repository {
    return new Repository(this.sandbox, `${this.root}/${toText(path)}`, true);
  }

  /** Sandbox variables that must be unset for git here. */
  private get foreignVariables(): string[] {
    return this.isInner ? leadingVariables.filter((name) => this.sandbox.env[name] !== undefined) : [];
  }

  // Files

  absolute(path: Bytes): Buffer {
    return Buffer.concat([Buffer.from(`${this.root}/`), toBuffer(path)]);
  }

  private note(command: string): void {
    this.sandbox.script.push(command);
  }

  private word(path: Bytes): string {
    return shellWord(path === '' ? this.shown : `${this.shown}/${path}`);
  }

  private makeParent(path: Bytes): void {
    const slash = path.lastIndexOf('/');
    if (slash > 0 && !fs.existsSync(this.absolute(path.slice(0, slash)))) this.mkdir(path.slice(0, slash));
  }

  /** Creates or overwrites in place: an existing file keeps its inode. */
  write(path: Bytes, content: Bytes): void {
    this.put(path, content, fs.constants.O_TRUNC);
    this.note(`printf ${shellFormat(content)} >${this.word(path)}`);
  }

  append(path: Bytes, content: Bytes): void {
    this.put(path, content, fs.constants.O_APPEND);
    this.note(`printf ${shellFormat(content)} >>${this.word(path)}`);
  }

  private put(path: Bytes, content: Bytes, how: number): void {
    const { O_WRONLY, O_CREAT } = fs.constants;
    this.makeParent(path);
    this.withOpen(path, O_WRONLY | O_CREAT | how, (file) => fs.writeFileSync(file, toBuffer(content)));
  }

  /** Never blocks: a FIFO of another process reads as empty, and writing to it fails with ENXIO. */
  private withOpen<T>(path: Bytes, flags: number, use: (file: number) => T): T {
    const file = fs.openSync(this.absolute(path), flags | fs.constants.O_NONBLOCK);
    try {
      return use(file);
    } finally {
      fs.closeSync(file);
    }
  }

  /** Saves like an editor: a new file, renamed over the old one. */
  writeAtomically(path: Bytes, content: Bytes): void {
    this.write(`${path}.tmp~`, content);
    this.rename(`${path}.tmp~`, path);
  }

  truncate(path: Bytes, length: number): void {
    fs.truncateSync(this.absolute(path), length);
    this.note(`truncate -s ${length} ${this.word(path)}`);
  }

  read(path: Bytes): Bytes {
    return this.withOpen(path, fs.constants.O_RDONLY, (file) => fromBuffer(fs.readFileSync(file)));
  }

  chmod(path: Bytes, mode: number): void {
    fs.chmodSync(this.absolute(path), mode);
    this.note(`chmod ${mode.toString(8)} ${this.word(path)}`);
  }

  touch(path: Bytes, times: Times): void {
    fs.lutimesSync(this.absolute(path), times.seconds, times.seconds);
    this.note(`touch -h -d @${times.seconds} ${this.word(path)}`);
  }

  symlink(target: Bytes, path: Bytes): void {
    this.makeParent(path);
    fs.symlinkSync(toBuffer(target), this.absolute(path));
    this.note(`ln -s ${shellWord(target)} ${this.word(path)}`);
  }

  mkdir(path: Bytes): void {
    fs.mkdirSync(this.absolute(path), { recursive: true });
    this.note(`mkdir -p ${this.word(path)}`);
  }

  rmdir(path: Bytes): void {
    fs.rmdirSync(this.absolute(path));
    this.note(`rmdir ${this.word(path)}`);
  }

  /** Removes a file or a whole tree; a path that does not exist is an error. */
  remove(path: Bytes): void {
    if (this.kind(path) === 'directory') fs.rmSync(this.absolute(path), { recursive: true });
    else fs.unlinkSync(this.absolute(path));
    this.note(`rm -r ${this.word(path)}`);
  }

  /** Renames within the worktree; a path that starts with "../" is outside. */
  rename(from: Bytes, to: Bytes): void {
    this.makeParent(to);
    fs.renameSync(this.absolute(from), this.absolute(to));
    this.note(`mv -T ${this.word(from)} ${this.word(to)}`);
  }

  /** A second name of the same inode. */
  link(from: Bytes, to: Bytes): void {
    this.makeParent(to);
    fs.linkSync(this.absolute(from), this.absolute(to));
    this.note(`ln ${this.word(from)} ${this.word(to)}`);
  }

  kind(path: Bytes): 'file' | 'directory' | 'symlink' | 'other' | 'none' {
    const stat = this.lstat(path);
    if (!stat) return 'none';
    if (stat.isFile()) return 'file';
    if (stat.isDirectory()) return 'directory';
    return stat.isSymbolicLink() ? 'symlink' : 'other';
  }

  private lstat(path: Bytes): fs.Stats | undefined {
    try {
      return fs.lstatSync(this.absolute(path), { throwIfNoEntry: false });
    } catch (error) {
      // ENOTDIR: a parent is a file. ELOOP: a symbolic link leads to itself.
      if (['ENOTDIR', 'ELOOP'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
      throw error;
    }
  }

  exists(path: Bytes): boolean {
    return this.kind(path) !== 'none';
  }

  /** Removes the whole worktree with any content. */
  destroy(): void {
    forceRemove(this.root);
    this.note(`rm -rf ${this.word('')}`);
  }

  // git

  /** Runs git in the worktree and returns its output. Fails if git fails. */
  git(...args: Bytes[]): Bytes {
    const result = this.tryGit(...args);
    if (result.code !== 0) throw new GitError(args, result);
    return fromBuffer(result.stdout);
  }

  /** Like `git`, but a failure of git is allowed. */
  tryGit(...args: Bytes[]): RunResult {
    return this.gitWithInput(undefined, ...args);
  }

  gitWithInput(input: Bytes | undefined, ...args: Bytes[]): RunResult {
    const piped = input === undefined ? '' : `printf ${shellFormat(input)} | `;
    const foreign = this.foreignVariables;
    const program = foreign.length === 0 ? 'git' : `env ${foreign.map((name) => `-u ${name} `).join('')}git`;
    this.note(`${piped}${program} -C ${this.word('')} ${args.map(shellWord).join(' ')}`);
    return this.runGit(args, input);
  }

  /** Asks git without changing anything: not recorded in the script. */
  ask(...args: Bytes[]): RunResult {
    return this.runGit(args, undefined);
  }

  private runGit(args: readonly Bytes[], input: Bytes | undefined): RunResult {
    const env: NodeJS.ProcessEnv = { ...this.sandbox.env };
    for (const name of this.foreignVariables) env[name] = undefined;
    const options = { cwd: this.root, env };
    const buffer = input === undefined ? Buffer.alloc(0) : toBuffer(input);
    if (args.every(isUtf8)) return run('git', args.map(toText), { ...options, input: buffer });
    // Node passes arguments only as text. xargs passes any bytes, but git then gets no input.
    if (input !== undefined) throw new Error('input together with arguments that are no text');
    const words = toBuffer(args.map((arg) => `${arg}\0`).join(''));
    return run('xargs', ['-0', '-x', 'git'], { ...options, input: words });
  }

  /** Sets a variable in the repository's own config file. */
  config(name: string, value: string): void {
    this.git('config', name, value);
  }

  /** Adds everything and commits it. */
  commit(message = 'a commit'): void {
    this.git('add', '-A');
    this.git('commit', '-q', '--allow-empty', '-m', message);
  }
}
