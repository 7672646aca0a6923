/** Runs programs of which none may keep the others waiting for ever: Linux only, since it reads /proc. */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { root, say } from './shell.mjs';

/** `{ pid, parent, command }` of each process that there is. */
function processes() {
  return fs.readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      // The name in parentheses may hold anything, a parenthesis too.
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

/** The process `pid` and all that it started, parents first. */
function familyOf(pid) {
  const all = processes();
  const family = all.filter((process) => process.pid === pid);
  for (const { pid: parent } of family) family.push(...all.filter((process) => process.parent === parent));
  return family;
}

/** Says what of the process `pid` and of all that it started is there, and ends it, but not whoever asks. */
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
 * Runs a command with its output shown, and what it starts for `ms` at most: then it is said what has not ended, and
 * ended. Resolves with its exit code, null where a signal ended it. Never waits for input.
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
