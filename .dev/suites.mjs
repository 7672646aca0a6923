/** The test suites: how each one runs and counts. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { configureNative, configureRelease, kBench, kFakeAddon, kFakeAddonFile } from './build.mjs';
import { programsOf } from './gits.mjs';
import { packageExtension } from './package.mjs';
import { inRoot, npmBinary, output, run, say, testVsixPath } from './shell.mjs';
import { runWithin } from './within.mjs';

// One more than the processors: tests wait for the disk, for git and for kernel events.
const kJobs = String(os.availableParallelism() + 1);

export const kMinute = 60_000;

/** Layers of the core with multi-threaded tests. */
const kThreadedLayers = [
  ...['base', 'git', 'index', 'odb', 'watch', 'tree', 'repo_state', 'delta'],
  ...['model', 'ipc', 'verbs', 'service', 'bench'],
];

/** Calls `body` with a path for one suite's counts. */
async function withCountsFile(body) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'resident-counts-'));
  try {
    return await body(path.join(folder, 'counts'));
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * An environment with temporary files in memory, if it has room. The native tests make many small files, and
 * a disk is slower than the tests.
 */
function inMemory() {
  const memory = '/dev/shm';
  if (!fs.existsSync(memory)) return process.env;
  const { bavail, bsize } = fs.statfsSync(memory);
  return bavail * bsize >= 1 << 30 ? { ...process.env, TMPDIR: memory } : process.env;
}

const kSystem = 'system';

/** The environment that puts one of --git first on PATH. */
const withGit = (git = kSystem) =>
  git === kSystem ? {} : { PATH: `${programsOf(git)}${path.delimiter}${process.env.PATH}` };

/** The command that builds the tests of a CMake preset. An empty `layers` means all tests. */
export function nativeBuild(preset, layers) {
  const lock = inRoot('native', 'build', `${preset}.lock`);
  const targets = layers.flatMap((layer) => ['--target', `${layer}_test`]);
  return ['flock', lock, 'cmake', '--build', inRoot('native', 'build', preset), ...targets];
}

/** GoogleTest through ctest, in the build directory of a CMake preset. */
function native(preset, ms, { layers = [], git } = {}) {
  if (preset === 'release') configureRelease();
  else configureNative(preset);
  const [command, ...words] = nativeBuild(preset, layers);
  run(command, words, { explain: `the native build, ${preset}` });
  return withCountsFile(async (file) => {
    const args = ['--preset', preset, '--parallel', kJobs, '--progress', '--output-junit', file];
    if (layers.length > 0) args.push('--label-regex', `^(${layers.join('|')})$`);
    const env = { ...inMemory(), ...withGit(git) };
    const code = await runWithin(ms, 'ctest', args, { cwd: inRoot('native'), env });
    const report = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
    const count = (name) => Number(new RegExp(`<testsuite[^>]*\\s${name}="(\\d+)"`).exec(report)?.[1] ?? 0);
    const failed = count('failures');
    const skipped = count('skipped') + count('disabled');
    const lines = [...report.matchAll(/<testcase name="([^"]*)"[^>]*status="fail"/g)].map(([, name]) => name);
    return { passed: count('tests') - failed - skipped, failed, skipped, lines, ok: code === 0 };
  });
}

/** Mocha on a pattern or a list of files. The timeout in minutes ends hanging tests, also on a busy machine. */
function mocha(files, ms, { timeout = 2, options = [], env = {} } = {}) {
  const args = ['--import', 'tsx', inRoot('node_modules', 'mocha', 'bin', 'mocha.js'), '--forbid-only'];
  args.push('--reporter', inRoot('.dev', 'mocha-reporter.cjs'), '--timeout', String(timeout * kMinute));
  args.push(...options, ...[files].flat());
  return withCountsFile(async (file) => {
    const code = await runWithin(ms, process.execPath, args, {
      env: { ...process.env, ...env, RESIDENT_COUNTS: file },
    });
    const counts = fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : {};
    return { passed: 0, failed: 0, skipped: 0, lines: [], ...counts, ok: code === 0 };
  });
}

/** The tests in a folder as absolute paths, by `place` and then by name. */
const testsIn = (folder, place) =>
  fs
    .readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith('.test.ts'))
    .sort((a, b) => place(a) - place(b) || (a < b ? -1 : 1))
    .map((name) => path.join(folder, name));

/** Seeds of each further git of a run. They differ from the first git's, which finds what all gits share. */
const kFurtherSeeds = { first: 501, count: 120 };

