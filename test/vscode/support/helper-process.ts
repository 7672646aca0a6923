/** Finds the extension's child processes by their command line and their profile. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Pids of the processes that run the extension's `dist/helper.js` for the server of this profile. */
export function helperPids(profile: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => words(pid, 'cmdline').some((word) => word.endsWith('/dist/helper.js')))
    .filter((pid) => words(pid, 'environ').includes(`TMPDIR=${join(profile, 'tmp')}`))
    .map(Number);
}

function words(pid: string, file: 'cmdline' | 'environ'): string[] {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8').split('\0');
  } catch {
    return [];
  }
}
