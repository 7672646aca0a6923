/**
 * Checks the thread annotations of the native core (GUARDED_BY, REQUIRES, EXCLUDES). Compiles the shipped
 * sources by clang with -Wthread-safety, several files at once. This option is unknown to g++.
 *
 *     node .dev/check-threads.mjs
 */
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { configureRelease } from './build.mjs';
import { setup } from './setup.mjs';
import { Failure, inParallel, inRoot, kTold, main, run, say } from './shell.mjs';

const kFlags = ['-std=c++20', '-fsyntax-only', '-Wthread-safety', '-Werror'];

/** Compile units of the shipped code, each with its include folders and definitions. */
function shipped() {
  const commands = JSON.parse(
    fs.readFileSync(inRoot('native', 'build', 'release', 'compile_commands.json'), 'utf8'),
  );
  const layers = [inRoot('native', 'src'), inRoot('native', 'build', 'release', 'src')];
  const isShipped = (file) =>
    layers.some((folder) => file.startsWith(folder + path.sep)) &&
    !/_test\.cc$|_(test|fake)\.dir|cmake_pch/.test(file);
  const found = new Map();
  for (const { file, command } of commands) {
    if (!isShipped(file)) continue;
    const words = command
      .match(/(?:[^\s"\\]|\\.|"(?:[^"\\]|\\.)*")+/g)
      .map((word) => word.replace(/\\(.)/g, '$1'));
    const kept = words.flatMap((word, i) => {
      if (word === '-isystem') return [word, words[i + 1]];
      return /^-[ID]/.test(word) ? [word] : [];
    });
    found.set(file, kept);
  }
  return [...found];
}

function check([file, words]) {
  return new Promise((resolve) => {
    execFile('clang++', [...kFlags, ...words, file], (error, _stdout, stderr) => {
      resolve(error === null ? undefined : stderr || error.message);
    });
  });
}

await main(async () => {
  setup({ clang: true });
  configureRelease();
  // The list of sources follows the folders: a pull adds and removes files.
  const buildDir = inRoot('native', 'build', 'release');
  run('cmake', ['--build', buildDir, '--target', 'build.ninja'], { stdio: kTold });
  const units = shipped();
  if (units.length === 0) throw new Failure('nothing to check');
  const problems = await inParallel(units, check);
  if (problems.length > 0) throw new Failure(`thread annotations:\n${problems.join('\n')}`);
  say(`threads: ${units.length} units checked, no problems`);
});
