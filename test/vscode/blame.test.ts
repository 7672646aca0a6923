/** Blame in the status bar and at the end of the line, while the user moves, types, saves and commits. */
import assert from 'node:assert/strict';
import { Repository } from '../support/repository';
import { useTheme, kThemes } from './pictures/themes';
import { poll } from './support/poll';
import { Session } from './support/session';

const kDay = 24 * 3600;
const kFirst = 'one\ntwo\nthree\nfour\nfive\n';
const kSecond = kFirst.replace('three', 'THREE');
const kNotCommitted = 'Not Committed Yet';
const kAda = 'Ada Author, 3 days ago';
const kBob = 'Bob Builder, 2 years ago';

/** Commits everything that changed as this author. */
function commitAs(repository: Repository, author: string, daysAgo: number, message: string): string {
  const date = `${Math.floor(Date.now() / 1000) - daysAgo * kDay - 60} +0000`;
  repository.git('add', '-A');
  repository.git('commit', '-q', `--author=${author}`, `--date=${date}`, '-m', message);
  return repository.git('rev-parse', 'HEAD').trim();
}

function makeProject(repository: Repository): { bob: string; ada: string } {
  repository.git('remote', 'add', 'origin', 'git@github.com:example/project.git');
  repository.write('lines.txt', kFirst);
  repository.write('other.txt', 'other\n');
  const bob = commitAs(repository, 'Bob Builder <bob@example.com>', 800, 'Count to five');
  repository.write('lines.txt', kSecond);
  const message = 'Say three aloud\n\nIt was *too* quiet, see [the list](https://example.com).';
  const ada = commitAs(repository, 'Ada Author <ada@example.com>', 3, message);
  repository.write('untracked.txt', 'untracked\n');
  return { bob, ada };
}

