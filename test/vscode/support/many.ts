/** A window on many small repositories, each with one changed file. Most of their rows are out of sight. */
import { repositoryCopies, trackedFile } from '../../support/copies';
import type { Repository } from '../../support/repository';
import { Sandbox } from '../../support/sandbox';
import { poll } from './poll';
import { type AtWork, Session } from './session';

const files = 50;
const patienceMs = 180_000;

export class ManyRepositories {
  private constructor(
    readonly session: Session,
    readonly repositories: readonly Repository[],
    /** Time from the page's request until each repository's change is counted. */
    readonly milliseconds: number,
    private shown: number,
  ) {}

  static async open(count: number, options: { atWork?: AtWork } = {}): Promise<ManyRepositories> {
    const sandbox = new Sandbox();
    const repositories = repositoryCopies(sandbox, count, files, 'many');
    for (const repository of repositories) repository.append(trackedFile(0), 'changed\n');
    const session = await Session.open(sandbox, { folder: sandbox.path('many') }, options);
    const { page } = session.workbench;
    const many = new ManyRepositories(session, repositories, 0, count);
    await many.shows(count);
    const since = await page.evaluate<number>('Date.now() - performance.timeOrigin');
    return new ManyRepositories(session, repositories, since, count);
  }

  /** Changes another file, and waits until it is counted. Returns the time in milliseconds. */
  async save(repository: Repository, i: number): Promise<number> {
    const { page } = this.session.workbench;
    this.shown++;
    await page.evaluate(`void (globalThis.residentCount = residentPage.changesReach(${this.shown}))`);
    const started = Date.now();
    repository.append(trackedFile(i), 'changed\n');
    return (await page.evaluate<number>('globalThis.residentCount')) - started;
  }

  private async shows(count: number): Promise<void> {
    const { page } = this.session.workbench;
    await poll(
      async () => {
        const shown = await page.evaluate<number>('residentPage.changeCount()');
        if (shown !== count) throw new Error(`${shown} changes are counted`);
      },
      { what: `the changes of ${count} repositories are counted`, timeoutMs: patienceMs },
    );
  }
}
