/** A scan with a cold disk cache. Needs root: the kernel must drop its caches. */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { type Context, Rounds } from '../context';
import { toMilliseconds } from '../programs';
import { againstFloor, figure, type Row } from '../result';

const dropCaches = '/proc/sys/vm/drop_caches';
const coldThreads = 8;
const kFreeingMs = 50;
const title = 'Truly cold disk cache';

/** The kernel frees dropped memory for some 50 ms more, which would slow the first measurement. */
async function forget(): Promise<void> {
  spawnSync('sync');
  // Page cache, directory entries and inodes.
  writeFileSync(dropCaches, '3');
  let before: number;
  let now = reclaimableKib();
  do {
    before = now;
    await pause(kFreeingMs);
    now = reclaimableKib();
  } while (now < before);
}

/** Kernel memory of directory entries and inodes. */
function reclaimableKib(): number {
  const found = /^SReclaimable: +(\d+) kB$/m.exec(readFileSync('/proc/meminfo', 'latin1'))?.[1];
  if (found === undefined) throw new Error('/proc/meminfo has no SReclaimable');
  return Number(found);
}

export async function measureCold(context: Context): Promise<Row> {
  try {
    accessSync(dropCaches, constants.W_OK);
    await forget();
  } catch {
    const remarks = [`Not measured: only root may write ${dropCaches}.`];
    return { id: 'cold', title, figures: [], verdicts: [], remarks };
  }
  const { subject, programs, threads } = context;
  const rounds = new Rounds();
  const variants = subject.gitVariants();
  const ours = {
    name: 'git-resident status --source=scan',
    command: [context.binary, 'status', '--source=scan', '--porcelain'],
    env: {},
  };
  const floors = [...new Set([threads, coldThreads])];
  for (let round = 0; round < context.runs; round += 1) {
    for (const count of floors) {
      await forget();
      rounds.add(`floor ${count}`, toMilliseconds(programs.floor('cold', subject.worktree, count).ns));
    }
    for (const { name, command, env } of [...variants, ours]) {
      await forget();
      rounds.add(name, programs.once(command, { cwd: subject.worktree, env }).milliseconds);
    }
  }
  const own = figure(ours.name, 'ms', rounds.of(ours.name));
  return {
    id: 'cold',
    title,
    figures: [
      ...floors.map((count) => figure(`floor, cold, ${count} threads`, 'ms', rounds.of(`floor ${count}`))),
      ...variants.map(({ name }) => figure(name, 'ms', rounds.of(name))),
      own,
    ],
    verdicts: [
      againstFloor(own, rounds.of(`floor ${coldThreads}`), {
        words: `at most 1.05 x the floor of ${coldThreads} threads`,
        factor: 1.05,
      }),
    ],
    remarks: ['The floor has read the index before its clock starts; git and ours read it from the disk.'],
  };
}
