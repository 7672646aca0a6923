/** `git-resident serve` as a child process. */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';

const readyTimeoutMs = 60_000;
const endTimeoutMs = 20_000;

export class ServerError extends Error {}

export class ResidentServer {
  private constructor(
    private readonly child: ChildProcess,
    private readonly logPath: string,
  ) {}

  /**
   * Resolves when the server has printed its line and can answer. Its stderr goes to `logPath`. `launcher`:
   * prefix of the command line, whose program becomes the server.
   */
  static async start(
    binary: string,
    worktree: string,
    options: { env: NodeJS.ProcessEnv; cwd: string; logPath: string; launcher?: readonly string[] },
  ): Promise<ResidentServer> {
    const log = openSync(options.logPath, 'a');
    const [program, ...args] = [...(options.launcher ?? []), binary, 'serve', worktree];
    const child = spawn(program, args, {
      env: options.env,
      cwd: options.cwd,
      stdio: ['ignore', 'pipe', log],
    });
    closeSync(log);
    // A process that the server left behind may keep the pipe open.
    child.once('exit', () => child.stdout?.destroy());
    const server = new ResidentServer(child, options.logPath);
    try {
      await server.ready();
    } catch (error) {
      child.kill('SIGKILL');
      throw error;
    }
    return server;
  }

  private ready(): Promise<void> {
    const { child } = this;
    return new Promise<void>((resolve, reject) => {
      let said = '';
      const settle = (problem?: string): void => {
        clearTimeout(timer);
        child.off('error', onError).off('exit', onClose);
        child.stdout?.off('data', onData).resume();
        if (problem === undefined) resolve();
        else reject(this.failure(problem));
      };
      const onError = (error: Error): void => settle(error.message);
      const onClose = (code: number | null, signal: string | null): void => {
        settle(`ended with ${signal ?? `exit code ${code}`} before it was ready`);
      };
      const onData = (chunk: Buffer): void => {
        said += chunk.toString('latin1');
        if (said.includes('\n')) settle();
      };
      const timer = setTimeout(
        () => settle(`did not print its line within ${readyTimeoutMs} ms`),
        readyTimeoutMs,
      );
      child.on('error', onError).on('exit', onClose);
      child.stdout?.on('data', onData);
    });
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  get running(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** The server's stderr. */
  get log(): string {
    return readFileSync(this.logPath, 'utf8');
  }

  /** Asks the server to end. Fails on an unclean end, or if it ended before. */
  async stop(): Promise<void> {
    // Events from the time of a blocking call arrive only after a turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    if (!this.running) throw this.failure('had ended by itself');
    const ended = new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        this.child.kill('SIGKILL');
        reject(this.failure(`did not end within ${endTimeoutMs} ms of SIGTERM`));
      }, endTimeoutMs);
      this.child.once('exit', (code, signal) => {
        clearTimeout(timer);
        if (code === 0) resolve();
        else reject(this.failure(`answered SIGTERM with ${signal ?? `exit code ${code}`}`));
      });
    });
    this.child.kill('SIGTERM');
    await ended;
  }

  /** Kills the server: for a test that has already failed. */
  kill(): void {
    if (this.running) this.child.kill('SIGKILL');
  }

  /** Kills the server and waits for its end. */
  async killed(): Promise<void> {
    if (!this.running) return;
    const ended = new Promise<void>((resolve) => this.child.once('exit', () => resolve()));
    this.child.kill('SIGKILL');
    await ended;
  }

  private failure(what: string): ServerError {
    const how =
      this.child.signalCode ?? (this.child.exitCode === null ? '' : `exit code ${this.child.exitCode}`);
    const end = how ? ` [${how}]` : '';
    return new ServerError(`the server (pid ${this.pid}) ${what}${end}\n${this.log}`);
  }
}
