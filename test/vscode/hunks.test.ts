/** Stages, unstages and reverts a change or some lines of a file in its editor. Compares bytes. */
import assert from 'node:assert/strict';
import { Repository } from '../support/repository';
import { poll } from './support/poll';
import { Session } from './support/session';

const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').toString('latin1');

/** Each text has a change in its first line and a change in its last line. */
const kTexts = {
  'alpha.txt': ['one\ntwo\nthree\nfour\nfive', 'ONE\ntwo\nthree\nfour\nFIVE\nsix'],
  'crlf.txt': ['one\r\ntwo\r\nthree\r\n', 'ONE\r\ntwo\r\nTHREE\r\n'],
  'latin1.txt': ['\xe9ins\nzw\xf6lf\nvier\n', 'EINS\nzw\xf6lf\nVIER\n'],
  'wide.txt': [utf16('one\ntwo\nthree\n'), utf16('ONE\ntwo\nTHREE\n')],
  'lines.txt': ['c\nb\na\n', 'd\nb\na\n'],
} as const;
type Name = keyof typeof kTexts;

describe('hunks in the workbench', () => {
  let session: Session;
  let repository: Repository;

  before(async () => {
    const sandbox = await Session.sharedSandbox();
    repository = Repository.init(sandbox, 'project');
    repository.config('filter.sorted.clean', 'sort -u');
    repository.write('.gitattributes', 'crlf.txt eol=crlf\nlines.txt filter=sorted\n');
    for (const [name, [before]] of Object.entries(kTexts)) repository.write(name, before);
    repository.commit();
    for (const [name, [, after]] of Object.entries(kTexts)) repository.write(name, after);
    session = await Session.share(sandbox);
    await session.workbench.showSourceControl();
    await session.matchesGit(repository);
  });
  Session.ofSuite();
  beforeEach(async () => {
    repository.git('reset', '-q');
    for (const [name, [, after]] of Object.entries(kTexts)) repository.write(name, after);
    await session.matchesGit(repository);
  });

  const staged = (name: Name) => repository.ask('show', `:${name}`).stdout.toString('latin1');
  async function stagedBecomes(name: Name, text: string): Promise<void> {
    await poll(() => assert.equal(staged(name), text), { what: `what is staged of ${name}` });
    await session.matchesGit(repository);
  }
  async function fileBecomes(name: Name, text: string): Promise<void> {
    await poll(() => assert.equal(repository.read(name), text), { what: `what ${name} holds` });
    await session.matchesGit(repository);
  }
  const press = async (...keys: string[]) => {
    for (const key of keys) await session.workbench.page.keyboard.press(key);
  };
  const gutterComparesWith = (base: string) => {
    repository.write('.vscode/settings.json', JSON.stringify({ 'residentGit.gutterComparesWith': base }));
  };
  /** Runs an action in the gutter's peek on the first change of the file, the change at the cursor. */
  async function peekAction(name: Name, title: string): Promise<void> {
    await session.workbench.openFile(`${repository.root}/${name}`);
    await press('Control+Home');
    await session.workbench.peekAction('Alt+F3', title);
  }
  /** Selects `count` lines from line `from`, counted from 1. */
  async function select(name: Name, from: number, count: number): Promise<void> {
    await session.workbench.openFile(`${repository.root}/${name}`);
    await press('Control+Home', ...Array<string>(from - 1).fill('ArrowDown'));
    await press(...Array<string>(count - 1).fill('Shift+ArrowDown'), 'Shift+End');
  }

  it('are staged from the gutter', async () => {
    await peekAction('alpha.txt', 'Stage Change');
    await stagedBecomes('alpha.txt', 'ONE\ntwo\nthree\nfour\nfive');
    assert.equal(repository.git('status', '--porcelain', 'alpha.txt'), 'MM alpha.txt\n');
    await session.workbench.openFile(`${repository.root}/alpha.txt`);
    await press('Control+End');
    await session.workbench.peekAction('Alt+F3', 'Stage Change');
    await stagedBecomes('alpha.txt', kTexts['alpha.txt'][1]);
  });

  for (const name of ['crlf.txt', 'latin1.txt', 'wide.txt'] as const) {
    it(`are staged and reverted to the byte: ${name}`, async () => {
      const [before, after] = kTexts[name];
      const asGit = (text: string) => (name === 'crlf.txt' ? text.replaceAll('\r', '') : text);
      const separators = /(?<=\n)/;
      const [first = ''] = after.split(name === 'wide.txt' ? /(?<=\n\0)/ : separators);
      const [old = ''] = before.split(name === 'wide.txt' ? /(?<=\n\0)/ : separators);
      await peekAction(name, 'Stage Change');
      await stagedBecomes(name, asGit(first + before.slice(old.length)));
      repository.git('reset', '-q');
      await session.matchesGit(repository);
      await peekAction(name, 'Revert Change');
      await fileBecomes(name, old + after.slice(first.length));
    });
  }

  it('are brought back by undo', async () => {
    await peekAction('alpha.txt', 'Revert Change');
    await fileBecomes('alpha.txt', 'one\ntwo\nthree\nfour\nFIVE\nsix');
    await session.workbench.editorShows(/^one/);
    await session.workbench.page.locator('.editor-group-container.active .view-lines').first().click();
    await press('Control+Z');
    await session.workbench.editorShows(/^ONE/);
    await press('Control+S');
    await fileBecomes('alpha.txt', kTexts['alpha.txt'][1]);
  });

  it('are staged and reverted as far as they are selected', async () => {
    await select('alpha.txt', 6, 1);
    await session.workbench.command('Resident Git: Stage Selected Ranges');
    await stagedBecomes('alpha.txt', 'one\ntwo\nthree\nfour\nsix');
    repository.git('reset', '-q');
    await session.matchesGit(repository);
    await select('alpha.txt', 1, 3);
    await press('Control+K', 'Control+Alt+S');
    await stagedBecomes('alpha.txt', 'ONE\ntwo\nthree\nfour\nfive');
    await select('alpha.txt', 5, 2);
    await press('Control+K', 'Control+R');
    await fileBecomes('alpha.txt', 'ONE\ntwo\nthree\nfour\nfive');
    await select('alpha.txt', 2, 2);
    await session.workbench.command('Resident Git: Stage Selected Ranges');
    await session.workbench.notifications.clear(/The selection has no changes/);
  });

  it('are unstaged as far as they are selected in the staged side', async () => {
    repository.git('add', 'alpha.txt');
    await session.matchesGit(repository);
    await session.workbench.resource('alpha.txt').click();
    const right = session.workbench.page.locator(
      '.editor-group-container.active .editor.modified .view-lines',
    );
    await session.workbench.contextMenu(right.first(), 'Unstage Selected Ranges', { x: 20, y: 5 });
    await stagedBecomes('alpha.txt', 'one\ntwo\nthree\nfour\nFIVE\nsix');
    assert.equal(repository.read('alpha.txt'), kTexts['alpha.txt'][1]);
  });

  it('are unstaged from the gutter, where that compares with HEAD', async () => {
    repository.git('add', 'alpha.txt');
    await session.matchesGit(repository);
    repository.write('.git/info/exclude', '.vscode\n');
    gutterComparesWith('HEAD');
    await peekAction('alpha.txt', 'Unstage Change');
    await stagedBecomes('alpha.txt', 'one\ntwo\nthree\nfour\nFIVE\nsix');
    // Staging this change again keeps the other staged change.
    repository.write('alpha.txt', 'ONE\ntwo\nthree\nfour\nfive');
    await session.matchesGit(repository);
    // The extension refuses an editor that has not reloaded the file yet.
    await session.workbench.editorShows(/five/);
    await peekAction('alpha.txt', 'Stage Change');
    await stagedBecomes('alpha.txt', kTexts['alpha.txt'][1]);
    await peekAction('alpha.txt', 'Revert Change');
    await fileBecomes('alpha.txt', kTexts['alpha.txt'][0]);
    assert.equal(staged('alpha.txt'), kTexts['alpha.txt'][1]);
    repository.write('alpha.txt', 'A\nB\nC\nfour\nfive');
    repository.git('add', 'alpha.txt');
    repository.write('alpha.txt', 'A\ntwo\nC\nfour\nfive');
    await session.matchesGit(repository);
    await session.workbench.editorShows(/^(?=.*A)(?=.*two)/);
    await peekAction('alpha.txt', 'Unstage Change');
    await session.workbench.notifications.clear(/the staged lines reach beyond this change/);
    await stagedBecomes('alpha.txt', 'A\nB\nC\nfour\nfive');
    repository.git('reset', '-q');
    repository.write('alpha.txt', kTexts['alpha.txt'][1]);
    await session.matchesGit(repository);
    await peekAction('alpha.txt', 'Unstage Change');
    await session.workbench.notifications.clear(/This change is not staged/);
    gutterComparesWith('index');
    await session.matchesGit(repository);
    await peekAction('alpha.txt', 'Stage Change');
    await stagedBecomes('alpha.txt', 'ONE\ntwo\nthree\nfour\nfive');
  });

  it('count as they are typed, saved or not', async () => {
    await session.workbench.openFile(`${repository.root}/alpha.txt`);
    await press('Control+Home');
    await session.workbench.page.keyboard.type('typed\n');
    await press('Control+Home');
    await session.workbench.command('Resident Git: Stage Selected Ranges');
    // The typed line and the line below form a single change, which deletes a line.
    await stagedBecomes('alpha.txt', 'typed\ntwo\nthree\nfour\nfive');
    assert.equal(repository.read('alpha.txt'), kTexts['alpha.txt'][1]);
    await press('Control+A', 'Control+K', 'Control+R');
    await session.workbench.editorShows(/^(?!.*(ONE|FIVE|six))/);
    assert.equal(repository.read('alpha.txt'), kTexts['alpha.txt'][1]);
    await press('Control+S');
    await fileBecomes('alpha.txt', 'typed\ntwo\nthree\nfour\nfive');
  });

  it('of what git converts are saved first, after asking', async () => {
    await select('crlf.txt', 1, 1);
    await session.workbench.page.keyboard.type('first');
    await session.workbench.command('Resident Git: Stage Selected Ranges');
    await session.workbench.dialog(/git converts 'crlf\.txt'.*Save the file first\?/, 'Save & Stage');
    await stagedBecomes('crlf.txt', 'first\ntwo\nthree\n');
    assert.equal(repository.read('crlf.txt'), 'first\r\ntwo\r\nTHREE\r\n');
  });

  it('are refused where a filter makes other lines of the file', async () => {
    repository.write('lines.txt', 'd\nd\nb\na\n');
    await session.matchesGit(repository);
    await select('lines.txt', 1, 1);
    await session.workbench.command('Resident Git: Stage Selected Ranges');
    await session.workbench.notifications.clear(/the editor and git have different text/);
    assert.equal(staged('lines.txt'), 'a\nb\nc\n');
  });
});
