/**
 * Builds dist/: the CLI (dist/bin/git-resident), the addon (dist/resident_git.node), the bundles
 * (dist/extension.js, dist/helper.js, dist/prompt.js) and git's prompt script (dist/git-prompt.sh).
 *
 *     node .dev/build.mjs [cli] [addon] [bundles] [bench]
 *
 * Without arguments: everything except the bench programs, which stay in the build directory. Fast if nothing
 * changed.
 */
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeNotices } from './notices.mjs';
import { Failure, inRoot, kTold, main, root, run, say } from './shell.mjs';
import { cmakeArguments } from './toolchain.mjs';

const kNative = inRoot('native');
const kBuildDir = inRoot('native', 'build', 'release');
// Ninja must not run twice in one build directory.
const kLock = inRoot('native', 'build', 'release.lock');

/** Shipped files of the native build: the folder of the sources, CMake's output, the place in dist/. */
const kBinaries = {
  cli: { source: 'native/src/cli', built: 'src/cli/git-resident', shipped: 'dist/bin/git-resident' },
  addon: {
    source: 'native/src/napi',
    built: 'src/napi/resident_git.node',
    shipped: 'dist/resident_git.node',
  },
};

const kBundles = [
  { source: 'extension/extension.ts', shipped: 'dist/extension.js', external: ['vscode'] },
  { source: 'extension/helper/main.ts', shipped: 'dist/helper.js', external: [] },
  { source: 'extension/git/prompts/main.ts', shipped: 'dist/prompt.js', external: [] },
];
/** git's askpass script, which runs the prompt bundle. */
const kPromptScript = { source: 'extension/git/prompts/git-prompt.sh', shipped: 'dist/git-prompt.sh' };

function requireSources(paths) {
  const missing = paths.filter((source) => !fs.existsSync(inRoot(source)));
  if (missing.length > 0) throw new Failure(`cannot build; missing tools: ${missing.join(', ')}`);
}

/** Headers of Node-API and of its C++ wrapper, from npm: an addon needs no Node source tree. */
function nodeApiIncludeDirs() {
  const require = createRequire(inRoot('package.json'));
  try {
    const headers = require('node-api-headers').include_dir;
    return [headers, path.dirname(require.resolve('node-addon-api/napi.h'))].join(';');
  } catch (error) {
    throw new Failure(`npm packages are missing; run "npm ci" first (${error.message.split('\n')[0]})`);
  }
}

/** Configures the preset unless that was done already with the same arguments. */
export function configureNative(preset, args = []) {
  const buildDir = inRoot('native', 'build', preset);
  const stamp = path.join(buildDir, 'configured.txt');
  const wanted = [...args, fs.readFileSync(path.join(kNative, 'CMakePresets.json'), 'utf8')].join('\n');
  const isConfigured =
    fs.existsSync(path.join(buildDir, 'build.ninja')) &&
    fs.existsSync(stamp) &&
    fs.readFileSync(stamp, 'utf8') === wanted;
  if (isConfigured) return;
  run('cmake', ['--preset', preset, '--log-level=WARNING', ...args], { cwd: kNative, stdio: kTold });
  fs.writeFileSync(stamp, wanted);
}

/** Configures the release preset. The unit tests and the shipped files share it. */
export function configureRelease() {
  fs.mkdirSync(path.dirname(kLock), { recursive: true });
  configureNative('release', [`-DNODE_API_INCLUDE_DIRS=${nodeApiIncludeDirs()}`]);
}

/**
 * Strips `from` into `to`, unless `to` is current. Renames the result into place: a running program or a
 * loaded addon must not change under its user.
 */
function ship(from, to) {
  const built = fs.statSync(from);
  const shipped = fs.statSync(to, { throwIfNoEntry: false });
  if (shipped !== undefined && shipped.mtimeMs >= built.mtimeMs) return;
  fs.mkdirSync(path.dirname(to), { recursive: true });
  const temporary = `${to}.${process.pid}`;
  run('strip', ['--strip-unneeded', '-o', temporary, from]);
  fs.renameSync(temporary, to);
  say(`build: ${path.relative(root, to)} (${Math.round(fs.statSync(to).size / 1024)} KiB)`);
}