describe('blame in the workbench', () => {
  let session: Session;
  let repository: Repository;
  let commits: ReturnType<typeof makeProject>;

  before(async () => {
    const sandbox = await Session.sharedSandbox();
    repository = Repository.init(sandbox, 'project');
    commits = makeProject(repository);
    session = await Session.share(sandbox);
    await session.workbench.showSourceControl();
    await session.matchesGit(repository);
  });
  Session.ofSuite();

  const press = async (...keys: string[]) => {
    for (const key of keys) await session.workbench.page.keyboard.press(key);
  };
  async function item(): Promise<{ text: string; label: string } | undefined> {
    const all = await session.workbench.statusItems();
    return all.find(({ id }) => id.endsWith('residentGit.blame'));
  }
  async function shows(text: string | undefined): Promise<void> {
    await poll(async () => assert.equal((await item())?.text.trim(), text), {
      what: `blame is ${text ?? 'hidden'}`,
    });
  }
  async function open(name: string): Promise<void> {
    await session.workbench.openFile(`${repository.root}/${name}`);
    await press('Control+Home');
  }
  /** The texts at the ends of lines, with their colours. */
  const decorations = () =>
    session.workbench.page.evaluate<{ text: string; color: string }[]>(`
      [...document.querySelectorAll('.editor-group-container.active .view-lines [class*="ced-"]')]
        .map((element) => getComputedStyle(element, '::after'))
        .filter(({ content }) => content.startsWith('"'))
        .map(({ content, color }) => ({ text: content.slice(1, -1), color }))`);
  async function decorated(...texts: string[]): Promise<void> {
    await poll(
      async () =>
        assert.deepEqual(
          (await decorations()).map(({ text }) => text),
          texts,
        ),
      {
        what: `the editor has ${texts.join(', ')}`,
      },
    );
  }

  it('follows the cursor', async () => {
    await open('lines.txt');
    await shows(kBob);
    await press('ArrowDown', 'ArrowDown');
    await shows(kAda);
    assert.equal((await item())?.label, `Blame: ${kAda}, Say three aloud`);
    await press('ArrowDown');
    await shows(kBob);
    await press('Control+End');
    await shows(undefined);
  });

  it('stands right of the items about the repository', async () => {
    await open('lines.txt');
    await shows(kBob);
    const ids = (await session.workbench.statusItems()).map(({ id }) => id);
    const at = ids.findIndex((id) => id.endsWith('residentGit.blame'));
    assert.ok(at > ids.indexOf('status.scm.1'), ids.join(' '));
  });

  it('is right while the user types, and after undo', async () => {
    await open('lines.txt');
    await press('ArrowDown', 'End', 'Enter');
    await session.workbench.page.keyboard.type('new');
    await shows(kNotCommitted);
    await press('ArrowDown');
    await shows(kAda);
    await press('ArrowDown');
    await shows(kBob);
    await press('Control+Home', 'ArrowDown', 'Control+Shift+K', 'Control+Shift+K');
    await shows(kAda);
    await press('Control+Z', 'Control+Z', 'Control+Z', 'Control+Z', 'Control+Z', 'Control+Z');
    await session.workbench.page.locator('.tab.active:not(.dirty)').first().waitFor();
    await press('Control+Home', 'ArrowDown', 'ArrowDown');
    await shows(kAda);
  });

  it('follows commits, amends, stashes and resets', async () => {
    const before = commits.ada;
    await open('lines.txt');
    await shows(kBob);
    repository.write('lines.txt', `zero\n${kSecond}`);
    await session.workbench.editorShows(/^zero/);
    await press('Control+Home');
    await shows(kNotCommitted);
    repository.git('stash', '-q');
    await session.workbench.editorShows(/^one/);
    await press('Control+Home');
    await shows(kBob);
    repository.git('stash', 'pop', '-q');
    await session.workbench.editorShows(/^zero/);
    await press('Control+Home');
    await shows(kNotCommitted);
    repository.git('commit', '-q', '-a', '--author=Cleo <c@example.com>', '-m', 'zero');
    await shows(`Cleo, ${await sinceFixedDate()}`);
    repository.git('commit', '-q', '--amend', '--author=Dora <d@example.com>', '-m', 'amended');
    await shows(`Dora, ${await sinceFixedDate()}`);
    repository.git('reset', '-q', '--hard', before);
    await session.workbench.editorShows(/^one/);
    await press('Control+Home');
    await shows(kBob);
  });
  /** The sandbox commits at a fixed date. */
  function sinceFixedDate(): Promise<string> {
    const years = Math.floor((Date.now() / 1000 - 1_700_000_000) / (365 * kDay));
    return Promise.resolve(years === 1 ? '1 year ago' : `${years} years ago`);
  }

  it('ignores commits as soon as the config says so', async () => {
    await open('lines.txt');
    await press('ArrowDown', 'ArrowDown');
    await shows(kAda);
    repository.write('.git/ignored', `${commits.ada}\n`);
    repository.config('blame.ignoreRevsFile', '.git/ignored');
    await open('other.txt');
    await shows(kBob);
    await open('lines.txt');
    await press('ArrowDown', 'ArrowDown');
    await shows(kBob);
    repository.git('config', '--unset', 'blame.ignoreRevsFile');
    await open('other.txt');
    await open('lines.txt');
    await press('ArrowDown', 'ArrowDown');
    await shows(kAda);
  });

  it('shows nothing for a file that git does not track', async () => {
    await open('lines.txt');
    await shows(kBob);
    await open('untracked.txt');
    await shows(undefined);
    repository.git('add', 'untracked.txt');
    await shows(kNotCommitted);
    repository.git('reset', '-q');
    await shows(undefined);
  });

  it('opens the commit by a click', async () => {
    await open('lines.txt');
    await press('ArrowDown', 'ArrowDown');
    await shows(kAda);
    await session.workbench.clickStatusItem(`Blame: ${kAda}`);
    const title = `${commits.ada.slice(0, 8)} - `;
    await session.workbench.page.locator('.tab.active').filter({ hasText: title }).first().waitFor();
    await session.workbench.command('View: Close All Editors');
  });

  it('copies the hash of the commit', async () => {
    await open('lines.txt');
    await shows(kBob);
    await session.workbench.command('Resident Git: Copy Commit Hash of This Line');
    await session.workbench.pastes(commits.bob);
  });

  it('stands at the end of the line if it is turned on, with a hover', async () => {
    await open('lines.txt');
    await press('ArrowDown', 'ArrowDown', 'End');
    await shows(kAda);
    await decorated();
    await session.workbench.command('Resident Git: Toggle Blame Editor Decoration');
    await decorated('Say three aloud, Ada Author (3 days ago)');
    await press('ArrowUp', 'End');
    await decorated('Count to five, Bob Builder (2 years ago)');
    await press('Enter');
    await decorated(kNotCommitted);
    await press('Control+Z', 'ArrowDown', 'End');
    await decorated('Say three aloud, Ada Author (3 days ago)');
    await press('Control+K', 'Control+I');
    const hover = session.workbench.page.locator('.monaco-hover:visible').first();
    await poll(
      async () => {
        const text = ((await hover.textContent({ timeout: 5_000 })) ?? '').replace(/\s+/g, ' ');
        assert.match(
          text,
          /Ada Author <ada@example.com>, 3 days ago \(.*\)Say three aloud.*It was \*too\* quiet/,
        );
        assert.match(text, new RegExp(`${commits.ada.slice(0, 7)}.*Open on GitHub`));
      },
      { what: 'the hover has the commit' },
    );
    for (const theme of kThemes) {
      await useTheme(session.workbench, repository, theme);
      await session.workbench.screenshot(`blame-${theme}`);
    }
    await press('Escape');
    await session.workbench.command('Resident Git: Toggle Blame Editor Decoration');
    await decorated();
  });

  it('leaves the status bar if it is turned off', async () => {
    await open('lines.txt');
    await shows(kBob);
    await session.workbench.command('Resident Git: Toggle Blame Status Bar Item');
    await shows(undefined);
    await session.workbench.command('Resident Git: Toggle Blame Status Bar Item');
    await shows(kBob);
  });
});

