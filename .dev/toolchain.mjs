/**
 * The toolchain of packages. It compiles for the C library that VS Code itself requires, for musl, and for
 * other processors, whatever this machine has. PyPI supplies `zig c++` (clang with the interface of every
 * glibc). Debian supplies the static libraries. Both are in $XDG_CACHE_HOME/resident-git/toolchain (default
 * ~/.cache), and can be removed at any time.
 */
import fs from 'node:fs';
import path from 'node:path';
import { DebianPackages, inCache } from './debian.mjs';
import { Failure, inRoot, output, run, say } from './shell.mjs';

/**
 * Newest allowed glibc, as for VS Code's desktop and remote server:
 * https://aka.ms/vscode-remote/faq/old-linux.
 */
export const kNewestGlibc = '2.28';

const kX64 = { processor: 'x86_64', debian: 'amd64', machine: 'Advanced Micro Devices X86-64' };
const kArm64 = { processor: 'aarch64', debian: 'arm64', machine: 'AArch64' };

/** VS Code's platform name -> CMake's, Debian's and readelf's names of its processor, and its C library. */
export const kTargets = {
  'linux-x64': { ...kX64, libc: 'glibc' },
  'linux-arm64': { ...kArm64, libc: 'glibc' },
  'alpine-x64': { ...kX64, libc: 'musl' },
  'alpine-arm64': { ...kArm64, libc: 'musl' },
};

const kRequirements = inRoot('.dev', 'zig-requirements.txt');
/** The oldest release with the needed packages: its compiler output requires the least. */
const kRelease = 'bookworm';
const kLibraries = ['libdeflate-dev', 'libssl-dev', 'libxxhash-dev'];

const inToolchain = (...parts) => inCache('toolchain', ...parts);

/**
 * Makes `folder` with `make`, unless it exists. `make` gets a temporary name; a rename makes the folder
 * complete.
 */
export function once(folder, make) {
  if (fs.existsSync(folder)) return;
  const young = `${folder}.${process.pid}`;
  fs.rmSync(young, { recursive: true, force: true });
  fs.mkdirSync(young, { recursive: true });
  make(young);
  try {
    fs.renameSync(young, folder);
  } catch (error) {
    // Another process made it first.
    fs.rmSync(young, { recursive: true, force: true });
    if (!fs.existsSync(folder)) throw error;
  }
}

/** Path of the compiler. */
function zig() {
  const version = /^ziglang==(\S+)/m.exec(fs.readFileSync(kRequirements, 'utf8'))[1];
  const folder = inToolchain(`zig-${version}`);
  once(folder, (young) => {
    say(`toolchain: fetching zig ${version} from PyPI`);
    const quiet = ['--quiet', '--disable-pip-version-check', '--root-user-action=ignore'];
    const exact = ['--no-deps', '--only-binary=:all:', '--require-hashes', '-r', kRequirements];
    const words = ['-m', 'pip', 'install', ...quiet, ...exact, '--target', young];
    run('python3', words, { explain: `pip install ziglang ${version}` });
  });
  const program = path.join(folder, 'ziglang', 'zig');
  if (output(program, ['version']) === undefined) throw new Failure(`${program} does not run`);
  return program;
}

/** Unpacks Debian packages of an architecture; returns the folder. */
export function debianFolder(name, packages, architecture, release = kRelease) {
  const folder = inToolchain(`${name}-${architecture}-${release}`);
  once(folder, (young) => {
    say(`toolchain: fetching ${packages.join(', ')} of Debian ${release}, ${architecture}`);
    const lists = { types: 'deb', suites: [release], architectures: [architecture] };
    const debian = new DebianPackages(inToolchain('apt', `${release}-${architecture}`), lists);
    if (!debian.update()) throw new Failure(`no package lists of Debian ${release} for ${architecture}`);
    const names = packages.map((each) => `${each}:${architecture}`);
    const debs = path.join(young, 'debs');
    fs.mkdirSync(debs);
    debian.get(['download', ...names], { cwd: debs, explain: `the download of ${names.join(', ')}` });
    for (const file of fs.readdirSync(debs)) {
      run('dpkg-deb', ['-x', path.join(debs, file), young], { explain: `unpacking ${file}` });
    }
    fs.rmSync(debs, { recursive: true });
  });
  return folder;
}

/** The compiler of every system that zig knows, and the folders with the headers of the libraries. */
export function portCompiler() {
  const include = path.join(debianFolder('libraries', kLibraries, kX64.debian), 'usr/include');
  return { program: zig(), includes: [include, path.join(include, `${kX64.processor}-linux-gnu`)] };
}

/** CMake's arguments to compile for a target. */
export function cmakeArguments(target) {
  const { processor, debian, libc } = kTargets[target];
  const program = zig();
  // The used parts of these libraries need nothing that musl lacks.
  const libraries = debianFolder('libraries', kLibraries, debian);
  const triplet = `${processor}-linux-gnu`;
  const compiledFor = libc === 'musl' ? `${processor}-linux-musl` : `${triplet}.${kNewestGlibc}`;
  const tools = inToolchain(`${target}-tools`);
  fs.mkdirSync(tools, { recursive: true });
  const tool = (name, words) => {
    const file = path.join(tools, name);
    const text = `#!/bin/sh\nexec '${program}' ${words} "$@"\n`;
    if (!fs.existsSync(file) || fs.readFileSync(file, 'utf8') !== text) {
      fs.writeFileSync(file, text, { mode: 0o755 });
    }
    return file;
  };
  const include = path.join(libraries, 'usr/include');
  const library = (name) => path.join(libraries, 'usr/lib', triplet, name);
  const settings = {
    CMAKE_SYSTEM_NAME: 'Linux',
    CMAKE_SYSTEM_PROCESSOR: processor,
    // ccache distinguishes the compilers by these names.
    CMAKE_C_COMPILER: tool('clang', `cc -target ${compiledFor}`),
    CMAKE_CXX_COMPILER: tool('clang++', `c++ -target ${compiledFor}`),
    CMAKE_AR: tool('ar', 'ar'),
    CMAKE_RANLIB: tool('ranlib', 'ranlib'),
    LIBDEFLATE_INCLUDE_DIR: include,
    LIBDEFLATE_LIBRARY: library('libdeflate.a'),
    CRYPTO_INCLUDE_DIR: `${include};${path.join(include, triplet)}`,
    CRYPTO_LIBRARY: library('libcrypto.a'),
  };
  return Object.entries(settings).map(([name, value]) => `-D${name}=${value}`);
}