function buildNative(names, more = []) {
  const binaries = names.map((name) => kBinaries[name]);
  requireSources(binaries.map(({ source }) => `${source}/CMakeLists.txt`));
  configureRelease();
  const targets = [...binaries.map(({ built }) => built), ...kTestPrograms, ...more];
  const ninja = [kLock, 'cmake', '--build', kBuildDir, '--target', ...targets];
  run('flock', ninja, { explain: 'the native build' });
  for (const { built, shipped } of binaries) ship(path.join(kBuildDir, built), inRoot(shipped));
}

/**
 * Builds the shipped files for a package's platform, with the toolchain of packages. Returns the files by
 * their path in dist/.
 */
export function buildForPackage(target) {
  const buildDir = inRoot('native', 'build', target);
  fs.mkdirSync(buildDir, { recursive: true });
  configureNative(target, [...cmakeArguments(target), `-DNODE_API_INCLUDE_DIRS=${nodeApiIncludeDirs()}`]);
  const binaries = Object.values(kBinaries);
  const ninja = ['cmake', '--build', buildDir, '--target', ...binaries.map(({ built }) => built)];
  run('flock', [`${buildDir}.lock`, ...ninja], {
    stdio: kTold,
    explain: `the native build for ${target}`,
  });
  return new Map(binaries.map(({ built, shipped }) => [shipped, path.join(buildDir, built)]));
}

/**
 * Builds the native tests for a platform, with the toolchain of packages. `emulator` starts programs of that
 * platform. Returns the build directory for ctest.
 */
export function buildTestsForPackage(target, emulator) {
  const preset = `${target}-tests`;
  const buildDir = inRoot('native', 'build', preset);
  fs.mkdirSync(buildDir, { recursive: true });
  configureNative(preset, [
    ...cmakeArguments(target),
    `-DCMAKE_CROSSCOMPILING_EMULATOR=${emulator}`,
    '-DRESIDENT_GOOGLETEST=/usr/src/googletest',
  ]);
  run('flock', [`${buildDir}.lock`, 'cmake', '--build', buildDir], {
    stdio: kTold,
    explain: `the native tests for ${target}`,
  });
  return buildDir;
}

async function buildBundles() {
  requireSources(kBundles.map(({ source }) => source));
  const require = createRequire(inRoot('package.json'));
  let esbuild;
  try {
    esbuild = require('esbuild');
  } catch {
    throw new Failure('npm packages are missing; run "npm ci" first');
  }
  const metafiles = [];
  for (const { source, shipped, external } of kBundles) {
    try {
      const { metafile } = await esbuild.build({
        absWorkingDir: root,
        entryPoints: [source],
        outfile: shipped,
        bundle: true,
        platform: 'node',
        format: 'cjs',
        // VS Code 1.91, our oldest supported version, has Node 20.
        target: 'node20',
        minify: true,
        keepNames: true,
        sourcemap: 'linked',
        external: [...external, '*.node'],
        logLevel: 'warning',
        metafile: true,
      });
      metafiles.push(metafile);
    } catch (error) {
      throw new Failure(`cannot bundle ${source}: ${error.message.split('\n')[0]}`);
    }
  }
  fs.copyFileSync(inRoot(kPromptScript.source), inRoot(kPromptScript.shipped));
  fs.chmodSync(inRoot(kPromptScript.shipped), 0o755);
  writeNotices(metafiles);
}

/** Parts in dist/. */
export const kShipped = [...Object.keys(kBinaries), 'bundles'];
/** CMake targets of programs for the TypeScript tests, built with the shipped parts. */
const kTestPrograms = ['fork_server', 'git_spy', 'spawner'];
/** CMake target of the programs in native/bench. */
export const kBench = 'bench';
/** Addon with a fake service for test/addon: the CMake target and its file. */
export const kFakeAddon = 'resident_git_addon_fake';
export const kFakeAddonFile = path.join(kBuildDir, 'src', 'napi', 'resident_git_fake.node');
const kParts = [...kShipped, kBench, kFakeAddon];

/** Builds the named parts, by default everything in dist/. */
export async function build(parts = kShipped) {
  const unknown = parts.filter((part) => !kParts.includes(part));
  if (unknown.length > 0) throw new Failure(`unknown part ${unknown[0]}; known parts: ${kParts.join(', ')}`);
  const native = parts.filter((part) => part in kBinaries);
  const more = parts.filter((part) => part === kBench || part === kFakeAddon);
  if (native.length + more.length > 0) buildNative(native, more);
  if (parts.includes('bundles')) await buildBundles();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const parts = process.argv.slice(2);
  await main(async () => {
    await build(parts.length > 0 ? parts : undefined);
  });
}
