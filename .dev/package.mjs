/**
 * Makes the package that a user installs: resident-git-<target>-<version>.vsix, built from what is here now for the C
 * library that VS Code itself asks for, or for musl, and checks what is in it.
 *
 *     npm run package [-- --target linux-x64|linux-arm64|alpine-x64|alpine-arm64]…
 *
 * Without a target: this machine's.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, buildForPackage } from './build.mjs';
import { checkPackage } from './check-package.mjs';
import { packedReadme } from './packed-readme.mjs';
import { setup } from './setup.mjs';
import { Failure, inRoot, kThisTarget, main, npmBinary, root, run, say, vsixPath } from './shell.mjs';
import { kTargets } from './toolchain.mjs';

/** What goes in: the files and folders (`name/**`) that `.vscodeignore` takes back. */
function packed() {
  const lines = fs.readFileSync(inRoot('.vscodeignore'), 'utf8').split('\n');
  const names = lines
    .filter((line) => line.startsWith('!'))
    .map((line) => line.slice(1).replace(/\/\*\*$/, ''));
  return ['.vscodeignore', ...names];
}

/** Packs what is here. `others`: files that stand for those of the same name in dist/. */
export function packageExtension(vsix, target = kThisTarget, others = new Map()) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'resident-package-'));
  try {
    for (const name of packed()) {
      const to = path.join(folder, name);
      fs.mkdirSync(path.dirname(to), { recursive: true });
      fs.cpSync(others.get(name) ?? inRoot(name), to, { recursive: true });
    }
    const readme = packedReadme(fs.readFileSync(inRoot('README.md'), 'utf8'), (file) =>
      fs.readFileSync(inRoot(file)),
    );
    fs.writeFileSync(path.join(folder, 'README.md'), readme);
    const args = ['package', '--target', target, '--no-dependencies', '--out', vsix];
    args.push('--allow-missing-repository', '--no-rewrite-relative-links', '--skip-license');
    run(npmBinary('vsce'), args, { cwd: folder, explain: 'vsce package' });
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

function targetsOf(argv) {
  const targets = [];
  for (let i = 0; i < argv.length; i += 1) {
    const name = argv[i] === '--target' ? argv[(i += 1)] : argv[i].replace(/^--target=/, '');
    if (!(name in kTargets)) {
      throw new Failure(`unknown target ${name}; known targets: ${Object.keys(kTargets).join(', ')}`);
    }
    targets.push(name);
  }
  return targets.length > 0 ? targets : [kThisTarget];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await main(async () => {
    const targets = targetsOf(process.argv.slice(2));
    setup({ packages: true });
    await build(['bundles']);
    for (const target of targets) {
      const vsix = vsixPath(target);
      packageExtension(vsix, target, buildForPackage(target));
      checkPackage(vsix, target);
      say(`package: ${path.relative(root, vsix)}`);
    }
  });
}
