/**
 * Measures the time from a save to its row in a large worktree. Compares Resident Git, the built-in Git, and the built-in
 * Git with a fast `git status`. Changes one file of the worktree and its config, and restores both.
 *
 *     npm run package && npx tsx test/vscode/saveFigures.ts <worktree> <tracked file> [saves]
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { percentile } from '../perf/deltaLatency';
import { Sandbox } from '../support/sandbox';
import { poll } from './support/poll';
import { type AtWork, Session } from './support/session';

const root = resolve(process.argv[2] ?? '.');
const file = resolve(root, process.argv[3] ?? 'README.md');
const saves = Number(process.argv[4] ?? 7);
const kPatienceMs = 120_000;
/** Between two saves: each side ends its work of the save before. */
const kRestMs = 5_000;

/** The sum of the counts of all groups. */
const kRows = "residentPage.scmRows().reduce((sum, row) => sum + (row.kind === 'group' ? row.count : 0), 0)";

async function measure(name: string, atWork: AtWork, isFast: boolean): Promise<void> {
  const before = readFileSync(file);
  const session = await Session.open(new Sandbox(), { folder: root }, { atWork });
  try {
    const { workbench } = session;
    await workbench.showSourceControl();
    if (isFast) {
      await workbench.command('Resident Git: Choose How to Work with Built-in Git');
      await workbench.pick('Keep Built-in Git, Made Fast');
      await workbench.pick('Show Nothing of Resident Git');
      await workbench.dialog(/status\.showUntrackedFiles = all/s, 'Write All');
      await workbench.notifications.clear(/Built-in Git stays on/);
    }
    const rows = () => workbench.page.evaluate<number>(kRows);
    await poll(rows, { what: 'the view', timeoutMs: kPatienceMs });
    await delay(2 * kRestMs);
    const samples: number[] = [];
    for (let n = 0; n < saves; n++) {
      const count = await rows();
      const seen = workbench.page.evaluate<number>(
        `(async () => { while (${kRows} === ${count}) await new Promise((next) => setTimeout(next, 5)); return Date.now(); })()`,
      );
      const start = Date.now();
      writeFileSync(file, n % 2 === 0 ? Buffer.concat([before, Buffer.from('changed\n')]) : before);
      samples.push((await seen) - start);
      await delay(kRestMs);
    }
    const median = percentile(samples, 0.5);
    console.log(`${name}: ${median} ms from a save to its row (median), all: ${samples.join(', ')}`);
    if (isFast) await workbench.command('Resident Git: Restore Settings of Built-in Git');
    if (isFast) await workbench.notifications.clear(/settings of built-in Git are restored/);
  } finally {
    writeFileSync(file, before);
    await Session.closeAll();
  }
}

async function main(): Promise<void> {
  await measure('Resident Git', 'ours', false);
  await measure('built-in Git', 'builtIn', false);
  await measure('built-in Git, made fast', 'both', true);
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
