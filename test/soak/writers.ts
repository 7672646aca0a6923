/** The writers behind a barrier: they start and pause together. */
import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { WriterOrder, WriterReport, WriterStart } from './writer';

const kPauseTimeoutMs = 90_000;

export class Writers {
  private readonly children: ChildProcess[];
  private failure: Error | undefined;

  constructor(starts: readonly WriterStart[]) {
    this.children = starts.map((start) => {
      const child = fork(join(__dirname, 'writer.ts'), {
        execArgv: ['--import', 'tsx'],
        stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
      });
      let said = '';
      child.stderr?.setEncoding('utf8').on('data', (text: string) => (said += text));
      child.once('exit', (code, signal) => {
        if (code === 0 || signal === 'SIGKILL') return;
        this.failure ??= new Error(
          `writer ${start.number} ended (${signal ?? `exit code ${code}`}): ${said}`,
        );
      });
      child.send({ kind: 'start', start } satisfies WriterOrder);
      return child;
    });
  }

  run(): void {
    this.order({ kind: 'run' });
  }

  /** Resolves once no writer is in an operation. */
  async pause(): Promise<WriterReport> {
    const reports = await Promise.all(this.children.map((child) => this.pauseOne(child)));
    return {
      done: reports.reduce((sum, { done }) => sum + done, 0),
      cutShort: reports.reduce((sum, { cutShort }) => sum + cutShort, 0),
    };
  }

  /** Clears the logs: all operations so far were undone. */
  forget(): void {
    this.order({ kind: 'forget' });
  }

  kill(): void {
    for (const child of this.children) child.kill('SIGKILL');
  }

  private order(order: WriterOrder): void {
    for (const child of this.children) if (child.connected) child.send(order);
  }

  private pauseOne(child: ChildProcess): Promise<WriterReport> {
    return new Promise((resolve, reject) => {
      const settle = (action: () => void): void => {
        clearTimeout(timer);
        child.off('message', onReport).off('exit', onExit);
        action();
      };
      const onReport = (report: WriterReport): void => settle(() => resolve(report));
      const onExit = (): void => settle(() => reject(this.failure ?? new Error('a writer ended')));
      const timer = setTimeout(
        () => settle(() => reject(new Error(`a writer did not pause within ${kPauseTimeoutMs} ms`))),
        kPauseTimeoutMs,
      );
      child.once('message', onReport).once('exit', onExit);
      if (!child.connected) onExit();
      else child.send({ kind: 'pause' } satisfies WriterOrder);
    });
  }
}
