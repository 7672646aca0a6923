/**
 * Platforms that packages are for and this machine is not: an older C library, another processor. What runs on them is
 * started by wrappers, which hand it to that C library's own loader, or to QEMU. Kept in $XDG_CACHE_HOME/resident-git, as
 * the toolchain is.
 *
 *     node .dev/platforms.mjs <platform>      prints the environment in which tests start that platform's programs
 */
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildForPackage } from './build.mjs';
import { inCache } from './debian.mjs';
import { setup } from './setup.mjs';
import { Failure, main, run, say } from './shell.mjs';
import { debianFolder, kTargets, once } from './toolchain.mjs';

/** Of the Node that VS Code 1.91 has. */
const kNode = '20.19.6';
/** What Node needs of the system. */
const kRuntime = ['libc6', 'libgcc-s1', 'libstdc++6'];

/** Name -> the package's target, Debian's release whose C library it is, and what starts a program with it. */
const kPlatforms = {
  // The oldest that Debian still has: glibc 2.31.
  bullseye: {
    target: 'linux-x64',
    release: 'bullseye',
    start: (folder) => {
      const folders = ['lib/x86_64-linux-gnu', 'usr/lib/x86_64-linux-gnu'].map((part) =>
        path.join(folder, part),
      );
      return [path.join(folders[0], 'ld-linux-x86-64.so.2'), '--library-path', folders.join(':')];
    },
  },
  arm64: {
    target: 'linux-arm64',
    release: 'bookworm',
    start: (folder) => ['qemu-aarch64-static', '-L', folder],
  },
};

/** Node for a target, from the npm registry. */
function nodeOf(target) {
  const folder = inCache('toolchain', `node-${kNode}-${target}`);
  once(folder, (young) => {
    say(`platforms: fetching Node ${kNode} for ${target}`);
    const words = ['pack', '--silent', '--pack-destination', young, `node-${target}@${kNode}`];
    run('npm', words, { stdio: ['ignore', 'ignore', 'inherit'], explain: `npm pack node-${target}` });
    const [file] = fs.readdirSync(young);
    run('tar', ['-xzf', file, '--strip-components=1'], { cwd: young, explain: `unpacking ${file}` });
    fs.rmSync(path.join(young, file));
  });
  return path.join(folder, 'bin', 'node');
}

/** The environment in which the tests start a platform's git-resident, Node and addon instead of this machine's. */
export function environmentOf(name) {
  if (!(name in kPlatforms)) {
    throw new Failure(`which platform is ${name}? There are: ${Object.keys(kPlatforms).join(', ')}`);
  }
  const { target, release, start } = kPlatforms[name];
  const built = buildForPackage(target);
  const folder = inCache('toolchain', `${name}-wrappers`);
  fs.mkdirSync(folder, { recursive: true });
  const runtime = debianFolder('runtime', kRuntime, kTargets[target].debian, release);
  const words = start(runtime).map((word) => `'${word}'`);
  const wrapper = (file, program) => {
    const wrapping = path.join(folder, file);
    fs.writeFileSync(wrapping, `#!/bin/sh\nexec ${words.join(' ')} '${program}' "$@"\n`, { mode: 0o755 });
    return wrapping;
  };
  return {
    RESIDENT_BINARY: wrapper('git-resident', built.get('dist/bin/git-resident')),
    RESIDENT_NODE: wrapper('node', nodeOf(target)),
    RESIDENT_ADDON: built.get('dist/resident_git.node'),
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await main(() => {
    setup({ packages: true, platforms: true });
    for (const [name, value] of Object.entries(environmentOf(process.argv[2]))) {
      process.stdout.write(`${name}=${value}\n`);
    }
  });
}
