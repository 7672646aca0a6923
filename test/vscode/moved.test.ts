/** Repositories are moved, removed and created again while their folder is open in the window. */
import assert from 'node:assert/strict';
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { Repository } from '../support/repository';
import { Sandbox } from '../support/sandbox';
import { poll } from './support/poll';
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

  it('leave no row where they are removed, a broken one neither', async () => {
    const { workbench } = session;
    const rows = async () => (await workbench.scmRows()).filter(({ kind }) => kind === 'repository').length;
    changed('work/three');
    await session.matchesGit(at('work/renamed'), at('work/three'), at('work/two'));
    rmSync(sandbox.path('work/three'), { recursive: true });
    await poll(async () => assert.equal(await rows(), 2), { what: 'a removed one has no row' });
    changed('work/three').write('.git/config', 'no config\n');
    await poll(async () => assert.equal(await rows(), 3), { what: 'a broken one has a row' });
    rmSync(sandbox.path('work/three'), { recursive: true });
    await poll(async () => assert.equal(await rows(), 2), { what: 'it has none when it is removed' });
  });

  it('come back with the folder that is open', async () => {
    move('work', 'away');
    await session.matchesGit();
    move('away', 'work');
    await session.matchesGit(at('work/renamed'), at('work/two'));
  });
});
