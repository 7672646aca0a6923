/** The extension's child processes, found by what they run. */
import { readFileSync, readdirSync } from 'node:fs';

/** Pids of the processes that run `dist/helper.js` of the extension installed below `profile`. */
export function helperPids(profile: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) =>
      commandLine(pid).some((arg) => arg.startsWith(profile) && arg.endsWith('/dist/helper.js')),
    )
    .map(Number);
}

function commandLine(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return [];
  }
}
