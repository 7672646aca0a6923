/** Runs programs with a time limit. Linux only: reads /proc. */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { root, say } from './shell.mjs';

/** Returns `{ pid, parent, command }` of each process. */
function processes() {
  return fs.readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      // The name in parentheses can contain any character, even a parenthesis.
      const [, parent] = fs
        .readFileSync(`/proc/${name}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ');
      const words = fs.readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0');
      return [{ pid: Number(name), parent: Number(parent), command: words.join(' ').trim() }];
    } catch {
      return []; // It has ended.
    }
  });
}

/** The process `pid` and all its descendants, parents first. */
function familyOf(pid) {
  const all = processes();
  const family = all.filter((process) => process.pid === pid);
  for (const { pid: parent } of family) family.push(...all.filter((process) => process.parent === parent));
  return family;
}

/** Prints and ends the process `pid` and its descendants, except the caller. */
export function endFamily(pid) {
  for (const { pid: member, command } of familyOf(pid)) {
    say(`  ${member} ${command.slice(0, 200)}`);
    if (member === process.pid) continue;
    try {
      process.kill(member, 'SIGKILL');
    } catch {
      // It has ended.
    }
  }
}

/**
 * Runs a command and shows its output. After `ms` it prints and ends all processes that still run. Resolves
 * with the exit code, or null after a signal. Never waits for input.
 */
export function runWithin(ms, command, args, options = {}) {
  const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], ...options });
  const timer = setTimeout(() => {
    say(`error: timeout after ${Math.round(ms / 1000)} s:`);
    endFamily(child.pid);
  }, ms);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  }).finally(() => clearTimeout(timer));
}
