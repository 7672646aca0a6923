/** The view File History as a person uses it, compared with git's own list. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { Repository } from '../support/repository';
import { Sandbox } from '../support/sandbox';
import type { Locator } from './support/browser';
import { poll } from './support/poll';
import { Session } from './support/session';

const kPane = '.part.sidebar .pane:has(.pane-header[aria-label^="File History"])';
const kPage = 50;
const kPicture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
).toString('latin1');

describe('the view File History', () => {
  let session: Session;
  let repository: Repository;
  let sandbox: Sandbox;

  before(async () => {
    sandbox = new Sandbox();
    repository = Repository.init(sandbox, 'project');
    repository.write('old name.txt', 'first\nsecond\nthird\nfourth\nfifth\n');
    repository.write('folder/inner.txt', 'a\n');
    repository.write('folder/other.txt', 'b\n');
    commit('The first commit');
    repository.git('mv', 'old name.txt', 'alpha.txt');
    commit('Rename to alpha');
    for (let n = 1; n <= 60; n++) {
      repository.write('alpha.txt', `first\nsecond ${n}\nthird\nfourth\nfifth\n`);
      commit(`Change ${n}`);
    }
    repository.git('tag', 'v1');
    repository.write('folder/inner.txt', 'a changed\n');
    repository.write('folder/other.txt', 'b changed\n');
    repository.write('picture.png', kPicture);
    commit('Both in the folder');
    repository.write('picture.png', `${kPicture}more`);
    repository.remove('folder/other.txt');
    commit('A new picture');
    repository.write('untracked.txt', 'untracked\n');
    repository.git('checkout', '-q', '-b', 'side', 'HEAD~3');
    repository.write('side.txt', 'side\n');
    commit('On the side');
    repository.git('checkout', '-q', 'main');
    repository.git('merge', '-q', '--no-edit', '-m', 'Merge the side', 'side');
    // Notes each git of the extension.
    const program = sandbox.path('noting-git');
    writeFileSync(program, `#!/bin/sh\necho "$*" >>'${sandbox.path('gits.log')}'\nexec git "$@"\n`, {
      mode: 0o755,
    });
    // Other suites see no tooltips.
    const delays = { 'workbench.hover.delay': 1_000, 'workbench.hover.reducedDelay': 1_000 };
    const settings = { 'git.path': program, ...delays };
    session = await Session.open(sandbox, { folder: repository.root }, { settings });
    await session.workbench.showSourceControl();
    await session.matchesGit(repository);
  });
  Session.ofSuite();

  function commit(message: string): void {
    repository.git('add', '-A', '--', ':!untracked.txt');
    repository.git('commit', '-q', '-m', message);
  }
  const pane = () => session.workbench.page.locator(kPane).first();
  const row = (text: string): Locator => pane().locator('.monaco-list-row').filter({ hasText: text }).first();
  const run = (title: string) => session.workbench.command(`Resident Git: ${title}`);
  const open = (path: string) => session.workbench.openFile(`${repository.root}/${path}`);
  const subjects = (...args: string[]) =>
    repository
      .git('log', '--format=%s', ...args)
      .split('\n')
      .slice(0, -1);
  const gits = () =>
    readFileSync(sandbox.path('gits.log'), 'latin1')
      .split('\n')
      .filter((line) => line.includes('log ')).length;

  async function scrolledRows(): Promise<string[]> {
    return session.workbench.page.evaluate<string[]>(
      `[...document.querySelector('${kPane}').querySelectorAll('.monaco-list-row')]
        .sort((a, b) => parseInt(a.style.top, 10) - parseInt(b.style.top, 10))
        .map((row) => row.querySelector('.label-name').textContent)`,
    );
  }
  /** The first rows are these commits, and the view has `size` rows. */
  async function shows(expected: readonly string[], size = expected.length): Promise<void> {
    await poll(
      async () => {
        const rows = await scrolledRows();
        assert.ok(rows.length > 0 || size === 0, 'it has no rows');
        assert.deepEqual(rows, expected.slice(0, rows.length));
        const first = pane().locator('.monaco-list-row').first();
        if (size > 0) assert.equal(Number(await first.getAttribute('aria-setsize')), size);
      },
      { what: `the view shows ${expected[0] ?? 'nothing'} and ${size} rows in all` },
    );
  }
  async function names(name: string): Promise<void> {
    const header = pane().locator('.pane-header').first();
    await poll(async () => assert.equal(await header.locator('.description').first().textContent(), name), {
      what: `the title names ${name}`,
    });
  }
  async function tells(pattern: RegExp): Promise<void> {
    await poll(
      async () => assert.match((await pane().locator('.message').first().textContent()) ?? '', pattern),
      {
        what: `the view says ${String(pattern)}`,
      },
    );
  }
  async function tab(title: string): Promise<void> {
    await session.workbench.page.locator('.tab.active').filter({ hasText: title }).first().waitFor();
  }
  /** Presses a key in the view's list. */
  async function press(key: string): Promise<void> {
    await pane().locator('.monaco-list').first().focus();
    await session.workbench.page.keyboard.press(key);
  }
  const short = (subject: string) =>
    repository.git('log', '--all', '-1', '--format=%H', `--grep=^${subject}$`).slice(0, 8);
  /** Presses a button in the view's title, which then has the other one. */
  async function pin(title: string, other: string): Promise<void> {
    const header = pane().locator('.pane-header').first();
    const button = (name: string) => header.locator(`.action-label[aria-label="${name}"]`).first();
    await poll(
      async () => {
        await header.hover();
        if (await button(title).isVisible()) await button(title).click({ timeout: 5_000 });
        await button(other).waitFor({ timeout: 5_000 });
      },
      { what: `the title has "${other}"` },
    );
  }
  const pinIt = () => pin('Pin File History', 'Unpin File History');
  const unpinIt = () => pin('Unpin File History', 'Pin File History');

  it('lists the commits of the file in front, across its rename, page by page', async () => {
    await open('alpha.txt');
    await run('Show File History');
    await names('alpha.txt');
    const all = subjects('--follow', '--', 'alpha.txt');
    assert.equal(all.length, 62);
    await shows([...all.slice(0, kPage), 'Load More'], kPage + 1);
    await enlarge();
    await row('Change 60').click();
    await tab('alpha.txt');
    await press('End');
    await row('Load More').click();
    await poll(
      async () => {
        await press('End');
        assert.equal((await scrolledRows()).at(-1), 'The first commit');
      },
      { what: 'the oldest commit is shown' },
    );
    assert.equal(Number(await row('The first commit').getAttribute('aria-setsize')), all.length);
    await press('Home');
    await shows(all);
  });

  it('names subject, author, age and id to a screen reader', async () => {
    const label = (await row('Change 60').getAttribute('aria-label')) ?? '';
    assert.match(label, /^Change 60, by .+, .+ ago, commit [0-9a-f]{8}$/);
    assert.ok(label.endsWith(short('Change 60')), label);
  });

  it('has the whole message and the refs in a tooltip, which is read when it is shown', async () => {
    const tooltip = session.workbench.page.locator('.monaco-hover').filter({ hasText: 'tag: v1' }).first();
    await poll(
      async () => {
        await row('Change 58').hover();
        await row('Change 60').hover();
        await tooltip.waitFor({ timeout: 5_000 });
        const text = ((await tooltip.textContent()) ?? '').replaceAll('\u00a0', ' ');
        assert.match(text, /Thor.*Change 60/s);
      },
      { what: 'the tooltip has the whole commit' },
    );
    await session.workbench.screenshot('file-history-tooltip');
    await session.workbench.page.keyboard.press('Escape');
    await row('Change 58').hover();
    await tooltip.waitFor({ state: 'hidden' });
  });

  it('compares with the version before, also across the rename, and of an added file', async () => {
    await row('Change 59').click();
    await tab(`alpha.txt (${short('Change 58')} ↔ ${short('Change 59')})`);
    await session.workbench.page.locator('.editor-group-container.active .line-delete').first().waitFor();
    await session.workbench.editorShows(/second 58/);
    // The list stays, though an old version is in front.
    await names('alpha.txt');
    await press('End');
    await row('Rename to alpha').click();
    await tab(`alpha.txt (${short('The first commit')} ↔ ${short('Rename to alpha')})`);
    await press('End');
    await row('The first commit').click();
    await tab(`old name.txt (Added in ${short('The first commit')})`);
    await names('alpha.txt');
    await press('Home');
  });

  it('opens all files of a commit, and copies its id', async () => {
    await open('folder/inner.txt');
    await names('inner.txt');
    await shows(['Both in the folder', 'The first commit']);
    await session.workbench.contextMenu(row('Both in the folder'), 'Open Commit');
    await tab(`${short('Both in the folder')} - Both in the folder`);
    const editor = session.workbench.page.locator('.multiDiffEditor').first();
    await poll(
      async () => {
        const text = ((await editor.textContent({ timeout: 5_000 })) ?? '').replaceAll('\u00a0', ' ');
        for (const part of ['inner.txt', 'other.txt', 'a changed']) assert.ok(text.includes(part), text);
      },
      { what: 'the files of the commit are shown' },
    );
    await names('inner.txt');
    await session.workbench.contextMenu(row('Both in the folder'), 'Copy Hash');
    await session.workbench.pastes(
      repository.git('log', '-1', '--format=%H', '--', 'folder/inner.txt').trim(),
    );
  });

  it('shows the history of a folder from the explorer, and follows no other file until it is unpinned', async () => {
    await session.workbench.showExplorer();
    const folder = session.workbench.page
      .locator('.explorer-folders-view .monaco-list-row')
      .filter({ hasText: 'folder' })
      .first();
    await session.workbench.contextMenu(folder, 'Show File History');
    await names('folder/');
    await shows(subjects('--', 'folder'));
    await row('A new picture').click();
    await tab(`${short('A new picture')} - A new picture`);
    await open('alpha.txt');
    await names('folder/');
    await unpinIt();
    await names('alpha.txt');
    await pinIt();
    await open('folder/inner.txt');
    await names('alpha.txt');
    await unpinIt();
    await names('inner.txt');
  });

  it('shows the history of selected lines, as they were before they were edited', async () => {
    await open('alpha.txt');
    await session.workbench.typeAtStart('new line\n');
    const { keyboard } = session.workbench.page;
    for (const key of ['Control+Home', 'ArrowDown', 'Shift+ArrowDown']) await keyboard.press(key);
    await run('Show History of Selected Lines');
    await names('alpha.txt:1');
    await shows(subjects('-s', '-L1,1:alpha.txt'));
    await row('The first commit').click();
    await tab(`Added in ${short('The first commit')}`);
    await open('alpha.txt');
    for (const key of ['Control+Home', 'Shift+ArrowDown']) await keyboard.press(key);
    await run('Show History of Selected Lines');
    await session.workbench.notifications.clear(/The selected lines are not committed yet/);
    for (const key of ['Control+Home', 'ArrowDown', 'ArrowDown', 'Shift+ArrowDown'])
      await keyboard.press(key);
    await run('Show History of Selected Lines');
    await names('alpha.txt:2');
    await shows([...subjects('-s', '-L2,2:alpha.txt').slice(0, kPage), 'Load More'], kPage + 1);
    await open('alpha.txt');
    await run('Unpin File History');
    await session.workbench.command('File: Revert File');
  });

  it('follows HEAD while it is seen, and keeps the selected row', async () => {
    await names('alpha.txt');
    await row('Change 60').click();
    await tab('alpha.txt');
    const [newest] = subjects('--follow', '--', 'alpha.txt');
    repository.append('alpha.txt', 'more\n');
    commit('One more change');
    await poll(async () => assert.equal((await scrolledRows())[0], 'One more change'), {
      what: 'it is listed',
    });
    const selected = pane().locator('.monaco-list-row.selected').first();
    assert.match((await selected.getAttribute('aria-label')) ?? '', /^Change 60,/);
    repository.git('reset', '-q', '--hard', 'HEAD~1');
    await poll(async () => assert.equal((await scrolledRows())[0], newest), {
      what: 'it is gone again',
    });
  });

  it('says why it is empty', async () => {
    await open('untracked.txt');
    await tells(/"untracked\.txt" is untracked\. No commit has it\./);
    await shows([]);
    repository.write('staged.txt', 'staged\n');
    repository.git('add', 'staged.txt');
    await session.matchesGit(repository);
    await open('staged.txt');
    await tells(/"staged\.txt" is not committed yet\./);
    repository.git('rm', '-q', '-f', 'staged.txt');
    await session.workbench.command('View: Close All Editors');
    await tells(/Open a file to see its history/);
  });

  it('shows the history of a deleted file, and of a picture', async () => {
    repository.remove('side.txt');
    await session.matchesGit(repository);
    await session.workbench.contextMenu(session.workbench.resource('side.txt'), 'Show File History');
    await names('side.txt');
    await shows(['On the side']);
    repository.git('checkout', '-q', '--', 'side.txt');
    await run('Unpin File History');
    await session.workbench.showExplorer();
    const picture = session.workbench.page
      .locator('.explorer-folders-view .monaco-list-row')
      .filter({ hasText: 'picture.png' })
      .first();
    await picture.dblclick();
    await tab('picture.png');
    await session.workbench.showSourceControl();
    await names('picture.png');
    await shows(['A new picture', 'Both in the folder']);
    await row('A new picture').click();
    await tab(`picture.png (${short('Both in the folder')} ↔ ${short('A new picture')})`);
    await session.workbench.command('View: Close All Editors');
  });

  it('compares the file with a commit that is picked', async () => {
    await open('alpha.txt');
    await run('Open Changes with Commit...');
    await session.workbench.find('Select a commit to compare with', 'Change 20');
    await tab(`alpha.txt (${short('Change 20')} ↔ Working Tree)`);
    await session.workbench.contextMenu(row('Change 57'), 'Open Changes with Working Tree');
    await tab(`alpha.txt (${short('Change 57')} ↔ Working Tree)`);
    await session.workbench.command('View: Close All Editors');
  });

  it('asks git for nothing while it is hidden', async () => {
    await open('alpha.txt');
    await names('alpha.txt');
    await pane().locator('.pane-header').first().click();
    const before = gits();
    repository.append('alpha.txt', 'hidden\n');
    commit('While hidden');
    await session.matchesGit(repository);
    await open('folder/inner.txt');
    assert.equal(gits(), before);
    await pane().locator('.pane-header').first().click();
    await shows(['Both in the folder', 'The first commit']);
  });

  /** Drags the border above the view, for more rows. */
  async function enlarge(): Promise<void> {
    const box = await pane().boundingBox();
    assert.ok(box);
    const { mouse } = session.workbench.page;
    await mouse.move(box.x + 100, box.y);
    await mouse.down();
    await mouse.move(box.x + 100, box.y - 350, { steps: 5 });
    await mouse.up();
  }
});
