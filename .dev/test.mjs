/**
 * Installs and builds what is missing, runs test suites and counts.
 *
 *     npm test [-- [--bail] [--all] [--minutes <count>] [--git <git>]… [--seeds <count>] [suite…]]
 *
 * Without names: every suite but those that take long, which --all adds. --bail ends the run after
 * the first suite that fails. --minutes says how long all of them may take together: what runs then is named, ended and
 * has failed. --git says which git conformance asks, once for each that is named, and asan the last one of them: the
 * directory of a built one, a name that gits.mjs knows, or `system` for the one on PATH. --seeds says about how many random
 * repositories the first of them is asked. What failed is told again at the end, a line each; the last line is
 * "N passed, N failed".
 *
 * Suites that wait more than they compute have their turn beside the others, and are told after them: the workbench's,
 * which is the longest, in one process and the rest in another.
 */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  build,
  configureNative,
  configureRelease,
  kBench,
  kFakeAddon,
  kFakeAddonFile,
  kShipped,
} from './build.mjs';
import { programsOf } from './gits.mjs';
import { packageExtension } from './package.mjs';
import { setup } from './setup.mjs';
import { Failure, inRoot, main, npmBinary, output, root, run, say, testVsixPath } from './shell.mjs';
import { runWithin } from './within.mjs';

// One more than there are processors: tests wait for the disk, for git and for the kernel's events.
const kJobs = String(os.availableParallelism() + 1);

const kMinute = 60_000;
/** How long a run may take that is given no --minutes: it ends what hangs, on a busy machine too. */
const kMinutes = 120;

