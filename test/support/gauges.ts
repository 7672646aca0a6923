/** Resources of a process, from /proc. */
import { lstatSync, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';

export interface Gauges {
  rssKb: number;
  descriptors: number;
  /** inotify watches of all inotify instances. */
  watches: number;
}

export function gaugesOf(pid: number): Gauges {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1');
  const rssKb = Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]);
  return { rssKb, descriptors: readdirSync(`/proc/${pid}/fd`).length, watches: watchedInodes(pid).length };
}

/** CPU time so far, in seconds. */
export function processorTimeOf(pid: number): number {
  const [, after = ''] = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ');
  const fields = after.split(' ').map(Number);
  return ((fields[11] ?? 0) + (fields[12] ?? 0)) / 100;
}

/** Targets of all descriptors except the standard ones, sorted: a path, or a kind such as "socket". */
export function descriptorsOf(pid: number): string[] {
  const targets = ofEachDescriptor(pid, (descriptor) => {
    const target = readlinkSync(`/proc/${pid}/fd/${descriptor}`);
    return Number(descriptor) > 2 ? [target.replace(/:\[\d+\]$/, '')] : [];
  });
  return targets.map((target) => target.replace(`/proc/${pid}/`, '/proc/self/')).sort();
}

/** The inode of each inotify watch. */
export function watchedInodes(pid: number): number[] {
  return ofEachDescriptor(pid, (descriptor) => {
    const info = readFileSync(`/proc/${pid}/fdinfo/${descriptor}`, 'latin1');
    return [...info.matchAll(/^inotify .*\bino:([0-9a-f]+)/gm)].map(([, ino]) => parseInt(ino ?? '', 16));
  });
}

/** Skips descriptors that are closed during the listing. */
function ofEachDescriptor<T>(pid: number, tell: (descriptor: string) => T[]): T[] {
  return readdirSync(`/proc/${pid}/fd`).flatMap((descriptor) => {
    try {
      return tell(descriptor);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
  });
}

/** A path of each file and directory that `pid` watches; outside of `root` its inode. */
export function watchedPaths(pid: number, root: string): string[] {
  const names = new Map<number, string>();
  const visit = (directory: string): void => {
    names.set(statSync(directory).ino, directory.slice(root.length + 1));
    for (const entry of readdirSync(directory, { withFileTypes: true })) {
      const path = join(directory, entry.name);
      if (entry.isDirectory()) visit(path);
      else names.set(lstatSync(path).ino, path.slice(root.length + 1));
    }
  };
  visit(root);
  return watchedInodes(pid).map((ino) => names.get(ino) ?? `inode ${ino}`);
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
