/**
 * Installs and builds missing parts, runs test suites and counts results.
 *
 *     npm test [-- [--bail] [--all] [--minutes <count>] [--git <git>]… [--seeds <count>] [suite…]]
 *
 * Without names: every suite except the slow ones, which --all adds.
 * - --bail ends the run after the first failed suite.
 * - --minutes limits the whole run; at the limit the running suite is named, ended and counted as failed.
 * - --git chooses a git for conformance, once for each; asan uses the last one. A value is the directory of a
 * built git, a name in gits.mjs, or `system` for the git on PATH.
 * - --seeds sets the number of random repositories for the first git.
 *
 * Failures are listed again at the end, one line each. The last line is "N passed, N failed".
 *
 * Suites that mostly wait run beside the others, and are reported after them. The workbench suite is the
 * longest, and has a process of its own; the rest shares another.
 */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build, configureNative, kShipped } from './build.mjs';
import { setup } from './setup.mjs';
import { Failure, main, root, say } from './shell.mjs';
import { kMinute, kSuites, nativeBuild } from './suites.mjs';

/** Default limit of a run, in minutes: ends a hanging run, also on a busy machine. */
const kMinutes = '120';

/** Starts a process that ends, with its children, no later than this process. */
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

/** Builds the sanitizer tests while other suites run, which mostly wait. */
function buildAhead(names) {
  const ahead = names.filter((name) => kSuites[name].sanitizer);
  if (ahead.length === 0 || ahead.length === names.length) return;
  const commands = ahead.map((name) => {
    configureNative(name);
    return nativeBuild(name, kSuites[name].sanitizer.layers)
      .map((word) => `'${word.replaceAll("'", `'\\''`)}'`)
      .join(' ');
  });
  // The lowest priority, also where the kernel weighs sessions (sched(7), autogroup). A build that fails here
  // fails again, and is reported, in its suite.
  const behind = 'echo 19 2>/dev/null >/proc/self/autogroup';
  spawnBeside('nice', ['-n', '19', 'sh', '-c', [behind, ...commands].join('; ')], 'ignore').unref();
}

/** Starts suites in another process, for `ms` at most. The result waits for its end and prints its output. */
function runBeside(names, ms) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'resident-suites-'));
  const outputFile = path.join(folder, 'output');
  const file = fs.openSync(outputFile, 'w');
  const words = [fileURLToPath(import.meta.url), '--prepared', '--minutes', String(ms / kMinute), ...names];
  const child = spawnBeside(process.execPath, words, ['ignore', file, file, 'ipc']);
  fs.closeSync(file);
  let total = { passed: 0, failed: 1, failedNames: names, lines: [] };
  child.once('message', (message) => (total = message));
  const timer = setTimeout(() => process.kill(-child.pid, 'SIGKILL'), ms + kMinute);
  const closed = new Promise((resolve) => child.once('close', resolve)).finally(() => clearTimeout(timer));
  process.once('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
  return async () => {
    await closed;
    process.stderr.write(fs.readFileSync(outputFile));
    return total;
  };
}

/** Runs one suite for `ms` at most. A reason that keeps it from running counts as one failure. */
async function runSuite(ms, { suite, ...asked }) {
  const name = asked.git === undefined ? suite : `${suite} with git ${asked.git}`;
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
  const { passed, skipped, lines, ok } = result;
  const failed = ok ? result.failed : Math.max(result.failed, 1);
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  say(
    `== ${name}: ${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''} (${seconds} s)`,
  );
  return { passed, failed, failedNames: ok ? [] : [name], lines: lines.map((line) => `${name}: ${line}`) };
}

const kOptions = {
  ...{ bail: { type: 'boolean' }, all: { type: 'boolean' }, prepared: { type: 'boolean' } },
  ...{ git: { type: 'string', multiple: true }, seeds: { type: 'string' }, minutes: { type: 'string' } },
};

/** `prepared`: the caller, another run, has prepared everything and gets the result as a message. */
function parse(args) {
  const { values, positionals } = parseArgs({
    args,
    options: kOptions,
    allowPositionals: true,
    strict: false,
  });
  const { bail, all, prepared, git: gits = [], seeds, minutes = kMinutes } = values;
  const bad = Object.keys(values).find((name) => !(name in kOptions));
  if (bad !== undefined) throw new Failure(`unknown option ${bad.length > 1 ? '--' : '-'}${bad}`);
  if (gits.includes(true)) throw new Failure('--git needs a directory or a name');
  if (seeds !== undefined && !/^[1-9]\d*$/.test(seeds)) throw new Failure('--seeds needs a number');
  if (minutes === true || !(Number(minutes) > 0)) throw new Failure('--minutes needs a number');
  const unknown = positionals.find((name) => !(name in kSuites));
  if (unknown !== undefined) {
    throw new Failure(`unknown suite ${unknown}; known suites: ${Object.keys(kSuites).join(', ')}`);
  }
  const usual = Object.keys(kSuites).filter((name) => all || !kSuites[name].long);
  const names = positionals.length > 0 ? positionals : usual;
  return { names, gits, seeds, bail, prepared, until: Date.now() + Number(minutes) * kMinute };
}

/** The runs of this process, and the groups of suites that run beside them. */
function plan({ names, gits, seeds }) {
  const isBeside = (name) => kSuites[name].waits && !names.every((other) => kSuites[other].waits);
  const runs = names.flatMap((suite) => {
    if (isBeside(suite)) return [];
    const asked = (gits.length > 0 && kSuites[suite].asks?.(gits)) || [undefined];
    return asked.map((git, turn) => ({ suite, git, turn, seeds }));
  });
  const beside = [true, undefined]
    .map((alone) => names.filter((name) => isBeside(name) && kSuites[name].alone === alone))
    .filter((group) => group.length > 0);
  return { runs, beside };
}

/** Setup and build. False: they failed. */
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
  const asked = parse(process.argv.slice(2));
  const { names, until, bail, prepared } = asked;
  const total = { passed: 0, failed: 0, failedNames: [], lines: [] };
  const waiting = [];
  if (prepared || (await prepare(names))) {
    const { runs, beside } = plan(asked);
    const groups = beside.map((group) => runBeside(group, until - Date.now()));
    buildAhead(names);
    waiting.push(...runs.map((one) => () => runSuite(until - Date.now(), one)), ...groups);
  } else {
    total.failed += 1;
    total.failedNames.push('setup and build');
  }
  for (const next of waiting) {
    if (bail && total.failedNames.length > 0) break;
    const { passed, failed, failedNames, lines } = await next();
    total.passed += passed;
    total.failed += failed;
    total.failedNames.push(...failedNames);
    total.lines.push(...lines);
  }
  if (total.failedNames.length > 0) {
    say(`\nFAILED: ${total.failedNames.join(', ')}`);
    for (const line of total.lines) say(`  ${line}`);
    process.exitCode = 1;
  }
  if (prepared && process.send) return process.send(total, () => process.exit());
  process.stdout.write(`${total.passed} passed, ${total.failed} failed\n`, () => process.exit());
});
