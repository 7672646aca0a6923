/**
 * Builds dist/: the CLI (dist/bin/git-resident), the addon (dist/resident_git.node), the bundles
 * (dist/extension.js, dist/helper.js, dist/prompt.js) and what git runs to ask (dist/git-prompt.sh).
 *
 *     node .dev/build.mjs [cli] [addon] [bundles] [bench]
 *
 * Without arguments: everything but the bench's programs, which stay in the build directory. Quick where nothing
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

/** What ships of the native build: where its sources are, where CMake puts it, where it goes. */
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
/** What git runs to ask somebody; it runs the bundle. */
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

/** Configures the given preset where that was not done yet, or was done with other arguments. */
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

/** Configures the release preset, which the unit tests share with what ships. */
export function configureRelease() {
  fs.mkdirSync(path.dirname(kLock), { recursive: true });
  configureNative('release', [`-DNODE_API_INCLUDE_DIRS=${nodeApiIncludeDirs()}`]);
}

/**
 * Strips `from` into `to`, unless that is done already. By way of a rename: a program that runs, or an addon
 * that is loaded, must not change under its user.
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
 * Builds what ships for a platform that a package is for, by the toolchain of packages. Returns the files by their place
 * in dist/.
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
 * Builds the native tests for a platform, by the toolchain of packages. `emulator` is a program that starts those of that
 * platform. Returns the build directory, where ctest runs them.
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
        // VS Code 1.91, the oldest that we run in, has Node 20.
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

/** What goes into dist/. */
export const kShipped = [...Object.keys(kBinaries), 'bundles'];
/** Programs that the TypeScript tests start: CMake targets, built beside what ships. */
const kTestPrograms = ['fork_server', 'git_spy', 'spawner'];
/** The programs of native/bench: a CMake target of that name. */
export const kBench = 'bench';
/** The addon on a fake of the service, for test/addon: a CMake target, and the file that it makes. */
export const kFakeAddon = 'resident_git_addon_fake';
export const kFakeAddonFile = path.join(kBuildDir, 'src', 'napi', 'resident_git_fake.node');
const kParts = [...kShipped, kBench, kFakeAddon];

/** Builds the named parts, by default all that goes into dist/. */
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
