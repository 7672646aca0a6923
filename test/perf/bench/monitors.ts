/** The helps that git is measured beside: what it can keep in its index, and the monitors that it can ask. */
import { copyFileSync, renameSync, statSync, symlinkSync } from 'node:fs';
import { ResidentServer } from '../../support/server';
import type { Context } from './context';

export interface Help {
  name: string;
  settings: string[];
  indexVersion: number;
  /** It tells git what changed. */
  isMonitor: boolean;
  /** It knows nothing of what changes. */
  isIdle?: boolean;
  /** The process that has to run meanwhile; what ends it comes back. */
  start?: () => Promise<() => Promise<void>>;
}

export const helpNames = {
  none: 'git',
  manyFiles: 'git, feature.manyFiles',
  ours: 'git with git-resident as its monitor',
  daemon: 'git, its fsmonitor',
  idle: 'git with a hook that does nothing: the floor of a hook',
} as const;

function hook(program: string): string[] {
  return [`core.fsmonitor=${program}`, 'core.fsmonitorHookVersion=2', 'core.untrackedCache=true'];
}

/** In the order in which they are told. */
export function helpsOf({ subject, programs, binary }: Context): Help[] {
  // As `git-resident accelerate` names it; git runs a path with odd letters by a shell.
  const link = subject.scratch('git-resident');
  symlinkSync(binary, link);
  const ours: Help = {
    name: helpNames.ours,
    settings: hook(link),
    indexVersion: 2,
    isMonitor: true,
    start: async () => {
      const { env, worktree } = subject;
      const options = { env, cwd: worktree, logPath: subject.scratch('monitor.log') };
      const server = await ResidentServer.start(binary, worktree, options);
      return () => server.stop();
    },
  };
  const itsOwn = ['core.fsmonitor=true', 'core.untrackedCache=true'];
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
    ...(subject.hasFsmonitor() ? [daemon] : []),
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

/** Of which one is written anew where git has written it. */
export function stampOf(path: string): string {
  const { ino, size, mtimeNs } = statSync(path, { bigint: true });
  return [ino, size, mtimeNs].join(' ');
}

/** As git does it: the file is whole at every moment. */
export function replaceFile(path: string, copyOf: string): void {
  copyFileSync(copyOf, `${path}.new`);
  renameSync(`${path}.new`, path);
}
