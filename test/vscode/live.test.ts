/** Changes from outside appear in the Source Control view and in the explorer's badges. */
import assert from 'node:assert/strict';
import { Repository } from '../support/repository';
import { Sandbox } from '../support/sandbox';
import { poll } from './support/poll';
import { Session } from './support/session';
import type { ExplorerRow, ResourceRow, ScmRow } from './support/workbench';

describe('a repository in the workbench', () => {
  let session: Session;
  let repository: Repository;
  const absolute = (path: string): string => `${repository.root}/${path}`;

  before(async () => {
    const sandbox = new Sandbox();
    repository = Repository.init(sandbox, 'project');
    repository.write('README.md', '# Project\n');
    repository.write('src/main.ts', 'export const answer = 42;\n');
    repository.write('src/util.ts', 'export const one = 1;\n');
    repository.write('docs/guide.md', 'Read me.\n');
    repository.write('.gitignore', '*.log\n');
    repository.commit();
    repository.write('build.log', 'ignored\n');
    repository.append('src/main.ts', 'export const more = 43;\n');
    repository.write('notes.txt', 'untracked\n');
    session = await Session.open(sandbox, { folder: repository.root });
  });
  Session.ofSuite();

  /** Waits for a row of the Source Control view that has these properties. */
  async function resource(group: string, path: string, expected: Partial<ResourceRow> = {}): Promise<void> {
    await poll(
      async () => {
        const rows = await session.workbench.resources();
        const found = rows.find((row) => row.group === group && row.path === absolute(path));
        assert.ok(found, `no such row among ${JSON.stringify(rows)}`);
        assert.deepEqual({ ...found, ...expected }, found);
      },
      { what: `${path} under ${group}` },
    );
  }

  /** Waits for a row of the explorer that passes `check`. */
  async function explorer(path: string, check: (row: ExplorerRow) => void): Promise<void> {
    await poll(
      async () => {
        const rows = await session.workbench.explorerRows();
        const found = rows.find((row) => row.path === absolute(path));
        assert.ok(found, `${path} is not in sight`);
        check(found);
      },
      { what: `the explorer's row of ${path}` },
    );
  }

  it('shows the groups and rows of what was changed before it was opened', async () => {
    await session.workbench.showSourceControl();
    await session.matchesGit(repository);
    const rows = await session.workbench.scmRows();
    const groups = rows.filter((row): row is Extract<ScmRow, { kind: 'group' }> => row.kind === 'group');
    const shown = groups.filter(({ count }) => count > 0).map(({ name, count }) => `${name} ${count}`);
    assert.deepEqual(shown, ['Changes 1', 'Untracked Changes 1']);
  });

  it('started with the folder, not after the start-up', async () => {
    await session.startedEarly();
  });

  it('gives rows the letters and tooltips of the built-in Git', async () => {
    await resource('Changes', 'src/main.ts', { badge: 'M', tooltip: 'Modified' });
    await resource('Untracked Changes', 'notes.txt', { badge: 'U', tooltip: 'Untracked' });
  });

  it('shows an edit', async () => {
    repository.append('README.md', 'more\n');
    await resource('Changes', 'README.md', { badge: 'M', tooltip: 'Modified' });
    await session.matchesGit(repository);
  });

  it('shows a new file', async () => {
    repository.write('src/new.ts', 'export {};\n');
    await resource('Untracked Changes', 'src/new.ts', { badge: 'U' });
    await session.matchesGit(repository);
  });

  it('shows a new folder with its files', async () => {
    repository.write('lib/deep/one.ts', '1;\n');
    repository.write('lib/deep/two.ts', '2;\n');
    await session.matchesGit(repository);
  });

  it('shows a deletion, struck through', async () => {
    repository.remove('docs/guide.md');
    await resource('Changes', 'docs/guide.md', { tooltip: 'Deleted', strikethrough: true });
    await session.matchesGit(repository);
  });

  it('shows a rename', async () => {
    repository.rename('src/util.ts', 'src/helpers.ts');
    await session.matchesGit(repository);
  });

  it('shows what is staged', async () => {
    repository.git('add', 'README.md', 'src/new.ts');
    await resource('Staged Changes', 'README.md', { badge: 'M', tooltip: 'Index Modified' });
    await resource('Staged Changes', 'src/new.ts', { badge: 'A', tooltip: 'Index Added' });
    await session.matchesGit(repository);
  });

  it('shows a staged rename as one row', async () => {
    repository.git('add', '-A', 'src');
    await resource('Staged Changes', 'src/helpers.ts', { badge: 'R', tooltip: 'Index Renamed' });
    await session.matchesGit(repository);
  });

  it('shows a file that is staged and edited again in both groups', async () => {
    repository.append('README.md', 'once more\n');
    await resource('Changes', 'README.md');
    await resource('Staged Changes', 'README.md');
    await session.workbench.screenshot('source-control');
    await session.matchesGit(repository);
  });

  it('badges files and folders in the explorer, and greys what is ignored', async () => {
    await session.workbench.showExplorer();
    await explorer('notes.txt', (row) => assert.equal(row.badge, 'U'));
    await explorer('README.md', (row) => assert.match(row.badge, /^M/));
    let plain = '';
    await explorer('.gitignore', (row) => {
      assert.equal(row.badge, '');
      plain = row.color;
    });
    await explorer('src', (row) =>
      assert.notEqual(row.color, plain, 'the folder has the colour of its files'),
    );
    await explorer('build.log', (row) => {
      assert.equal(row.badge, '');
      assert.notEqual(row.color, plain, 'an ignored file has its own colour');
    });
    await session.workbench.screenshot('explorer');
  });

  it('badges an edit in the explorer within the second', async () => {
    repository.append('.gitignore', '*.tmp\n');
    const started = Date.now();
    await explorer('.gitignore', (row) => assert.equal(row.badge, 'M'));
    assert.ok(Date.now() - started < 1_000, `it took ${Date.now() - started} ms`);
  });

  it('opens a diff of a changed file with a click', async () => {
    await session.workbench.showSourceControl();
    await resource('Changes', 'README.md');
    await session.workbench.resource('README.md').click();
    await session.workbench.page.locator('.monaco-diff-editor').first().waitFor();
    await session.workbench.screenshot('diff');
  });

  it('shows the branch in the status bar', async () => {
    await poll(
      async () => {
        const items = await session.workbench.statusItems();
        assert.ok(
          items.some(({ text }) => text.includes('main')),
          JSON.stringify(items),
        );
      },
      { what: 'the branch is in the status bar' },
    );
    repository.git('checkout', '-q', '-b', 'topic/one');
    await poll(
      async () => {
        const items = await session.workbench.statusItems();
        assert.ok(
          items.some(({ text }) => text.includes('topic/one')),
          JSON.stringify(items),
        );
      },
      { what: 'the new branch is in the status bar' },
    );
  });

  it('empties its groups after a commit', async () => {
    repository.commit();
    await session.matchesGit(repository);
    assert.deepEqual(await session.workbench.resources(), []);
  });

  it('shows a merge conflict under Merge Changes', async () => {
    repository.git('checkout', '-q', '-b', 'theirs');
    repository.write('README.md', 'theirs\n');
    repository.commit();
    repository.git('checkout', '-q', 'topic/one');
    repository.write('README.md', 'ours\n');
    repository.commit();
    repository.tryGit('merge', '-q', 'theirs');
    await resource('Merge Changes', 'README.md', { badge: '!', tooltip: 'Conflict: Both Modified' });
    await session.matchesGit(repository);
    repository.git('merge', '--abort');
    await session.matchesGit(repository);
  });
});
