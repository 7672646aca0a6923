/**
 * Holds the thread annotations of the native core (GUARDED_BY, REQUIRES, EXCLUDES): clang compiles every file that
 * ships with -Wthread-safety, as g++ does not know it.
 *
 *     node .dev/check-threads.mjs
 */
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { configureRelease } from './build.mjs';
import { setup } from './setup.mjs';
import { Failure, inRoot, main, say } from './shell.mjs';

const kFlags = ['-std=c++20', '-fsyntax-only', '-Wthread-safety', '-Werror'];

/** The files that ship, each with the include folders and definitions that it is compiled with. */
function shipped() {
  const commands = JSON.parse(
    fs.readFileSync(inRoot('native', 'build', 'release', 'compile_commands.json'), 'utf8'),
  );
  const source = inRoot('native', 'src') + path.sep;
  const isShipped = (file) =>
    file.startsWith(source) && !/_test\.cc$|\/testing\/|\/Unity\/|cmake_pch/.test(file);
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
  const files = shipped();
  if (files.length === 0) throw new Failure('no files to check');
  const waiting = [...files];
  const problems = [];
  const worker = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const problem = await check(next);
      if (problem !== undefined) problems.push(problem);
    }
  };
  await Promise.all(Array.from({ length: os.availableParallelism() }, worker));
  if (problems.length > 0) throw new Failure(`thread annotations:\n${problems.join('\n')}`);
  say(`threads: the annotations of ${files.length} files hold`);
});
