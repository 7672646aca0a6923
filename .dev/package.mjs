/**
 * Makes the package that a user installs: resident-git-linux-x64-<version>.vsix, built from what is here now,
 * and checks what is in it.
 *
 *     npm run package
 */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from './build.mjs';
import { checkPackage } from './check-package.mjs';
import { main, npmBinary, root, run, say, vsixPath } from './shell.mjs';

/** Packs dist/ as it stands; `.vscodeignore` says what goes in. */
export function packageExtension(vsix) {
  const args = ['package', '--target', 'linux-x64', '--no-dependencies', '--out', vsix];
  args.push('--allow-missing-repository', '--no-rewrite-relative-links', '--skip-license');
  run(npmBinary('vsce'), args, { explain: 'vsce package' });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await main(async () => {
    await build();
    packageExtension(vsixPath());
    checkPackage(vsixPath());
    say(`package: ${path.relative(root, vsixPath())}`);
  });
}
