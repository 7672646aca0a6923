/** File systems that a test mounts. */
import { mkdirSync } from 'node:fs';
import { run } from './run';
import type { Sandbox } from './sandbox';

/** Whatever `body` leaves mounted below the sandbox is unmounted, so that the sandbox can be removed. */
export async function withMounts(sandbox: Sandbox, body: () => void | Promise<void>): Promise<void> {
  try {
    await body();
  } finally {
    run('sh', ['-c', `grep -o ' ${sandbox.root}[^ ]*' /proc/mounts | tac | xargs -r umount -l`], {
      cwd: '/',
      env: process.env,
    });
  }
}

function directory(sandbox: Sandbox, name: string): string {
  const path = sandbox.path(name);
  mkdirSync(path);
  return path;
}

/** The command by which FUSE shows one directory as another; the kernel keeps what it says of a file no longer than so. */
export function fuseCommand(beneath: string, above: string, keptSeconds: number): string[] {
  const kept = ['attr_timeout', 'entry_timeout', 'negative_timeout'].map((name) => `${name}=${keptSeconds}`);
  return ['bindfs', '-o', kept.join(','), beneath, above];
}

/** FUSE shows the directory `beneath` as `above`. */
export function mountOnFuse(sandbox: Sandbox, keptSeconds: number): { beneath: string; above: string } {
  const [beneath, above] = [directory(sandbox, 'beneath'), directory(sandbox, 'above')];
  const [program, ...args] = fuseCommand(beneath, above, keptSeconds);
  sandbox.exec(program ?? '', ...args);
  return { beneath, above };
}

/** What is written to `above` is kept apart from what is there already, in `beneath`; by the kernel or by FUSE. */
export function mountOverlay(sandbox: Sandbox, by: 'kernel' | 'fuse'): { beneath: string; above: string } {
  const [beneath, above] = [directory(sandbox, 'beneath'), directory(sandbox, 'above')];
  const parts = {
    lowerdir: beneath,
    upperdir: directory(sandbox, 'upper'),
    workdir: directory(sandbox, 'work'),
  };
  const options = Object.entries(parts).map(([name, path]) => `${name}=${path}`);
  const how = ['-o', options.join(','), above];
  if (by === 'kernel') sandbox.exec('mount', '-t', 'overlay', 'overlay', ...how);
  else sandbox.exec('fuse-overlayfs', ...how);
  return { beneath, above };
}
