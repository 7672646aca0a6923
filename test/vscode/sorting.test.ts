/** The view's rows in the order that a person chose, and what a screen reader hears of them. */
import assert from 'node:assert/strict';
import { Repository } from '../support/repository';
import { Sandbox } from '../support/sandbox';
import { poll } from './support/poll';
import { Session } from './support/session';

/** By status: what a row says of itself ("Deleted", "Modified"), in the order of its letters. */
const kOrders = {
  path: ['a/z.txt', 'b/m.txt', 'c/a.txt'],
  name: ['c/a.txt', 'b/m.txt', 'a/z.txt'],
  status: ['b/m.txt', 'a/z.txt', 'c/a.txt'],
};

const kSetting = 'scm.defaultViewSortKey';

describe('the order of rows in the workbench', () => {
  let session: Session;
  let repository: Repository;

  before(async () => {
    const sandbox = new Sandbox();
    repository = Repository.init(sandbox, 'project');
    for (const path of kOrders.path) repository.write(path, `${path}\n`);
    repository.commit();
    repository.append('a/z.txt', 'more\n');
    repository.remove('b/m.txt');
    repository.append('c/a.txt', 'more\n');
    const settings = { [kSetting]: Object.keys(kOrders)[0] };
    session = await Session.open(sandbox, { folder: repository.root }, { settings });
  });
  Session.ofSuite();

  for (const [key, order] of Object.entries(kOrders)) {
    it(`is that of the ${key}`, async () => {
      if (session.userSettings()[kSetting] !== key) {
        session.set(kSetting, key);
        await session.workbench.reload();
      }
      await session.workbench.showSourceControl();
      await poll(
        async () => {
          const shown = (await session.workbench.resources()).map(({ path }) => path);
          assert.deepEqual(
            shown,
            order.map((path) => `${repository.root}/${path}`),
          );
        },
        { what: `rows by ${key}` },
      );
    });
  }

  it('has rows whose accessible names tell the file, its folder and what became of it', async () => {
    const label = await session.workbench.resource('b/m.txt').getAttribute('aria-label');
    assert.match(label ?? '', /^m\.txt, Deleted, b$/);
  });
});
