/** How a program is started so that file modes hold for it, whoever runs the tests. */

/**
 * The words before a program's own. For root: setpriv (util-linux) without the capabilities that pass over the modes
 * of files; the program stays the owner of what the tests make. For anybody else: none.
 */
export function unprivileged(): readonly string[] {
  if (process.getuid?.() !== 0) return [];
  const dropped = '-dac_override,-dac_read_search';
  return ['/usr/bin/setpriv', `--inh-caps=${dropped}`, `--bounding-set=${dropped}`, '--'];
}
