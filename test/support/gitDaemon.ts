/** git's own server of the protocol `git://`, on 127.0.0.1: everybody may fetch, nobody may push. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { freePort } from './freePort';
import type { Sandbox } from './sandbox';

export class GitDaemon {
  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
  ) {}

  /** Serves all bare repositories below the sandbox's root. */
  static async start(sandbox: Sandbox): Promise<GitDaemon> {
    const port = await freePort();
    const options = ['--listen=127.0.0.1', `--port=${port}`, `--base-path=${sandbox.root}`, '--export-all'];
    // Reports on standard error when it is ready. It gets a process group, because `git` starts another
    // program.
    const child = spawn('git', ['daemon', '--verbose', '--informative-errors', ...options], {
      env: sandbox.env,
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: true,
    });
    await new Promise<void>((resolve, reject) => {
      child.once('exit', (code) => reject(new Error(`git daemon ended: ${code}`)));
      child.stderr.on('data', (chunk: Buffer) => {
        if (chunk.toString().includes('Ready to rumble')) resolve();
      });
    });
    return new GitDaemon(child, `git://127.0.0.1:${port}`);
  }

  async stop(): Promise<void> {
    const { child } = this;
    if (child.pid === undefined || child.exitCode !== null) return;
    const end = once(child, 'exit');
    process.kill(-child.pid, 'SIGTERM');
    await end;
  }
}
