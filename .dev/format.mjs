/**
 * Formats the sources that git tracks, or is about to track: C++ by clang-format, the rest by prettier.
 *
 *     npm run format [-- --check]
 *
 * --check changes nothing and fails where something would change.
 */
import fs from 'node:fs';
import { inRoot, main, npmBinary, output, run, Failure } from './shell.mjs';

function sources(...patterns) {
  const list = output('git', [
    'ls-files',
    '-z',
    '--cached',
    '--others',
    '--exclude-standard',
    '--',
    ...patterns,
  ]);
  if (list === undefined) throw new Failure('git ls-files failed: not a clone');
  return list.split('\0').filter((path) => path !== '' && fs.existsSync(inRoot(path)));
}

await main(() => {
  const check = process.argv.includes('--check');
  const native = sources('native/*.cc', 'native/*.h');
  run('clang-format', [...(check ? ['--dry-run', '-Werror'] : ['-i']), ...native], {
    explain: 'clang-format',
  });
  run(npmBinary('prettier'), [check ? '--check' : '--write', '--log-level', 'warn', '.'], {
    explain: 'prettier',
  });
});
