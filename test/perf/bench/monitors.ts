/** Accelerators for git in the comparison: caches in its index, and monitors. */
import assert from 'node:assert/strict';
import { copyFileSync, existsSync, renameSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ResidentServer } from '../../support/server';
import type { Context } from './context';

const socketTimeoutMs = 10_000;
const pollMs = 10;

export interface Help {
  name: string;
  settings: string[];
  indexVersion: number;
  /** True: reports changes to git. */
  isMonitor: boolean;
  /** True: reports no changes, whatever happens. */
  isIdle?: boolean;
  /** Starts the required process; the result ends it. */
  start?: () => Promise<() => Promise<void>>;
}

export const helpNames = {
  none: 'git',
  manyFiles: 'git, feature.manyFiles',
  ours: 'git with git-resident as its monitor',
  inPlace: 'git with git-resident in place of its daemon',
  daemon: 'git, its fsmonitor',
  idle: 'git with a hook that does nothing: the floor of a hook',
} as const;

function hook(program: string): string[] {
  return [`core.fsmonitor=${program}`, 'core.fsmonitorHookVersion=2', 'core.untrackedCache=true'];
}

/** Sorted like the report. */
export function helpsOf({ subject, programs, binary }: Context): Help[] {
  // The same name as in `git-resident accelerate`: git runs a path with special characters through a shell.
  const link = subject.scratch('git-resident');
  symlinkSync(binary, link);
  const serve = async (): Promise<() => Promise<void>> => {
    const { env, worktree } = subject;
    const options = { env, cwd: worktree, logPath: subject.scratch('monitor.log') };
    const server = await ResidentServer.start(binary, worktree, options);
    return () => server.stop();
  };
  const ours: Help = {
    name: helpNames.ours,
    settings: hook(link),
    indexVersion: 2,
    isMonitor: true,
    start: serve,
  };
  const itsOwn = ['core.fsmonitor=true', 'core.untrackedCache=true'];
  const inPlace: Help = {
    name: helpNames.inPlace,
    settings: itsOwn,
    indexVersion: 2,
    isMonitor: true,
    start: async () => {
      // The server reads these settings from the config.
      const takeOut = subject.configure([...itsOwn, 'residentGit.standsInForDaemon=true']);
      const stop = await serve();
      const socket = join(subject.worktree, '.git/fsmonitor--daemon.ipc');
      const before = await stampOnceThere(socket);
      return async () => {
        const isOurs = before !== undefined && existsSync(socket) && stampOf(socket) === before;
        await stop();
        takeOut();
        assert.ok(isOurs, `${helpNames.inPlace}: git-resident did not listen there all the time`);
      };
    },
  };
  const daemon: Help = {
    name: helpNames.daemon,
    settings: itsOwn,
    indexVersion: 2,
    isMonitor: true,
    start: () => {
      subject.git([...configOf(itsOwn), 'fsmonitor--daemon', 'start']);
      return Promise.resolve(() => {
        subject.git(['fsmonitor--daemon', 'stop']);
        return Promise.resolve();
      });
    },
  };
  const none = ['core.fsmonitor=false', 'core.untrackedCache=false'];
  return [
    { name: helpNames.none, settings: none, indexVersion: 2, isMonitor: false },
    {
      name: helpNames.manyFiles,
      settings: ['core.fsmonitor=false', 'feature.manyFiles=true'],
      indexVersion: 4,
      isMonitor: false,
    },
    ours,
    ...(subject.hasFsmonitor() ? [inPlace, daemon] : []),
    {
      name: helpNames.idle,
      settings: hook(programs.idleHook),
      indexVersion: 2,
      isMonitor: true,
      isIdle: true,
    },
  ];
}

export function configOf(settings: readonly string[]): string[] {
  return settings.flatMap((setting) => ['-c', setting]);
}

/** Undefined after a timeout. */
async function stampOnceThere(path: string): Promise<string | undefined> {
  const began = performance.now();
  while (!existsSync(path)) {
    if (performance.now() - began > socketTimeoutMs) return undefined;
    await sleep(pollMs);
  }
  return stampOf(path);
}

/** A fingerprint of a file's stat data: changes if git rewrites the file. */
export function stampOf(path: string): string {
  const { ino, size, mtimeNs } = statSync(path, { bigint: true });
  return [ino, size, mtimeNs].join(' ');
}

/** Like git, by rename: the file is complete at every moment. */
export function replaceFile(path: string, copyOf: string): void {
  copyFileSync(copyOf, `${path}.new`);
  renameSync(`${path}.new`, path);
}
