/**
 * Prepares a fresh machine for the build. Installs missing Debian tools and libraries, and missing or
 * outdated npm packages. Downloads nothing else, and does nothing if nothing is missing.
 *
 *     node .dev/setup.mjs [--workbench] [--storms] [--packages] [--platforms] [--fuzz] [--gits] [--clang] [--shells]
 *
 * Each option adds the needs of a job:
 * - --workbench: tests in a real workbench (a browser);
 * - --storms: a file system for these tests, and git-lfs;
 * - --packages: download of the package toolchain;
 * - --platforms: programs of another processor;
 * - --fuzz: `npm run fuzz`;
 * - --gits: builds of other gits;
 * - --clang: the check of thread annotations;
 * - --shells: shells whose prompts are tested.
 */
import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import { kNeededForDebian } from './debian.mjs';
import { Failure, inRoot, kTold, main, output, run, say, which } from './shell.mjs';

const kNodeMajor = 20;
const kCmakeMinor = 25;

/** True if g++ finds a static library and a header. */
function hasLibrary(archive, header) {
  const found = output('g++', [`-print-file-name=${archive}`])?.trim();
  if (found === undefined || !found.includes('/')) return false;
  const source = `#if !__has_include(<${header}>)\n#error missing\n#endif\n`;
  return output('g++', ['-E', '-P', '-x', 'c++', '-'], { input: source, stdio: 'pipe' }) !== undefined;
}

function hasCmake() {
  const version = /version (\d+)\.(\d+)/.exec(output('cmake', ['--version']) ?? '');
  if (version === null) return false;
  const [major, minor] = [Number(version[1]), Number(version[2])];
  return major > 3 || (major === 3 && minor >= kCmakeMinor);
}

/** Debian package -> a check for what we need from it, however it was installed. */
const kNeeded = {
  git: () => which('git') !== undefined,
  'g++': () => which('g++') !== undefined,
  cmake: hasCmake,
  'ninja-build': () => which('ninja') !== undefined,
  'libdeflate-dev': () => hasLibrary('libdeflate.a', 'libdeflate.h'),
  'libssl-dev': () => hasLibrary('libcrypto.a', 'openssl/sha.h'),
  'libxxhash-dev': () => hasLibrary('libxxhash.a', 'xxhash.h'),
  'libgtest-dev': () => hasLibrary('libgtest.a', 'gtest/gtest.h'),
  'clang-format': () => which('clang-format') !== undefined,
};
const kNeededByWorkbench = {
  // The headless variant suffices, and takes a tenth less CPU time.
  'chromium-headless-shell': () =>
    ['chromium-headless-shell', 'chromium', 'google-chrome'].some((name) => which(name) !== undefined),
  make: () => which('make') !== undefined,
  python3: () => which('python3') !== undefined,
};
const kNeededByStorms = {
  bindfs: () => which('bindfs') !== undefined,
  'fuse-overlayfs': () => which('fuse-overlayfs') !== undefined,
  'git-lfs': () => which('git-lfs') !== undefined,
};
/** libFuzzer is part of clang's run-time libraries. */
function hasFuzzer() {
  const found = output('clang++', ['-print-file-name=libclang_rt.fuzzer-x86_64.a'])?.trim();
  return found !== undefined && fs.existsSync(found);
}
const kNeededByClang = {
  clang: () => which('clang++') !== undefined,
};
const kNeededByFuzzing = {
  ...kNeededByClang,
  'libclang-rt-dev': hasFuzzer,
};

const kNeededByPackages = {
  ...kNeededForDebian,
  binutils: () => which('readelf') !== undefined,
  'python3-pip': () => output('python3', ['-m', 'pip', '--version']) !== undefined,
};

const kNeededByPlatforms = {
  'qemu-user-static': () => which('qemu-aarch64-static') !== undefined,
  googletest: () => fs.existsSync('/usr/src/googletest/CMakeLists.txt'),
};

const kNeededByGits = {
  'dpkg-dev': () => which('dpkg-source') !== undefined,
  ...kNeededForDebian,
  gcc: () => which('gcc') !== undefined,
  make: () => which('make') !== undefined,
  'xz-utils': () => which('xz') !== undefined,
  'zlib1g-dev': () => hasLibrary('libz.a', 'zlib.h'),
};

const kNeededByShells = Object.fromEntries(
  ['zsh', 'fish', 'tmux'].map((shell) => [shell, () => which(shell) !== undefined]),
);

function installDebianPackages(packages) {
  const command = `apt-get install -y --no-install-recommends ${packages.join(' ')}`;
  const isRoot = process.getuid?.() === 0;
  if (which('apt-get') === undefined) {
    throw new Failure(`missing: ${packages.join(', ')} (Debian's names). Install them and try again.`);
  }
  if (!isRoot && which('sudo') === undefined) {
    throw new Failure(`missing: ${packages.join(', ')}. As root, run:\n  apt-get update && ${command}`);
  }
  say(`setup: installing Debian packages: ${packages.join(' ')}`);
  const asRoot = isRoot ? [] : ['sudo'];
  const environment = ['env', 'DEBIAN_FRONTEND=noninteractive'];
  // sudo may ask for a password.
  const stdio = isRoot ? kTold : ['inherit', 2, 2];
  for (const step of ['apt-get update', command]) {
    const [program, ...args] = [...asRoot, ...environment, ...step.split(' ')];
    run(program, args, { stdio, explain: step });
  }
}

/** npm writes its copy of the lock file to node_modules last. */
function npmPackagesAreCurrent() {
  const installed = fs.statSync(inRoot('node_modules', '.package-lock.json'), { throwIfNoEntry: false });
  return installed !== undefined && installed.mtimeMs >= fs.statSync(inRoot('package-lock.json')).mtimeMs;
}

/** Additions of each --name. */
const kFurther = {
  workbench: kNeededByWorkbench,
  storms: kNeededByStorms,
  packages: kNeededByPackages,
  platforms: kNeededByPlatforms,
  fuzz: kNeededByFuzzing,
  gits: kNeededByGits,
  clang: kNeededByClang,
  shells: kNeededByShells,
};
const kFurtherNames = Object.keys(kFurther);

/** `asked`: true for each wanted name. */
export function setup(asked = {}) {
  if (Number(process.versions.node.split('.')[0]) < kNodeMajor) {
    throw new Failure(`Node ${kNodeMajor} or newer is required; this is Node ${process.version}`);
  }
  const further = kFurtherNames.filter((name) => asked[name]).map((name) => kFurther[name]);
  const needed = Object.assign({}, kNeeded, ...further);
  const missing = Object.keys(needed).filter((name) => !needed[name]());
  if (missing.length > 0) {
    installDebianPackages(missing);
    const still = missing.filter((name) => !needed[name]());
    if (still.length > 0) {
      throw new Failure(`missing or too old after the installation: ${still.join(', ')}`);
    }
  }
  if (!npmPackagesAreCurrent()) {
    say('setup: installing npm packages (npm ci)');
    run('npm', ['ci', '--no-audit', '--no-fund'], { stdio: kTold, explain: 'npm ci' });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await main(() => {
    setup(Object.fromEntries(kFurtherNames.map((name) => [name, process.argv.includes(`--${name}`)])));
    say('setup: complete');
  });
}
