/**
 * Shared parts of the developer scripts: the clone's root, messages, commands and failures. Plain Node
 * without dependencies: these scripts run before `npm ci`.
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** An absolute path in the clone. */
export const inRoot = (...parts) => path.join(root, ...parts);

/** Prints one line to stderr: stdout belongs to the tool's own output. */
export const say = (text) => process.stderr.write(`${text}\n`);

/** `stdio` of a helper command: all its output goes to stderr. */
export const kTold = ['ignore', 2, 2];

/** An expected failure: the user sees only its message. */
export class Failure extends Error {}

/** Runs a script's body; a Failure becomes one line and exit code 1. */
export async function main(body) {
  try {
    await body();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    say(`error: ${error.message}`);
    process.exitCode = 1;
  }
}

/** Runs a command and shows its output. Throws a Failure if it fails. */
export function run(command, args, { explain, ...options } = {}) {
  const result = tryRun(command, args, options);
  if (result.error) throw new Failure(`cannot run ${command}: ${result.error.message}`);
  if (result.status !== 0) {
    const how = result.signal ? `ended by ${result.signal}` : `exit code ${result.status}`;
    throw new Failure(`${explain ?? [command, ...args].join(' ')} failed (${how})`);
  }
}

/** Runs a command and shows its output. The caller checks the status. Never waits for input. */
export function tryRun(command, args, options = {}) {
  return spawnSync(command, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], ...options });
}

/** Calls `work` for each item, as many at once as there are processors. Returns the defined results. */
export async function inParallel(items, work) {
  const waiting = [...items];
  const results = [];
  const worker = async () => {
    while (waiting.length > 0) results.push(await work(waiting.shift()));
  };
  await Promise.all(Array.from({ length: os.availableParallelism() }, worker));
  return results.filter((result) => result !== undefined);
}

/** A command's standard output; undefined when it cannot be run or fails. */
export function output(command, args, options = {}) {
  const result = spawnSync(command, args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28, ...options });
  return result.status === 0 ? result.stdout : undefined;
}

/** The absolute path of a program on PATH, or undefined. */
export function which(program) {
  for (const folder of (process.env.PATH ?? '').split(path.delimiter)) {
    const candidate = path.join(folder, program);
    try {
      fs.accessSync(candidate, fs.constants.X_OK);
      if (folder !== '' && fs.statSync(candidate).isFile()) return candidate;
    } catch {
      continue;
    }
  }
  return undefined;
}

/** A binary of one of our npm packages, by its path, without a shell. */
export const npmBinary = (name) => inRoot('node_modules', '.bin', name);

/** The root package.json; reads the file again each time. */
export const manifest = () => JSON.parse(fs.readFileSync(inRoot('package.json'), 'utf8'));

/** VS Code's name of this platform. */
export const kThisTarget = `${process.platform}-${process.arch}`;

/** The .vsix that `npm run package` makes. */
export const vsixPath = (target = kThisTarget) =>
  inRoot(`${manifest().name}-${target}-${manifest().version}.vsix`);

/** The .vsix for the tests, from the current dist/. */
export const testVsixPath = () => inRoot('dist', 'test.vsix');
