/**
 * Measures how soon a window shows that changes exist, compared with VS Code's own Git. Times run from the page's
 * request to the number on the Source Control view's icon. Each run has a fresh profile, and the two take turns. A
 * reloaded window would wait for the lock of the earlier extension host, with any extension.
 *
 *     npm run package && npx tsx test/vscode/firstFigures.ts [files] [rounds] [folder]
 *
 * `folder`: the folder to open, relative to the repository's root. Default: the whole repository.
 */
import { percentile } from '../perf/deltaLatency';
import { trackedFile } from '../support/copies';
import { Repository } from '../support/repository';
import { Sandbox } from '../support/sandbox';
import { type AtWork, Session } from './support/session';

const files = Number(process.argv[2] ?? 2_000);
const rounds = Number(process.argv[3] ?? 10);
const folder = process.argv[4] ?? '.';

async function measure(atWork: AtWork): Promise<number> {
  const sandbox = new Sandbox();
  const repository = Repository.init(sandbox, 'project');
  for (let i = 0; i < files; i++) repository.write(trackedFile(i), `${i}\n`);
  repository.commit();
  repository.append(trackedFile(0), 'changed\n');
  const opened = repository.absolute(folder).toString();
  // Without this setting, the built-in asks before it opens the repository around a folder.
  const settings = { 'git.openRepositoryInParentFolders': 'always' };
  const { workbench } = await Session.open(sandbox, { folder: opened }, { atWork, settings });
  const milliseconds = await workbench.page.evaluate<number>(
    'residentPage.changesReach(1).then((when) => when - performance.timeOrigin)',
  );
  await Session.closeAll();
  return Math.round(milliseconds);
}

async function main(): Promise<void> {
  const sides = [
    { name: 'Resident Git', atWork: 'ours' as const, samples: [] as number[] },
    { name: 'built-in Git', atWork: 'builtIn' as const, samples: [] as number[] },
  ];
  for (let n = 0; n < rounds; n++) {
    for (const { atWork, samples } of sides) samples.push(await measure(atWork));
  }
  for (const { name, samples } of sides) {
    const [p50, least] = [percentile(samples, 0.5), Math.min(...samples)];
    console.log(
      `${name}: the first number ${p50} ms after the page was asked for (least ${least}), of ${rounds}`,
    );
  }
}

main()
  .catch((error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  })
  .finally(() => Session.closeAll());
