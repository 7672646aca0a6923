/** Mounts of a test. */
import { mkdirSync } from 'node:fs';
import { run } from './run';
import type { Sandbox } from './sandbox';

/** Unmounts everything that `body` leaves mounted below the sandbox, because mounts prevent its removal. */
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

/** Command that shows a directory as another by FUSE. The kernel caches its answers for `keptSeconds`. */
export function fuseCommand(beneath: string, above: string, keptSeconds: number): string[] {
  const kept = ['attr_timeout', 'entry_timeout', 'negative_timeout'].map((name) => `${name}=${keptSeconds}`);
  return ['bindfs', '-o', kept.join(','), beneath, above];
}

/** Shows the directory `beneath` as `above` by FUSE. */
export function mountOnFuse(sandbox: Sandbox, keptSeconds: number): { beneath: string; above: string } {
  const [beneath, above] = [directory(sandbox, 'beneath'), directory(sandbox, 'above')];
  const [program, ...args] = fuseCommand(beneath, above, keptSeconds);
  sandbox.exec(program ?? '', ...args);
  return { beneath, above };
}

/** Mounts an overlay at `above`: writes to it do not reach `beneath`. By the kernel or by FUSE. */
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
