/** The workbench in another language than English: what is ours is in that language too. */
import assert from 'node:assert/strict';
import { Repository } from '../support/repository';
import { Sandbox } from '../support/sandbox';
import { poll } from './support/poll';
import { Session } from './support/session';

/** What a language pack sets, which is not installed here: the workbench's own texts stay English. */
const kChinese = `Object.defineProperty(globalThis, '_VSCODE_NLS_LANGUAGE', { get: () => 'zh-cn', set() {} })`;

describe('Chinese in the workbench', () => {
  let session: Session;
  let repository: Repository;

  before(async () => {
    const sandbox = new Sandbox();
    repository = Repository.init(sandbox, 'r');
    repository.write('file.txt', 'one\n');
    repository.commit();
    session = await Session.open(sandbox, { folder: repository.root }, { script: kChinese });
    await session.workbench.showSourceControl();
  });
  Session.ofSuite();

  it('names the groups of the view, and what happened to a file', async () => {
    repository.append('file.txt', 'two\n');
    repository.write('new.txt', 'new\n');
    await poll(
      async () => {
        const rows = await session.workbench.scmRows();
        const groups = rows.flatMap((row) => (row.kind === 'group' ? [row.name] : []));
        assert.ok(groups.includes('更改') && groups.includes('未跟踪的更改'), groups.join());
        const [changed] = rows.filter((row) => row.kind === 'resource');
        assert.equal(changed?.tooltip, '已修改');
      },
      { what: 'the view is in Chinese' },
    );
  });

  it('has its reports in that language', async () => {
    await session.workbench.command('Resident Git: Show What Is Watched');
    await session.workbench.editorShows(/帮助程序的进程号为 \d+，占用 \d+ MB 内存/);
    await session.workbench.editorShows(/git 目录: .*\.git/);
  });
});
