/** What goes wrong heals: a lost event, a helper that dies. */
import assert from 'node:assert/strict';
import { appendFileSync, linkSync } from 'node:fs';
import { Repository } from '../support/repository';
import { expectedRows, shownRows } from './support/expected';
import { helperPids } from './support/helper-process';
import { poll } from './support/poll';
import { Session } from './support/session';

describe('recovery in the workbench', () => {
  let session: Session;
  let repository: Repository;

  before(async () => {
    const sandbox = await Session.sharedSandbox();
    repository = Repository.init(sandbox, 'project');
    for (const name of ['a', 'b', 'c', 'd']) repository.write(`src/${name}.txt`, `${name}\n`);
    repository.commit();
    repository.append('src/a.txt', 'changed\n');
    repository.write('src/new.txt', 'new\n');
    session = await Session.share(sandbox);
    await session.workbench.showSourceControl();
    await session.matchesGit(repository);
  });
  Session.ofSuite();

  it('sees by "Rescan worktree" what no event told of', async () => {
    // The kernel reports a write under the name that was written to, and that one lies elsewhere.
    const elsewhere = session.sandbox.path('elsewhere.txt');
    linkSync(repository.absolute('src/b.txt'), elsewhere);
    appendFileSync(elsewhere, 'written under another name\n');
    await session.workbench.command('Resident Git: Rescan worktree');
    await session.matchesGit(repository);
    const rows = shownRows(await session.workbench.resources());
    assert.ok(rows.includes(`Changes: ${repository.root}/src/b.txt`));
  });

  it('keeps its rows while a killed helper is restarted, and goes on', async () => {
    const before = expectedRows(repository);
    const [pid, ...others] = helperPids(session.profile);
    assert.ok(pid !== undefined && others.length === 0, 'one helper runs');
    process.kill(pid, 'SIGKILL');
    await poll(
      async () => {
        const rows = shownRows(await session.workbench.resources());
        if (JSON.stringify(rows) !== JSON.stringify(before)) throw new RowsLost(rows);
        const [next] = helperPids(session.profile);
        assert.ok(next !== undefined && next !== pid, 'a new helper runs');
      },
      { what: 'the helper is restarted', giveUp: RowsLost },
    );
    repository.append('src/c.txt', 'after the restart\n');
    await session.matchesGit(repository);
  });

  it('sees what changed while the helper was away', async () => {
    const [pid] = helperPids(session.profile);
    assert.ok(pid !== undefined);
    process.kill(pid, 'SIGKILL');
    repository.append('src/d.txt', 'meanwhile\n');
    repository.remove('src/new.txt');
    await session.matchesGit(repository);
  });

  it('has another helper by "Restart Background Process", and shows the log', async () => {
    const [pid] = helperPids(session.profile);
    assert.ok(pid !== undefined);
    await session.workbench.command('Resident Git: Restart Background Process');
    await poll(
      () => {
        const [next, ...others] = helperPids(session.profile);
        assert.ok(next !== undefined && next !== pid && others.length === 0);
      },
      { what: 'another one runs alone' },
    );
    repository.write('src/later.txt', 'later\n');
    await session.matchesGit(repository);
    await session.workbench.command('Resident Git: Show Log');
    const log = session.workbench.page.locator('.part.panel .view-lines').first();
    await poll(async () => assert.match((await log.textContent({ timeout: 5_000 })) ?? '', /\[info\]/), {
      what: 'the log is shown',
    });
  });
});

class RowsLost extends Error {
  constructor(rows: string[]) {
    super(`the rows changed while the helper was away: ${JSON.stringify(rows)}`);
  }
}