/** A scratch file for one suite's counts, gone with the suite. */
async function withCountsFile(body) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'resident-counts-'));
  try {
    return await body(path.join(folder, 'counts'));
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** Layers of the core whose tests run its code on several threads at once. */
const kThreadedLayers = [
  ...['base', 'git', 'index', 'odb', 'watch', 'tree', 'repo_state', 'delta'],
  ...['model', 'ipc', 'verbs', 'service', 'bench'],
];

/**
 * The environment in which temporary files are in memory, where there is room: what the native tests make and remove is
 * small and much, and a disk takes longer for that than they do.
 */
function inMemory() {
  const memory = '/dev/shm';
  if (!fs.existsSync(memory)) return process.env;
  const { bavail, bsize } = fs.statfsSync(memory);
  return bavail * bsize >= 1 << 30 ? { ...process.env, TMPDIR: memory } : process.env;
}

/** The command that builds the tests of a CMake preset; without `layers` all that there are. */
function nativeBuild(preset, layers) {
  const lock = inRoot('native', 'build', `${preset}.lock`);
  const targets = layers.flatMap((layer) => ['--target', `${layer}_test`]);
  return ['flock', lock, 'cmake', '--build', inRoot('native', 'build', preset), ...targets];
}

/** Builds what the sanitizers run while other suites, which wait more than they compute, have their turn. */
function buildAhead(names) {
  const ahead = names.filter((name) => kSuites[name].sanitizer);
  if (ahead.length === 0 || ahead.length === names.length) return;
  const commands = ahead.map((name) => {
    configureNative(name);
    return nativeBuild(name, kSuites[name].sanitizer.layers)
      .map((word) => `'${word.replaceAll("'", `'\\''`)}'`)
      .join(' ');
  });
  // Behind what is tested, where the kernel weighs sessions (sched(7), autogroup) and where it weighs processes. What
  // fails here fails again, and is told, when the suite's turn has come.
  const behind = 'echo 19 2>/dev/null >/proc/self/autogroup';
  spawnBeside('nice', ['-n', '19', 'sh', '-c', [behind, ...commands].join('; ')], 'ignore').unref();
}

/** A process that ends, with all that it started, when this one does. */
function spawnBeside(command, args, stdio) {
  const child = spawn(command, args, { cwd: root, stdio, detached: true });
  const end = () => {
    try {
      process.kill(-child.pid);
    } catch {
      // It has ended.
    }
  };
  process.once('exit', end);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));
  child.once('exit', () => process.off('exit', end));
  return child;
}

/** Runs suites in a process of their own, for `ms` at most. Returns what waits for their end and tells what they said. */
function runBeside(names, ms) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'resident-suites-'));
  const told = path.join(folder, 'told');
  const file = fs.openSync(told, 'w');
  const minutes = String(ms / kMinute);
  const words = [fileURLToPath(import.meta.url), '--prepared', '--minutes', minutes, ...names];
  const child = spawnBeside(process.execPath, words, ['ignore', file, file]);
  fs.closeSync(file);
  const timer = setTimeout(() => process.kill(-child.pid, 'SIGKILL'), ms + kMinute);
  const ended = new Promise((resolve) => child.once('exit', resolve)).finally(() => clearTimeout(timer));
  process.once('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
  return async () => {
    await ended;
    const text = fs.readFileSync(told, 'utf8');
    const counts = /^(\d+) passed, (\d+) failed\n$/m.exec(text);
    process.stderr.write(counts ? text.slice(0, counts.index) : text);
    const [, failed, lines] = /^FAILED: (.*)$((?:\n {2}.*$)*)/m.exec(text) ?? [];
    return counts
      ? {
          passed: Number(counts[1]),
          failures: Number(counts[2]),
          failed: failed?.split(', ') ?? [],
          lines: (lines?.match(/^ {2}.*$/gm) ?? []).map((line) => line.trim()),
        }
      : { passed: 0, failures: 1, failed: names, lines: [] };
  };
}

/** GoogleTest through ctest, in the build directory of a CMake preset; without `layers` all that there are. */
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

/**
 * Mocha on the files that match a pattern, or on a list of them; TypeScript is loaded through tsx. The timeout ends what
 * hangs, on a busy machine too.
 */
function mocha(files, ms, { timeout = 120_000, options = [], env = {} } = {}) {
  const args = ['--import', 'tsx', inRoot('node_modules', 'mocha', 'bin', 'mocha.js')];
  args.push(
    '--reporter',
    inRoot('.dev', 'mocha-reporter.cjs'),
    '--timeout',
    String(timeout),
    '--forbid-only',
  );
  args.push(...options, ...[files].flat());
  return withCountsFile(async (file) => {
    const code = await runWithin(ms, process.execPath, args, {
      env: { ...process.env, ...env, RESIDENT_COUNTS: file },
    });
    const counts = fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : {};
    return { passed: 0, failed: 0, skipped: 0, lines: [], ...counts, ok: code === 0 };
  });
}

const kSystem = 'system';

/** What a program has to see to find one of --git on PATH. */
const withGit = (git = kSystem) =>
  git === kSystem ? {} : { PATH: `${programsOf(git)}${path.delimiter}${process.env.PATH}` };

/**
 * How many random seeds each further git of a run gets, which are others than the first one's: what differs from git to
 * git has shown itself in one of six (80 seeds, 13 of them), and what does not is found by the first.
 */
const kFurtherSeeds = { first: 501, count: 120 };

/** Those that take longest begin first, so that no processor waits for the last of them. */
function conformanceFiles() {
  const folder = inRoot('test', 'conformance');
  const longest = ['random.test.ts', 'prompt/random.test.ts', 'monitor/monitor.test.ts'];
  const place = (name) => longest.indexOf(name);
  return fs
    .readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith('.test.ts'))
    .sort((a, b) => place(b) - place(a) || (a < b ? -1 : 1))
    .map((name) => path.join(folder, name));
}

/**
 * Those that share a window begin, and of them the last is the one that leads its window elsewhere. Each process ends its
 * own, and looks for what remains of it, before the first file that opens another.
 */
function workbenchFiles(isWanted) {
  const folder = inRoot('test', 'vscode');
  const leavesWindow = 'branches.test.ts';
  const place = (name) => {
    if (name === leavesWindow) return 1;
    return fs.readFileSync(path.join(folder, name), 'utf8').includes('Session.share(') ? 0 : 2;
  };
  return fs
    .readdirSync(folder)
    .filter((name) => name.endsWith('.test.ts') && isWanted(name))
    .sort((a, b) => place(a) - place(b) || (a < b ? -1 : 1))
    .map((name) => path.join(folder, name));
}

/**
 * Those that take longest: many repositories, changes and windows, and a window of a special kind, which costs ten seconds of
 * a processor before anything is tested in it.
 */
const kLongWorkbench = [
  ...['coexistence', 'large', 'many', 'openRule'],
  ...['commitSettings', 'folders', 'l10n', 'moved', 'prompts', 'trust', 'watchLimit', 'welcome'],
].map((name) => `${name}.test.ts`);

/** The files of the workbench's tests that are wanted, with the packaged extension. */
function workbench(ms, isWanted) {
  if (process.env.RESIDENT_VSIX === undefined) packageExtension(testVsixPath());
  run(npmBinary('tsx'), [inRoot('test', 'vscode', 'support', 'install.ts')], {
    explain: 'the workbench',
  });
  // A window that cannot be closed must not keep the run from ending.
  const options = ['--exit', '--parallel', '--jobs', '2'];
  return mocha(workbenchFiles(isWanted), ms, { timeout: 600_000, options });
}

/** Every answer beside git's; `git` is one of --git, `turn` its number among them. */
function conformance(ms, { git = kSystem, turn = 0, seeds }) {
  const { first, count } = kFurtherSeeds;
  const further = { CONFORMANCE_FIRST: String(first + count * (turn - 1)), CONFORMANCE_SEEDS: String(count) };
  const asked = seeds === undefined ? {} : { CONFORMANCE_SEEDS: seeds };
  const env = {
    ...withGit(git),
    ...(turn > 0 ? further : asked),
  };
  const version = output('git', ['--version'], { env: { ...process.env, ...env } })?.trim();
  say(`asking ${version}${env.PATH ? ` of ${env.PATH.split(path.delimiter)[0]}` : ''}`);
  const options = ['--parallel', '--jobs', kJobs];
  return mocha(conformanceFiles(), ms, { timeout: 20 * 60_000, options, env });
}

const kSuites = {
  native: { run: (ms) => native('release', ms) },
  scripts: { waits: true, run: (ms) => mocha('.dev/**/*.test.mjs', ms) },
  unit: { waits: true, run: (ms) => mocha('test/unit/**/*.test.ts', ms) },
  addon: {
    waits: true,
    programs: [kFakeAddon],
    run: (ms) => mocha('test/addon/**/*.test.ts', ms, { env: { RESIDENT_FAKE_ADDON: kFakeAddonFile } }),
  },
  bench: {
    waits: true,
    programs: [kBench],
    // Polled worktrees tell of a change when its turn comes: a minute where nothing else runs.
    run: (ms) => mocha('test/perf/**/*.test.ts', ms, { timeout: 5 * 60_000 }),
  },
  soak: { long: true, waits: true, run: (ms) => mocha('test/soak/**/*.test.ts', ms) },
  conformance: { asks: (gits) => gits, run: conformance },
  storms: {
    long: true,
    waits: true,
    run: (ms) => mocha('test/storms/**/*.test.ts', ms, { timeout: 20 * 60_000 }),
  },
  vscode: {
    waits: true,
    alone: true,
    workbench: true,
    run: (ms) => workbench(ms, (name) => !kLongWorkbench.includes(name)),
  },
  'vscode-long': {
    long: true,
    waits: true,
    alone: true,
    workbench: true,
    run: (ms) => workbench(ms, (name) => kLongWorkbench.includes(name)),
  },
  // The tests of `native` with another git, so that both are asked of everything.
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

/** One suite's result, after `ms` at most; what keeps it from running counts as one failure. */
async function runSuite(ms, { suite, ...asked }) {
  const name = nameOf({ suite, ...asked });
  const started = Date.now();
  say(`\n== ${name}`);
  let result;
  try {
    if (ms <= 0) throw new Failure('the time limit has passed');
    result = await kSuites[suite].run(ms, asked);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    say(`error: ${error.message}`);
    result = { passed: 0, failed: 0, skipped: 0, lines: [error.message], ok: false };
  }
  if (result.ok && result.passed === 0) {
    say(`error: suite ${name} has no tests`);
    result.ok = false;
  }
  if (!result.ok) result.failed = Math.max(result.failed, 1);
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  const skipped = result.skipped > 0 ? `, ${result.skipped} skipped` : '';
  say(`== ${name}: ${result.passed} passed, ${result.failed} failed${skipped} (${seconds} s)`);
  return result;
}

const nameOf = ({ suite, git }) => (git === undefined ? suite : `${suite} with git ${git}`);

function parse(argv) {
  const options = [];
  const gits = [];
  let seeds;
  let minutes = kMinutes;
  let names = [];
  for (let i = 0; i < argv.length; i++) {
    if (argv[i] === '--git') gits.push(argv[++i]);
    else if (argv[i] === '--seeds') seeds = argv[++i];
    else if (argv[i] === '--minutes') minutes = Number(argv[++i]);
    else (argv[i].startsWith('-') ? options : names).push(argv[i]);
  }
  const bad = options.find((option) => !['--bail', '--all', '--prepared'].includes(option));
  if (bad !== undefined) throw new Failure(`unknown option ${bad}`);
  if (gits.includes(undefined)) throw new Failure('--git needs a directory or a name');
  if (argv.includes('--seeds') && !/^[1-9]\d*$/.test(seeds ?? ''))
    throw new Failure('--seeds needs a number');
  if (!(minutes > 0)) throw new Failure('--minutes needs a number');
  const unknown = names.find((name) => !(name in kSuites));
  if (unknown !== undefined) {
    throw new Failure(`unknown suite ${unknown}; known suites: ${Object.keys(kSuites).join(', ')}`);
  }
  if (names.length === 0) {
    const all = options.includes('--all');
    names = Object.keys(kSuites).filter((name) => all || !kSuites[name].long);
  }
  const waiting = names.every((name) => kSuites[name].waits)
    ? []
    : names.filter((name) => kSuites[name].waits);
  const beside = [true, undefined]
    .map((alone) => waiting.filter((name) => kSuites[name].alone === alone))
    .filter((chain) => chain.length > 0);
  const runs = names.flatMap((suite) => {
    if (waiting.includes(suite)) return [];
    const asked = (gits.length > 0 && kSuites[suite].asks?.(gits)) || [undefined];
    return asked.map((git, turn) => ({ suite, git, turn, seeds }));
  });
  const until = Date.now() + minutes * kMinute;
  return {
    names,
    runs,
    beside,
    until,
    bail: options.includes('--bail'),
    prepared: options.includes('--prepared'),
  };
}

/** Setup and build, as a suite of their own: what keeps the others from running is a failure too. */
async function prepare(names) {
  try {
    setup({
      workbench: names.some((name) => kSuites[name].workbench),
      storms: names.includes('storms'),
      shells: names.includes('conformance'),
    });
    if (names.some((name) => name !== 'scripts' && !kSuites[name].sanitizer)) {
      await build([...kShipped, ...names.flatMap((name) => kSuites[name].programs ?? [])]);
    }
    return true;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    say(`error: ${error.message}`);
    return false;
  }
}

await main(async () => {
  const { names, runs, beside, until, bail, prepared } = parse(process.argv.slice(2));
  const total = { passed: 0, failed: 0 };
  const failed = [];
  const linesOfFailed = [];
  if (!prepared && !(await prepare(names))) {
    failed.push('setup and build');
    total.failed += 1;
  }
  const ready = failed.length === 0;
  const chains = ready ? beside.map((chain) => runBeside(chain, until - Date.now())) : [];
  if (ready) buildAhead(names);
  for (const suiteRun of ready ? runs : []) {
    const { passed, failed: failures, lines, ok } = await runSuite(until - Date.now(), suiteRun);
    total.passed += passed;
    total.failed += failures;
    if (!ok) failed.push(nameOf(suiteRun));
    linesOfFailed.push(...lines.map((line) => `${nameOf(suiteRun)}: ${line}`));
    if (!ok && bail) break;
  }
  for (const ended of chains) {
    if (bail && failed.length > 0) break;
    const results = await ended();
    total.passed += results.passed;
    total.failed += results.failures;
    failed.push(...results.failed);
    linesOfFailed.push(...results.lines);
  }
  if (failed.length > 0) {
    say(`\nFAILED: ${failed.join(', ')}`);
    for (const line of linesOfFailed) say(`  ${line}`);
    process.exitCode = 1;
  }
  process.stdout.write(`${total.passed} passed, ${total.failed} failed\n`, () => process.exit());
});
