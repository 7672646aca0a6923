/**
 * A writer process of the soak: runs random operations from `run` until `pause`. An operation fails without
 * harm if another writer removed its files.
 */
import { appendFileSync, writeFileSync } from 'node:fs';
import { Prng } from '../conformance/random/prng';
import { World } from '../conformance/random/world';
import { GitError, Repository } from '../support/repository';
import { Sandbox } from '../support/sandbox';
import { operations } from './operations';

export interface WriterStart {
  sandbox: string;
  worktree: string;
  log: string;
  seed: number;
  number: number;
}
export type WriterOrder = { kind: 'start'; start: WriterStart } | { kind: 'run' | 'pause' | 'forget' };
/** Counts since the last report. */
export interface WriterReport {
  done: number;
  /** Operations that failed because of another writer. */
  cutShort: number;
}

let start: WriterStart | undefined;
let repo: Repository | undefined;
let number = 0;
let isRunning = false;
let report: WriterReport = { done: 0, cutShort: 0 };

function isBadLuck(error: unknown): boolean {
  if (error instanceof GitError) return true;
  // Errors of the file system, or of a program in the sandbox.
  return error instanceof Error && ('syscall' in error || /: exit code \d+/.test(error.message));
}

function operate({ seed, log, number: writer }: WriterStart, on: Repository): void {
  const world = new World(on, new Prng(seed, writer * 1_000_003 + number++));
  const { name, run } = world.prng.weighted(operations);
  let end = '';
  try {
    if (run(world) !== false) report.done++;
  } catch (error) {
    if (!isBadLuck(error)) throw error;
    report.cutShort++;
    end = '# cut short\n';
  }
  const lines = on.sandbox.script.splice(0).map((line) => `${line}\n`);
  appendFileSync(log, `# ${new Date().toISOString()} ${number}: ${name}\n${lines.join('')}${end}`);
}

function turn(): void {
  if (!isRunning || start === undefined || repo === undefined) return;
  operate(start, repo);
  // Lets orders arrive.
  setImmediate(turn);
}

// The parent is gone: nobody can pause it any more.
process.once('disconnect', () => process.exit());

process.on('message', (order: WriterOrder) => {
  switch (order.kind) {
    case 'start':
      start = order.start;
      repo = new Repository(new Sandbox(undefined, start.sandbox), start.worktree);
      break;
    case 'run':
      isRunning = true;
      turn();
      break;
    case 'pause':
      // Messages arrive between operations: none is running.
      isRunning = false;
      process.send?.(report);
      report = { done: 0, cutShort: 0 };
      break;
    case 'forget':
      if (start !== undefined) writeFileSync(start.log, '');
      break;
  }
});
