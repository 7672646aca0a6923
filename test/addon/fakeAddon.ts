/**
 * The addon with a fake service, for faults and timing that a real worktree does not produce on demand. The
 * scripts of the fake: native/src/napi/testing/fake_resident.h.
 */
import { execFileSync, spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import type * as Native from '../../extension/helper/native';

export type Addon = typeof Native;

const projectRoot = resolve(__dirname, '../..');
let built: string | undefined;

/** RESIDENT_FAKE_ADDON, or the current release build's. */
export function fakeAddonPath(): string {
  built ??= process.env.RESIDENT_FAKE_ADDON ?? buildFakeAddon();
  return built;
}

function buildFakeAddon(): string {
  const build = [join(projectRoot, '.dev/build.mjs'), 'resident_git_addon_fake'];
  execFileSync(process.execPath, build, { stdio: ['ignore', 'ignore', 'inherit'] });
  return join(projectRoot, 'native/build/release/src/napi/resident_git_fake.node');
}

export function loadFakeAddon(): Addon {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- what a .node file needs
  return require(fakeAddonPath()) as Addon;
}

/** A worktree of the fake, and its deltas. */
export class FakeWorktree {
  readonly deltas: Native.Delta[] = [];
  readonly goneMessages: string[] = [];
  private readonly arrivals: (() => void)[] = [];
  private opened: Native.Worktree | undefined;

  static async open(addon: Addon, path = '/fake'): Promise<FakeWorktree> {
    const fake = new FakeWorktree();
    fake.opened = await addon.openWorktree(
      path,
      { trusted: true },
      () => {
        fake.takeAll();
      },
      (message) => {
        fake.goneMessages.push(message);
        fake.arrived();
      },
    );
    return fake;
  }

  get native(): Native.Worktree {
    if (!this.opened) throw new Error('not open');
    return this.opened;
  }

  /** Runs a script of the fake. */
  async run(...lines: string[]): Promise<void> {
    await this.native.content(lines.join('\n'), 'HEAD');
  }

  /** Resolves once `condition` holds; checked at each arrival. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise<void>((resolve) => this.arrivals.push(resolve));
  }

  get entries(): Native.Delta['upserted'] {
    return this.deltas.flatMap((delta) => delta.upserted);
  }

  private takeAll(): void {
    for (let delta; (delta = this.native.takeDelta());) this.deltas.push(delta);
    this.arrived();
  }

  private arrived(): void {
    for (const wake of this.arrivals.splice(0)) wake();
  }
}

export interface ProgramResult {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

/** Far more than a busy machine needs, and less than a test's own limit. */
const kHangsMs = 100_000;

/**
 * Runs JavaScript in a separate process. `addon` is the fake addon, and `open(path)` a shortcut. The code may
 * use `await`.
 */
export function runProgram(code: string, env: NodeJS.ProcessEnv = {}): Promise<ProgramResult> {
  const program = `
    const addon = require(${JSON.stringify(fakeAddonPath())});
    const open = (path = '/fake', onDeltas = () => {}, onGone = () => {}) =>
      addon.openWorktree(path, { trusted: true }, onDeltas, onGone);
    const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
    (async () => { ${code} })();`;
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, ['--expose-gc', '-e', program], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...env },
    });
    const timer = setTimeout(() => child.kill('SIGKILL'), kHangsMs);
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.on('error', fail);
    child.on('close', (exitCode, signal) => {
      clearTimeout(timer);
      done({ code: exitCode, signal, stdout: stdout.trim(), stderr: stderr.trim() });
    });
  });
}
