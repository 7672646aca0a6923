/** Runs tasks in worker processes; each takes the next task when it is free. */
import { type ChildProcess, fork } from 'node:child_process';

/**
 * Results in order of arrival. A worker runs `script`, which answers each message with one message. After
 * `stop` no new task starts.
 */
export async function runInWorkers<Result>(
  script: string,
  tasks: readonly object[],
  jobs: number,
  onResult: (result: Result) => void,
  stop?: AbortSignal,
): Promise<Result[]> {
  const waiting = [...tasks];
  stop?.addEventListener('abort', () => waiting.splice(0));
  const results: Result[] = [];
  const work = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const worker: ChildProcess = fork(script, { execArgv: ['--import', 'tsx'] });
      const next = (): void => {
        const task = waiting.shift();
        if (task === undefined) worker.disconnect();
        else worker.send(task);
      };
      worker.on('message', (result: Result) => {
        results.push(result);
        onResult(result);
        next();
      });
      worker.once('error', reject);
      worker.once('exit', (code, signal) => {
        if (code === 0) resolve();
        else reject(new Error(`a worker ended with ${signal ?? `exit code ${code}`}`));
      });
      next();
    });
  await Promise.all(Array.from({ length: Math.min(jobs, tasks.length) }, work));
  return results;
}
