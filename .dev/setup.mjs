/**
 * Brings a fresh machine to where the project builds: tools and libraries from Debian where they are
 * missing, npm packages where they are missing or older than the lock file. Downloads nothing else, and does
 * nothing where nothing is missing.
 *
 *     node .dev/setup.mjs [--workbench] [--storms] [--packages] [--platforms] [--fuzz] [--gits] [--clang] [--shells]
 *
 * --workbench adds what the tests in a real workbench need (a browser), --storms a file system for them to stand on and
 * git-lfs, --packages what fetches the toolchain of packages, --platforms what starts programs of another processor, --fuzz
 * what `npm run fuzz` needs, --gits what builds other gits, --clang what checks the thread annotations, --shells those whose
 * prompts are tested.
 */
import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import { kNeededForDebian } from './debian.mjs';
import { Failure, inRoot, kTold, main, output, run, say, which } from './shell.mjs';

const kNodeMajor = 20;
const kCmakeMinor = 25;

/** Whether g++ finds a static library and a header. */
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

/** Debian package -> whether what we want of it is there already, by whatever means it came. */
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
  // Without a window of its own it is enough, and takes a tenth less of the processor.
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
/** libFuzzer comes with clang's run-time libraries. */
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
  // sudo may have to ask for a password.
  const stdio = isRoot ? kTold : ['inherit', 2, 2];
  for (const step of ['apt-get update', command]) {
    const [program, ...args] = [...asRoot, ...environment, ...step.split(' ')];
    run(program, args, { stdio, explain: step });
  }
}

/** npm leaves its own copy of the lock in node_modules as the last thing that it writes. */
function npmPackagesAreCurrent() {
  const installed = fs.statSync(inRoot('node_modules', '.package-lock.json'), { throwIfNoEntry: false });
  return installed !== undefined && installed.mtimeMs >= fs.statSync(inRoot('package-lock.json')).mtimeMs;
}

/** What --name adds. */
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

/** `asked`: true by the name of what is wanted besides. */
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
