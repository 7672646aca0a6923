/** Starts programs so that file modes apply to them, even if root runs the tests. */

/**
 * Prefix of a command line. For root: setpriv (util-linux) drops the capabilities that bypass file modes; the
 * program still owns the test's files. For other users: empty.
 */
export function unprivileged(): readonly string[] {
  if (process.getuid?.() !== 0) return [];
  const dropped = '-dac_override,-dac_read_search';
  return ['/usr/bin/setpriv', `--inh-caps=${dropped}`, `--bounding-set=${dropped}`, '--'];
}