/** The slowest files start first, so that no processor waits for the last of them. */
const kSlowConformance = ['random.test.ts', 'prompt/random.test.ts', 'monitor/monitor.test.ts'];

/** Compares every answer with git's. `git` is one of --git, `turn` its number among them. */
function conformance(ms, { git = kSystem, turn = 0, seeds }) {
  const { first, count } = kFurtherSeeds;
  const env = withGit(git);
  if (turn > 0) env.CONFORMANCE_FIRST = String(first + count * (turn - 1));
  if (turn > 0 || seeds !== undefined) env.CONFORMANCE_SEEDS = turn > 0 ? String(count) : seeds;
  const version = output('git', ['--version'], { env: { ...process.env, ...env } })?.trim();
  say(`asking ${version}${env.PATH ? ` of ${env.PATH.split(path.delimiter)[0]}` : ''}`);
  const files = testsIn(inRoot('test', 'conformance'), (name) => -kSlowConformance.indexOf(name));
  return mocha(files, ms, { timeout: 20, options: ['--parallel', '--jobs', kJobs], env });
}

/** Slow workbench tests: many repositories, changes or windows, or a special window, which takes 10 s to open. */
const kLongWorkbench = [
  ...['coexistence', 'large', 'many', 'openRule'],
  ...['commitSettings', 'folders', 'l10n', 'moved', 'prompts', 'trust', 'watchLimit', 'welcome'],
].map((name) => `${name}.test.ts`);

/**
 * Order of the workbench's tests: those that share a window come first, the one that leaves the shared window
 * elsewhere is their last. Each process closes its windows before the first file that opens another one.
 */
function workbenchPlace(name) {
  if (name === 'branches.test.ts') return 1;
  return fs.readFileSync(inRoot('test', 'vscode', name), 'utf8').includes('Session.share(') ? 0 : 2;
}

/** The workbench's tests, with the packaged extension. */
function workbench(ms, isLong) {
  if (process.env.RESIDENT_VSIX === undefined) packageExtension(testVsixPath());
  run(npmBinary('tsx'), [inRoot('test', 'vscode', 'support', 'install.ts')], { explain: 'the workbench' });
  const files = testsIn(inRoot('test', 'vscode'), workbenchPlace).filter(
    (file) => kLongWorkbench.includes(path.basename(file)) === isLong,
  );
  // --exit: a window that cannot be closed must not keep the run from ending.
  return mocha(files, ms, { timeout: 10, options: ['--exit', '--parallel', '--jobs', '2'] });
}

/**
 * Each suite's `run` takes its time limit and `{ git, turn, seeds }`. Other members:
 * - `long`: runs only by its name or with --all.
 * - `waits`: mostly waits, so that it runs beside others; `alone`: in a process of its own.
 * - `asks`: chooses from the values of --git.
 * - `programs`, `workbench`, `sanitizer`: parts to build or install first.
 */
export const kSuites = {
  native: { run: (ms) => native('release', ms) },
  scripts: { waits: true, run: (ms) => mocha('.dev/**/*.test.mjs', ms) },
  unit: { waits: true, run: (ms) => mocha('test/unit/**/*.test.ts', ms) },
  addon: {
    waits: true,
    programs: [kFakeAddon],
    run: (ms) => mocha('test/addon/**/*.test.ts', ms, { env: { RESIDENT_FAKE_ADDON: kFakeAddonFile } }),
  },
  // A polled worktree reports a change after a minute at most.
  bench: {
    waits: true,
    programs: [kBench],
    run: (ms) => mocha('test/perf/**/*.test.ts', ms, { timeout: 5 }),
  },
  soak: { long: true, waits: true, run: (ms) => mocha('test/soak/**/*.test.ts', ms) },
  conformance: { asks: (gits) => gits, run: conformance },
  storms: { long: true, waits: true, run: (ms) => mocha('test/storms/**/*.test.ts', ms, { timeout: 20 }) },
  vscode: { waits: true, alone: true, workbench: true, run: (ms) => workbench(ms, false) },
  'vscode-long': { long: true, waits: true, alone: true, workbench: true, run: (ms) => workbench(ms, true) },
  // Another git than in `native`, so that both are tested.
  asan: {
    long: true,
    sanitizer: { layers: [] },
    asks: (gits) => gits.slice(-1),
    run: (ms, { git }) => native('asan', ms, { git }),
  },
  tsan: {
    long: true,
    sanitizer: { layers: kThreadedLayers },
    run: (ms) => native('tsan', ms, { layers: kThreadedLayers }),
  },
};
