/** The view's rows in the user's order, and their accessible names. */
import assert from 'node:assert/strict';
import { Repository } from '../support/repository';
import { poll } from './support/poll';
import { Session } from './support/session';
import { ViewMenu } from './support/viewMenu';

/** The first order is a new window's default. Status order: alphabetical by the row's status text. */
const kOrders = {
  Path: ['a/z.txt', 'b/m.txt', 'c/a.txt'],
  Name: ['c/a.txt', 'b/m.txt', 'a/z.txt'],
  Status: ['b/m.txt', 'a/z.txt', 'c/a.txt'],
};

describe('the order of rows in the workbench', () => {
  let session: Session;
  let repository: Repository;

  before(async () => {
    const sandbox = await Session.sharedSandbox();
    repository = Repository.init(sandbox, 'project');
    for (const path of kOrders.Path) repository.write(path, `${path}\n`);
    repository.commit();
    repository.append('a/z.txt', 'more\n');
    repository.remove('b/m.txt');
    repository.append('c/a.txt', 'more\n');
    session = await Session.share(sandbox);
    await session.workbench.showSourceControl();
  });
  Session.ofSuite();

  const sortBy = (key: string): Promise<void> =>
    new ViewMenu(session.workbench).pick('View & Sort', `Sort Changes by ${key}`);

  const isOrder = (order: readonly string[]): Promise<void> =>
    poll(
      async () => {
        const shown = (await session.workbench.resources()).map(({ path }) => path);
        assert.deepEqual(
          shown,
          order.map((path) => `${repository.root}/${path}`),
        );
      },
      { what: `rows as ${order.join(', ')}` },
    );

  it('is that of the path, where nobody chose another', () => isOrder(kOrders.Path));

  // The last key restores the default, because other files share the window.
  for (const key of ['Name', 'Status', 'Path'] as const) {
    it(`is that of the ${key.toLowerCase()}, where that was chosen`, async () => {
      await sortBy(key);
      await isOrder(kOrders[key]);
    });
  }

  it('has rows whose accessible names tell the file, its folder and what became of it', async () => {
    const label = await session.workbench.resource('b/m.txt').getAttribute('aria-label');
    assert.match(label ?? '', /^m\.txt, Deleted, b$/);
  });
});
