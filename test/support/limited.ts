/** Programs that have fewer watches, or fewer threads, than they want. */
import assert from 'node:assert/strict';
import { run } from './run';

/** Within a user namespace of theirs, whose limits nobody else has to bear. */
const limitOnWatches = '/proc/sys/user/max_inotify_watches';
const limitOnMarks = '/proc/sys/user/max_fanotify_marks';

/** More marks of fanotify than any test has directories. */
export const enoughMarks = 100_000;

/**
 * Words before a program's own: it and what it starts have no more watches of inotify, and marks of fanotify beside them,
 * than these together. A kernel without fanotify for everybody has no limit on it.
 */
export function limitedTo(watches: number, marks = 0): string[] {
  const onMarks = `if [ -e ${limitOnMarks} ]; then echo ${marks} >${limitOnMarks}; fi`;
  const limit = `echo ${watches} >${limitOnWatches} && ${onMarks} && exec "$@"`;
  return ['unshare', '--user', '--map-root-user', 'sh', '-c', limit, 'sh'];
}

/** Changes that of a program that was started so. */
export function limitWatchesOf(pid: number, watches: number): void {
  const enter = ['--user', '--preserve-credentials', '--target', String(pid)];
  const { code, stderr } = run('nsenter', [...enter, 'sh', '-c', `echo ${watches} >${limitOnWatches}`], {
    cwd: '/',
    env: process.env,
  });
  assert.equal(code, 0, stderr.toString('latin1'));
}

/** Nobody else's, so that no process but those of a test counts against its limit. Root has none. */
export const limitedUser = 54_321;

/** Words before a program's own: it runs as that user, who has no more processes and threads than these. */
export function limitedToThreads(threads: number): string[] {
  const become = [`--reuid=${limitedUser}`, `--regid=${limitedUser}`, '--clear-groups'];
  return ['setpriv', ...become, 'prlimit', `--nproc=${threads}`];
}