describe("blame beside VS Code's own Git", () => {
  let session: Session;
  let repository: Repository;

  before(async () => {
    const { Sandbox } = await import('../support/sandbox.js');
    const sandbox = new Sandbox();
    repository = Repository.init(sandbox, 'project');
    makeProject(repository);
    session = await Session.open(sandbox, { folder: repository.root }, { atWork: 'both' });
    await session.workbench.showSourceControl();
  });
  Session.ofSuite();

  const shown = async () =>
    (await session.workbench.statusItems())
      .filter(({ id }) => /blame$/i.test(id))
      .map(({ id }) => (/resident/i.test(id) ? 'ours' : 'theirs'));
  async function shows(...expected: string[]): Promise<void> {
    await poll(async () => assert.deepEqual((await shown()).sort(), expected), {
      what: `blame is shown by ${expected.join(', ')}`,
    });
  }

  it('stands once, and twice only on request', async () => {
    await session.workbench.openFile(`${repository.root}/lines.txt`);
    await session.workbench.page.keyboard.press('Control+Home');
    await session.workbench.page.keyboard.press('ArrowDown');
    await shows('theirs');
    const [ours, theirs] = ['residentGit', 'git'].map((name) => `${name}.blame.statusBarItem.enabled`);
    const set = (settings: [string | undefined, boolean][]) =>
      repository.write('.vscode/settings.json', JSON.stringify(Object.fromEntries(settings)));
    set([[theirs, false]]);
    await shows();
    set([
      [theirs, false],
      [ours, true],
    ]);
    await shows('ours');
    set([[ours, true]]);
    await shows('ours', 'theirs');
    set([]);
    await shows('theirs');
  });
});
