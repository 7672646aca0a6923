/**
 * Many small worktrees in one helper: its resources, the time to open and close all, and a save in one
 * worktree.
 */
import { appendFileSync, readdirSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryCopies, trackedFile } from '../../../support/copies';
import { descriptorsOf, gaugesOf } from '../../../support/gauges';
import { memoryDirectory, Sandbox } from '../../../support/sandbox';
import { percentile } from '../../deltaLatency';
import { HelperProcess } from '../../helperProcess';
import { type Context, Rounds } from '../context';
import { againstFloor, againstValue, figure, type Row } from '../result';

const files = 50;
const saves = 300;

/** Waits for changes from a helper, and does nothing else: there are many thousand. */
class Changes {
  readonly watching = new Set<string>();
  private awaited: { root: string; resolve: () => void } | undefined;
  private all: { count: number; resolve: () => void } | undefined;

  note(root: string, isWatching: boolean, hasRows: boolean): void {
    if (isWatching) this.watching.add(root);
    if (this.all !== undefined && this.watching.size >= this.all.count) this.all.resolve();
    if (hasRows && this.awaited?.root === root) this.awaited.resolve();
  }

  allWatching(count: number): Promise<void> {
    return new Promise((resolve) => (this.all = { count, resolve }));
  }

  rowsOf(root: string): Promise<void> {
    return new Promise((resolve) => (this.awaited = { root, resolve }));
  }
}

export async function measureMany({ runs, worktrees }: Context): Promise<Row> {
  const sandbox = new Sandbox(memoryDirectory());
  const rounds = new Rounds();
  try {
    const roots = repositoryCopies(sandbox, worktrees, files).map(({ root }) => root);
    const status = 'for worktree in r[0-9]*; do git -C $worktree status --porcelain=v2 || exit 1; done';
    // Afterwards the cache is warm, and each index has its own stat data.
    sandbox.exec('sh', '-c', status);
    for (let round = 0; round < Math.ceil(runs / 2); round++) {
      const started = performance.now();
      sandbox.exec('sh', '-c', status);
      rounds.add('git', [performance.now() - started]);
      await measureRound(sandbox, roots, rounds);
    }
  } finally {
    sandbox.remove();
  }
  const answered = figure('all answered', 'ms', rounds.of('answered'));
  const saved = figure("a save, until it is told, a round's p50", 'ms', rounds.of('saved'));
  const closed = figure('all closed', 'ms', rounds.of('closed'));
  const memory = figure('memory for each', 'MB', rounds.of('memory'));
  const threads = figure('threads', 'rows', rounds.of('threads'));
  const instances = figure('inotify instances', 'rows', rounds.of('instances'));
  const descriptors = figure('descriptors', 'rows', rounds.of('descriptors'));
  const shared = 40;
  return {
    id: 'many',
    title: `${worktrees.toLocaleString('en')} worktrees of ${files} files in one helper`,
    figures: [
      figure('git status, once in each', 'ms', rounds.of('git')),
      answered,
      figure('the opened ones are known to be worktrees', 'ms', rounds.of('opened')),
      saved,
      figure("a save, a round's p99", 'ms', rounds.of('saved, p99')),
      closed,
      memory,
      figure('memory of the helper without any', 'MB', rounds.of('memory before')),
      threads,
      instances,
      descriptors,
    ],
    verdicts: [
      againstFloor(answered, rounds.of('git'), { words: 'faster than git status once in each', factor: 1 }),
      againstValue(answered, { words: 'within 3 s', value: 3000 }),
      againstValue(saved, { words: 'below 1 ms', value: 1 }),
      againstValue(closed, { words: 'within 0.5 s', value: 500 }),
      againstValue(memory, { words: 'at most 0.3 MB', value: 0.3 }),
      againstValue(threads, { words: 'at most 24', value: 24 }),
      againstValue(instances, { words: 'at most 2, of which one is node’s', value: 2 }),
      againstValue(descriptors, {
        words: `at most 2 for each, and ${shared}`,
        value: 2 * worktrees + shared,
      }),
    ],
    remarks: [
      'git runs in a loop of the shell, one process after the other, and refreshes nothing any more.',
    ],
  };
}

async function measureRound(sandbox: Sandbox, roots: readonly string[], rounds: Rounds): Promise<void> {
  const changes = new Changes();
  const helper = await HelperProcess.start(sandbox.env, ({ root, state, upserted }) => {
    changes.note(root, state?.state === 'watching', upserted.length > 0);
  });
  try {
    const before = gaugesOf(helper.pid);
    let started = performance.now();
    const all = changes.allWatching(roots.length);
    await Promise.all(roots.map((root) => helper.open(root)));
    rounds.add('opened', [performance.now() - started]);
    await all;
    rounds.add('answered', [performance.now() - started]);

    const samples: number[] = [];
    for (let i = 0; i < Math.min(saves, roots.length * files); i++) {
      const root = roots[i % roots.length] ?? '';
      // Each file only once: a second save changes no row.
      const file = join(root, trackedFile(Math.floor(i / roots.length) % files));
      started = performance.now();
      const told = changes.rowsOf(root);
      appendFileSync(file, 'x');
      await told;
      samples.push(performance.now() - started);
    }
    rounds.add('saved', [percentile(samples, 0.5)]);
    rounds.add('saved, p99', [percentile(samples, 0.99)]);

    const { rssKb, descriptors } = gaugesOf(helper.pid);
    rounds.add('memory', [(rssKb - before.rssKb) / 1024 / roots.length]);
    rounds.add('memory before', [before.rssKb / 1024]);
    rounds.add('descriptors', [descriptors]);
    rounds.add('threads', [readdirSync(`/proc/${helper.pid}/task`).length]);
    const isInotify = (target: string): boolean => target === 'anon_inode:inotify';
    rounds.add('instances', [descriptorsOf(helper.pid).filter(isInotify).length]);

    started = performance.now();
    await Promise.all(roots.map((root) => helper.close(root)));
    rounds.add('closed', [performance.now() - started]);
  } finally {
    await helper.stop();
    for (const root of roots) {
      for (let i = 0; i < files; i++) truncateSync(join(root, trackedFile(i)), `${i}\n`.length);
    }
    sandbox.exec('sh', '-c', 'for worktree in r[0-9]*; do git -C $worktree update-index -q --refresh; done');
  }
}
