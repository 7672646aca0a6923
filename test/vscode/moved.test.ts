/** Repositories that are moved, removed and made again while the window has their folder open. */
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { Repository } from '../support/repository';
import { Sandbox } from '../support/sandbox';
import { Session } from './support/session';

describe('repositories that move', () => {
  let sandbox: Sandbox;
  let session: Session;

  before(async () => {
    sandbox = new Sandbox();
    mkdirSync(sandbox.path('work'));
    changed('work/one');
    session = await Session.open(sandbox, { folder: sandbox.path('work') });
    await session.workbench.showSourceControl();
  });
  Session.ofSuite();

  const at = (name: string) => new Repository(sandbox, sandbox.path(name));
  function changed(name: string): Repository {
    const repository = Repository.init(sandbox, name);
    repository.write('file.txt', 'one\n');
    repository.commit();
    repository.append('file.txt', 'two\n');
    return repository;
  }
  const move = (from: string, to: string) => {
    renameSync(sandbox.path(from), sandbox.path(to));
  };

  it('are found under another name, and where they come from elsewhere', async () => {
    await session.matchesGit(at('work/one'));
    move('work/one', 'work/renamed');
    await session.matchesGit(at('work/renamed'));
    changed('elsewhere');
    move('elsewhere', 'work/two');
    await session.matchesGit(at('work/renamed'), at('work/two'));
  });

  it('go with their .git, and come with a new one', async () => {
    rmSync(sandbox.path('work/two/.git'), { recursive: true });
    await session.matchesGit(at('work/renamed'));
    changed('work/two');
    await session.matchesGit(at('work/renamed'), at('work/two'));
  });

  it('come back with the folder that is open', async () => {
    move('work', 'away');
    await session.matchesGit();
    move('away', 'work');
    await session.matchesGit(at('work/renamed'), at('work/two'));
  });
});
