/** Programs with fewer watches or threads than they want. */
import assert from 'node:assert/strict';
import { run } from './run';

/** Limits within a user namespace of their own, which affect nobody else. */
const limitOnWatches = '/proc/sys/user/max_inotify_watches';
const limitOnMarks = '/proc/sys/user/max_fanotify_marks';

/** More fanotify marks than any test has directories. */
export const enoughMarks = 100_000;

/**
 * Prefix of a command line. The program and its children share this limit of inotify watches, and of fanotify
 * marks. A kernel without fanotify for all users has no limit of marks.
 */
export function limitedTo(watches: number, marks = 0): string[] {
  const onMarks = `if [ -e ${limitOnMarks} ]; then echo ${marks} >${limitOnMarks}; fi`;
  const limit = `echo ${watches} >${limitOnWatches} && ${onMarks} && exec "$@"`;
  return ['unshare', '--user', '--map-root-user', 'sh', '-c', limit, 'sh'];
}

/** Changes the limit of a program that was started like this. */
export function limitWatchesOf(pid: number, watches: number): void {
  const enter = ['--user', '--preserve-credentials', '--target', String(pid)];
  const { code, stderr } = run('nsenter', [...enter, 'sh', '-c', `echo ${watches} >${limitOnWatches}`], {
    cwd: '/',
    env: process.env,
  });
  assert.equal(code, 0, stderr.toString('latin1'));
}

/** A user without other processes: only a test's own count against its limit. Root has no limit. */
export const limitedUser = 54_321;

/** Prefix of a command line: runs it as that user, with this limit of processes and threads. */
export function limitedToThreads(threads: number): string[] {
  const become = [`--reuid=${limitedUser}`, `--regid=${limitedUser}`, '--clear-groups'];
  return ['setpriv', ...become, 'prlimit', `--nproc=${threads}`];
}
