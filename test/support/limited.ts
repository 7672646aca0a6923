/** Programs that have fewer watches than they want. */

/** Within a user namespace of theirs, whose limit nobody else has to bear. */
export const limitOnWatches = '/proc/sys/user/max_inotify_watches';

/** Words before a program's own: it and what it starts have no more watches than these together. */
export function limitedTo(watches: number): string[] {
  const limit = `echo ${watches} >${limitOnWatches} && exec "$@"`;
  return ['unshare', '--user', '--map-root-user', 'sh', '-c', limit, 'sh'];
}
