/** Signals, with a wait for their effect. */
import { readdirSync, readFileSync } from 'node:fs';

const kSleep = new Int32Array(new SharedArrayBuffer(4));

/** SIGSTOP works after kill() returns: waits until no thread of the process runs. */
export function signalled(pid: number, signal: NodeJS.Signals): void {
  process.kill(pid, signal);
  if (signal !== 'SIGSTOP') return;
  while (!isStopped(pid)) Atomics.wait(kSleep, 0, 0, 1);
}

function isStopped(pid: number): boolean {
  const threads = `/proc/${pid}/task`;
  const state = (thread: string) => /\) (\S)/.exec(readFileSync(`${threads}/${thread}/stat`, 'latin1'))?.[1];
  try {
    return readdirSync(threads).every((thread) => 'TZX'.includes(state(thread) ?? '?'));
  } catch {
    // A thread ended meanwhile. If the whole process ended, this throws.
    process.kill(pid, 0);
    return false;
  }
}
