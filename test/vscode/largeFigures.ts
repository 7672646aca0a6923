/**
 * Measures a worktree with very many changes, compared with VS Code's own Git. The window ignores keys during a task.
 * Reports the longest task while all changes arrive, and while a file is saved.
 *
 *     npm run package && npx tsx test/vscode/largeFigures.ts [changes] [saves]
 */
import { kMaxRows } from '../../extension/scm/GroupRows';
import { trackedFile } from '../support/copies';
import { Repository } from '../support/repository';
import { Sandbox } from '../support/sandbox';
import { besideBuiltIn } from './support/figures';
import { poll } from './support/poll';
import { type AtWork, Session } from './support/session';

const changes = Number(process.argv[2] ?? 200_000);
const saves = Number(process.argv[3] ?? 5);
const patienceMs = 300_000;
/** Timeout of a save. Above its limit the built-in shows no saves. */
const kSeenMs = 30_000;

async function measure(name: string, atWork: AtWork): Promise<void> {
  try {
    const sandbox = new Sandbox();
    const repository = Repository.init(sandbox, 'project');
    repository.write('tracked.txt', 'text\n');
    repository.commit();
    const session = await Session.open(sandbox, { folder: repository.root }, { atWork });
    const { page } = session.workbench;
    await session.workbench.showSourceControl();
    const longestTask = () => page.evaluate<number>('residentPage.takeLongestTask()');
    // The number on the view's icon is rounded.
    const shows = (condition: string) =>
      poll(
        async () => {
          const groups = "residentPage.scmRows().filter((row) => row.kind === 'group')";
          if (!(await page.evaluate<boolean>(`${groups}.some((row) => ${condition})`)))
            throw new Error('not yet');
        },
        { what: condition, timeoutMs: patienceMs },
      );
    for (let i = 0; i < changes; i++) repository.write(trackedFile(i), '');
    await longestTask();
    // Both groups end at their limit. Our group also shows the total count.
    const all = `row.name.endsWith('of ${changes.toLocaleString('en')})')`;
    await shows(
      atWork === 'ours' && changes > kMaxRows ? all : `row.count >= ${Math.min(changes, kMaxRows)}`,
    );
    console.log(`${name}: the longest task while ${changes} changes came in: ${await longestTask()} ms`);
    const rows =
      "residentPage.scmRows().reduce((sum, row) => sum + (row.kind === 'group' ? row.count : 0), 0)";
    const longest: string[] = [];
    let before = await page.evaluate<number>(rows);
    for (let n = 0; n < saves; n++) {
      // A save adds the row; the next save removes it.
      repository.write('tracked.txt', n % 2 === 0 ? 'other\n' : 'text\n');
      const isSeen = await page.evaluate<boolean>(
        `(async (end) => { while (${rows} === ${before} && Date.now() < end) await new Promise((next) => setTimeout(next, 50)); return Date.now() < end; })(Date.now() + ${kSeenMs})`,
      );
      // The save's other work comes after the row.
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      before = await page.evaluate<number>(rows);
      longest.push(isSeen ? String(await longestTask()) : 'not seen');
    }
    console.log(`${name}: the longest task around each save: ${longest.join(', ')} ms`);
  } finally {
    await Session.closeAll();
  }
}

besideBuiltIn(measure);
