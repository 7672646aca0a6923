/**
 * Measures how long a person waits, compared with VS Code's own Git. Actions: stage a file, stage many, commit many,
 * check out another branch. Times run from the click until the view is right. Each action reports its number of gits
 * too.
 *
 *     npm run package && npx tsx test/vscode/actionFigures.ts [files] [rounds]
 */
import assert from 'node:assert/strict';
import { percentile } from '../perf/deltaLatency';
import { trackedFile } from '../support/copies';
import { Repository } from '../support/repository';
import { Sandbox } from '../support/sandbox';
import { besideBuiltIn } from './support/figures';
import { GitCount } from './support/gitCount';
import { poll } from './support/poll';
import { type AtWork, Session } from './support/session';

const files = Number(process.argv[2] ?? 10_000);
const rounds = Number(process.argv[3] ?? 5);

const kPrefix: Record<AtWork, string> = { ours: 'Resident Git: ', builtIn: 'Git: ', both: '' };

interface Sample {
  milliseconds: number;
  gits: number;
}

class Figures {
  readonly samples = new Map<string, Sample[]>();
  private readonly gits: GitCount;

  private constructor(
    private readonly session: Session,
    private readonly repository: Repository,
    private readonly prefix: string,
  ) {
    this.gits = new GitCount(session.sandbox);
  }

  static async open(atWork: AtWork): Promise<Figures> {
    const sandbox = new Sandbox();
    sandbox.installSpy();
    const repository = Repository.init(sandbox, 'project');
    for (let i = 0; i < files; i++) repository.write(trackedFile(i), `${i}\n`);
    repository.commit();
    const env = sandbox.spiedEnv();
    const session = await Session.open(sandbox, { folder: repository.root }, { atWork, env });
    // The built-in shows only a part of more changes than its limit. The default limit equals the default `files`.
    session.set('git.statusLimit', 2 * files);
    // A window can take PATH from a login shell, so the spy needs its path.
    session.set('git.path', sandbox.path('bin/git'));
    await session.workbench.reload();
    await session.workbench.showSourceControl();
    return new Figures(session, repository, kPrefix[atWork]);
  }

  async round(n: number): Promise<void> {
    const { repository, session } = this;
    const { workbench } = session;
    const stage = `${this.prefix}Stage All Changes`;

    repository.append(trackedFile(0), `${n}\n`);
    await this.shows(onlyIn('Changes', 1));
    await this.take('stage one file', onlyIn('Staged Changes', 1), () =>
      workbench.rowAction(trackedFile(0), 'Stage Changes'),
    );

    for (let i = 1; i < files; i++) repository.append(trackedFile(i), `${n}\n`);
    repository.git('reset', '-q');
    await this.shows(onlyIn('Changes', files));
    await this.take(`stage ${files}`, onlyIn('Staged Changes', files), () => workbench.command(stage));

    await workbench.writeMessage(`round ${n}`);
    await this.take(`commit ${files}`, onlyIn('', 0), () => workbench.command(`${this.prefix}Commit`));
    assert.equal(repository.git('log', '-1', '--format=%s').trim(), `round ${n}`);

    const other = `other-${n}`;
    repository.git('branch', other, 'HEAD~1');
    await workbench.command(`${this.prefix}Checkout to...`);
    await workbench.offers(other);
    await this.take(`check out a branch with ${files} other files`, onBranch(other), () =>
      workbench.pick(other),
    );
    await this.shows(onlyIn('', 0));
    repository.git('checkout', '-q', 'main');
    await this.shows(onBranch('main'));
  }

  private async take(what: string, condition: string, act: () => Promise<void>): Promise<void> {
    const { page } = this.session.workbench;
    const before = await this.gits.atRest();
    await page.evaluate(`void (globalThis.residentTaken = residentPage.fromClick(() => ${condition}))`);
    await act();
    const milliseconds = await page.evaluate<number>('globalThis.residentTaken');
    const after = await this.gits.atRest();
    const samples = this.samples.get(what) ?? [];
    samples.push({ milliseconds, gits: after - before });
    this.samples.set(what, samples);
  }

  private shows(condition: string): Promise<void> {
    return poll(async () => assert.ok(await this.session.workbench.page.evaluate<boolean>(condition)), {
      what: condition,
    });
  }
}

/** Expressions for the page. */
const onlyIn = (group: string, count: number): string =>
  `residentPage.hasOnly(${JSON.stringify(group)}, ${count})`;
// Beside a spinning wheel, the name is that of the branch being checked out.
const onBranch = (name: string): string =>
  `[...document.querySelectorAll('.part.statusbar .statusbar-item')].some((item) =>
    item.textContent.trim().startsWith(${JSON.stringify(name)}) && !item.querySelector('.codicon-modifier-spin'))`;

async function measure(name: string, atWork: AtWork): Promise<void> {
  try {
    const figures = await Figures.open(atWork);
    for (let n = 1; n <= rounds; n++) await figures.round(n);
    for (const [what, samples] of figures.samples) {
      const times = samples.map(({ milliseconds }) => milliseconds);
      const gits = samples.map((sample) => sample.gits);
      console.log(
        `${name}: ${what}: ${percentile(times, 0.5)} ms (least ${Math.min(...times)}), ` +
          `${percentile(gits, 0.5)} gits, of ${samples.length}`,
      );
    }
  } finally {
    await Session.closeAll();
  }
}

besideBuiltIn(measure);
