/**
 * How soon a window shows what changed, beside VS Code's own Git: from the page's being asked for until the first row of the
 * Source Control view, on a folder that is a repository. Both in turn, each in a workbench of its own.
 *
 *     npm run package && npx tsx test/vscode/firstFigures.ts [files] [rounds]
 */
import { percentile } from '../perf/deltaLatency';
import { trackedFile } from '../support/copies';
import { Repository } from '../support/repository';
import { Sandbox } from '../support/sandbox';
import { type AtWork, Session } from './support/session';

const files = Number(process.argv[2] ?? 2_000);
const rounds = Number(process.argv[3] ?? 10);

async function open(atWork: AtWork): Promise<Session> {
  const sandbox = new Sandbox();
  const repository = Repository.init(sandbox, 'project');
  for (let i = 0; i < files; i++) repository.write(trackedFile(i), `${i}\n`);
  repository.commit();
  repository.append(trackedFile(0), 'changed\n');
  const session = await Session.open(sandbox, { folder: repository.root }, { atWork });
  await session.workbench.showSourceControl();
  await session.matchesGit(repository);
  return session;
}

async function main(): Promise<void> {
  const ours = await open('ours');
  const sides = [
    { name: 'Resident Git', session: ours, samples: [] as number[] },
    { name: 'built-in Git', session: await open('builtIn'), samples: [] as number[] },
  ];
  for (let n = 0; n < rounds; n++) {
    for (const { session, samples } of sides) {
      samples.push(Math.round(await session.workbench.reloadUntil('residentPage.hasRow()')));
    }
  }
  for (const { name, samples } of sides) {
    const [p50, least] = [percentile(samples, 0.5), Math.min(...samples)];
    console.log(
      `${name}: the first row ${p50} ms after the page was asked for (least ${least}), of ${rounds}`,
    );
  }
  for (const [line] of ours.extensionLog().matchAll(/activated in .*/g)) console.log(line);
}

main()
  .catch((error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  })
  .finally(() => Session.closeAll());
