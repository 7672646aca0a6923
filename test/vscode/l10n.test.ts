/** In a workbench that is not in English, our texts are translated too. */
import assert from 'node:assert/strict';
import { Repository } from '../support/repository';
import { Sandbox } from '../support/sandbox';
import { poll } from './support/poll';
import { Session } from './support/session';

/** Sets the variable of a language pack. No pack is installed, so the workbench's own texts stay English. */
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
    await session.workbench.command('Resident Git: Show Diagnostics');
    await session.workbench.editorShows(/后台进程的进程号为 \d+，占用 \d+ MB 内存/);
    await session.workbench.editorShows(/git 目录: .*\.git/);
  });

  it('says in that language why git answers, and why nothing can', async () => {
    const grafts = repository.absolute('.git/info/grafts').toString();
    repository.write('.git/info/grafts', '');
    await poll(
      async () => {
        const labels = (await session.workbench.statusItems()).map(({ label }) => label).join('\n');
        assert.ok(labels.includes(`此存储库由 git 回答: ${grafts}: 存在嫁接(grafts)`), labels);
      },
      { what: 'the status bar says that git answers' },
    );
    await session.workbench.command('Resident Git: Show Diagnostics');
    await session.workbench.editorShows(/此存储库由 git 回答: .*grafts: 存在嫁接\(grafts\)/);
    repository.remove('.git/info/grafts');
    const index = repository.absolute('.git/index').toString();
    repository.write('.git/index', `none${'\0'.repeat(100)}`);
    const placeholder = `${index}: 没有索引签名，位于字节 0`;
    await poll(
      async () => {
        const shown = await session.workbench.commitPlaceholder();
        assert.ok(shown.startsWith(placeholder), shown);
      },
      { what: 'the view says what is wrong with the index' },
    );
  });
});
