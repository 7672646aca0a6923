/**
 * A worktree with very many changes, beside VS Code's own Git: the longest task of the window, which answers to no key
 * meanwhile, while all of them come in and while one file is saved.
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
    // The number at the view's icon is rounded.
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
    // The built-in's group ends at its limit; so does ours, and says of how many.
    const all = `row.name.endsWith('of ${changes.toLocaleString('en')})')`;
    await shows(
      atWork === 'ours' && changes > kMaxRows ? all : `row.count >= ${Math.min(changes, kMaxRows)}`,
    );
    console.log(`${name}: the longest task while ${changes} changes came in: ${await longestTask()} ms`);
    let longest = 0;
    for (let n = 0; n < saves; n++) {
      repository.append('tracked.txt', 'more\n');
      await new Promise((resolve) => setTimeout(resolve, 2_000));
      longest = Math.max(longest, await longestTask());
    }
    console.log(`${name}: the longest task around a save: ${longest} ms`);
  } finally {
    await Session.closeAll();
  }
}

besideBuiltIn(measure);
