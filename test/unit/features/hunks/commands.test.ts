/** Changes in the gutter's peek, compared with HEAD. Checks the index against git, and the messages. */
import { strict as assert } from 'node:assert';
import type { CommandContext } from '../../../../extension/commands/context';
import type { LineChange } from '../../../../extension/features/hunks/lineChanges';
import { diffLines } from '../../../../extension/features/hunks/lineDiff';
import { splitLines } from '../../../../extension/features/hunks/textLines';
import { gitEnvironment } from '../../../../extension/git/environment';
import { parsePorcelain } from '../../../../extension/git/porcelain';
import type { Run } from '../../../../extension/git/runGit';
import { runGit } from '../../../../extension/git/runGit';
import { Repository as Model } from '../../../../extension/model/Repository';
import { Repository } from '../../../support/repository';
import { Sandbox } from '../../../support/sandbox';
import { installVscodeStandIn, standInWindow, standInWorkspace } from '../../client/vscodeStandIn';
import { delta } from '../../support/deltas';

class Uri {
  readonly scheme = 'file';
  readonly query = '';
  constructor(readonly fsPath: string) {}
}

describe('changes of the peek against HEAD', () => {
  let sandbox: Sandbox;
  let repository: Repository;
  let told: string[];
  /** The setting for the gutter's base. */
  let base: string;

  beforeEach(() => {
    sandbox = new Sandbox();
    repository = Repository.init(sandbox, 'r');
    told = [];
    installVscodeStandIn({ Uri, EndOfLine: { LF: 1, CRLF: 2 } });
    base = 'HEAD';
    standInWorkspace.getConfiguration = () => ({ get: () => base });
    standInWindow.showInformationMessage = (text: string) => {
      told.push(text);
      return Promise.resolve(undefined);
    };
  });
  afterEach(() => {
    for (const name of ['getConfiguration', 'textDocuments', 'fs']) {
      Reflect.deleteProperty(standInWorkspace, name);
    }
    standInWorkspace.textDocuments = [];
    for (const name of ['showInformationMessage', 'activeTextEditor'])
      Reflect.deleteProperty(standInWindow, name);
    sandbox.remove();
  });

  const run: Run = async (command) => {
    const program = { path: 'git', env: gitEnvironment(sandbox.env, { index: command.index }) };
    const result = await runGit(program, repository.root, command, new AbortController().signal);
    assert.equal(result.code, 0, result.stderr.toString());
    return result;
  };

  /** A repository model with the complete status. */
  function model(): Model {
    const own = new Model(repository.root);
    const { stdout } = repository.ask('status', '--porcelain=v2', '-z', '--untracked-files=all');
    const { code, stdout: oid } = repository.ask('rev-parse', '--verify', '--quiet', 'HEAD');
    own.apply({
      ...delta({
        upserted: parsePorcelain(stdout),
        ...(code === 0 && { branch: { oid: oid.toString().trim() } }),
      }),
      root: repository.root,
    });
    return own;
  }

  /** The change in the shape of the editor's peek. */
  function toldBy({ oldStart, oldEnd, newStart, newEnd }: LineChange): object {
    const range = (start: number, end: number) => (start === end ? [start, 0] : [start + 1, end]);
    const [originalStartLineNumber, originalEndLineNumber] = range(oldStart, oldEnd);
    const [modifiedStartLineNumber, modifiedEndLineNumber] = range(newStart, newEnd);
    return { originalStartLineNumber, originalEndLineNumber, modifiedStartLineNumber, modifiedEndLineNumber };
  }

  function documentOf(path: string) {
    const text = repository.read(path);
    const lines = text.split('\n');
    const lineAt = (line: number) => ({ range: { end: { line, character: lines[line]?.length } } });
    return {
      uri: new Uri(`${repository.root}/${path}`),
      isDirty: false,
      eol: text.includes('\r\n') ? 2 : 1,
      getText: () => text,
      lineCount: lines.length,
      lineAt,
    };
  }
  function contextOf(path: string): CommandContext {
    const own = model();
    standInWorkspace.fs = {
      writeFile: (_: Uri, bytes: Buffer) => {
        repository.write(path, bytes.toString('latin1'));
        return Promise.resolve();
      },
    };
    return {
      registry: { locate: () => ({ repository: own, path }) },
      git: { exclusively: (_: unknown, __: unknown, task: (run: Run) => unknown) => task(run) },
    } as unknown as CommandContext;
  }

  type Verb = 'stage' | 'unstage' | 'revert';
  /**
   * Runs the command on change `number` between `head`, as checked out, and the file. `found`: the editor's own list
   * of changes, if it differs.
   */
  async function peek(
    verb: Verb,
    path: string,
    head: string,
    number: number,
    found = diffLines(splitLines(Buffer.from(head)), splitLines(Buffer.from(repository.read(path)))),
  ): Promise<void> {
    const document = documentOf(path);
    standInWorkspace.textDocuments = [document];
    const changes = found.map(toldBy);
    assert.ok(number < changes.length, 'there is such a change');
    const { hunkCommands } = await import('../../../../extension/features/hunks/commands.js');
    await hunkCommands[`residentGit.${verb}Change`](contextOf(path), document.uri, changes, number);
  }

  /** Selects line `line`, counted from 0, and runs the command. */
  async function select(verb: 'stage' | 'revert', path: string, line: number): Promise<void> {
    const at = { line, character: 0 };
    standInWindow.activeTextEditor = { document: documentOf(path), selections: [{ start: at, end: at }] };
    const { hunkCommands } = await import('../../../../extension/features/hunks/commands.js');
    await hunkCommands[`residentGit.${verb}SelectedRanges`](contextOf(path));
  }
  const staged = (path: string) => repository.ask('cat-file', 'blob', `:${path}`).stdout.toString('latin1');

  const lines = (...words: string[]) => words.map((word) => `${word}\n`).join('');
  const kHead = lines('a', 'b', 'c', 'd', 'e');
  const crlf = (text: string) => text.replaceAll('\n', '\r\n');

  it('are unstaged in a file that is renamed, which stays so', async () => {
    const head = lines(...Array.from({ length: 20 }, (_, i) => `line ${i}`));
    repository.write('old', head);
    repository.commit();
    repository.git('mv', 'old', 'new');
    const changed = head.replace('line 2\n', 'LINE 2\n').replace('line 15\n', 'LINE 15\n');
    repository.write('new', changed);
    repository.git('add', 'new');
    await peek('unstage', 'new', head, 0);
    assert.equal(staged('new'), head.replace('line 15\n', 'LINE 15\n'));
    assert.equal(repository.git('status', '--porcelain'), 'RM old -> new\n');
    assert.equal(repository.read('new'), changed);
    await peek('unstage', 'new', head, 1);
    assert.equal(staged('new'), head);
    await peek('stage', 'new', head, 1);
    assert.equal(staged('new'), head.replace('line 15\n', 'LINE 15\n'));
    assert.deepEqual(told, []);
  });

  for (const [name, attributes] of [
    ['as they stand', ''],
    ['eol=crlf', '* eol=crlf\n'],
  ] as const) {
    it(`are unstaged in a file of CRLF, and its ends of line stay: ${name}`, async () => {
      repository.write('.gitattributes', attributes);
      repository.write('f', crlf(kHead));
      repository.commit();
      repository.write('f', crlf(lines('A', 'b', 'c', 'new', 'd', 'E')));
      repository.git('add', 'f');
      const inIndex = attributes === '' ? crlf : (text: string) => text;
      await peek('unstage', 'f', crlf(kHead), 0);
      assert.equal(staged('f'), inIndex(lines('a', 'b', 'c', 'new', 'd', 'E')));
      await peek('unstage', 'f', crlf(kHead), 1);
      assert.equal(staged('f'), inIndex(lines('a', 'b', 'c', 'd', 'E')));
      await peek('unstage', 'f', crlf(kHead), 2);
      assert.equal(staged('f'), inIndex(kHead));
      assert.equal(repository.git('status', '--porcelain'), ' M f\n');
      assert.deepEqual(told, []);
    });
  }

  const kInsertions = {
    'before everything': lines('new', 'more', 'a', 'b', 'c', 'd', 'e'),
    'in the middle': lines('a', 'b', 'new', 'more', 'c', 'd', 'e'),
    'after everything': lines('a', 'b', 'c', 'd', 'e', 'new', 'more'),
  };
  for (const [where, text] of Object.entries(kInsertions)) {
    it(`are unstaged where they only bring lines ${where}, all or what of them is staged`, async () => {
      repository.write('f', kHead);
      repository.commit();
      for (const part of [text, text.replace('more\n', ''), text.replace('new\n', '')]) {
        repository.write('f', part);
        repository.git('add', 'f');
        repository.write('f', text);
        await peek('unstage', 'f', kHead, 0);
        assert.equal(staged('f'), kHead, part);
      }
      assert.deepEqual(told, []);
      await peek('unstage', 'f', kHead, 0);
      assert.equal(staged('f'), kHead);
      assert.deepEqual(told, ['This change is not staged.']);
    });

    it(`are unstaged where they only bring lines ${where}, and another stays staged`, async () => {
      repository.write('f', kHead);
      repository.commit();
      const other = (of: string) => of.replace('d\n', 'D\n');
      repository.write('f', other(text));
      repository.git('add', 'f');
      const number = where === 'after everything' ? 1 : 0;
      await peek('unstage', 'f', kHead, number);
      assert.equal(staged('f'), other(kHead));
      await peek('stage', 'f', kHead, number);
      assert.equal(staged('f'), other(text));
    });
  }

  it('are unstaged where they only take lines', async () => {
    repository.write('f', kHead);
    repository.commit();
    repository.write('f', lines('b', 'c', 'D'));
    repository.git('add', 'f');
    await peek('unstage', 'f', kHead, 0);
    assert.equal(staged('f'), lines('a', 'b', 'c', 'D'));
  });

  it('are unstaged where the editor has found them, also where we would find them elsewhere', async () => {
    const [head, text] = [lines('a', 'b', 'c', 'd'), lines('a', 'b', 'a', 'b', 'c', 'D')];
    repository.write('f', head);
    repository.commit();
    repository.write('f', text);
    const last = { oldStart: 3, oldEnd: 4, newStart: 5, newEnd: 6 };
    for (const place of [0, 1, 2]) {
      repository.git('add', 'f');
      const found = { oldStart: place, oldEnd: place, newStart: place, newEnd: place + 2 };
      await peek('unstage', 'f', head, 0, [found, last]);
      assert.equal(staged('f'), lines('a', 'b', 'c', 'D'), `at ${place}`);
    }
    assert.deepEqual(told, []);
  });

  it('are left where the editor has compared other texts', async () => {
    repository.write('f', kHead);
    repository.commit();
    const text = lines('A', 'b', 'c', 'd', 'E');
    repository.write('f', text);
    repository.git('add', 'f');
    const first = { oldStart: 0, oldEnd: 1, newStart: 0, newEnd: 1 };
    for (const verb of ['unstage', 'stage', 'revert'] as const) {
      await assert.rejects(peek(verb, 'f', kHead, 0, [first]), /have different text/, verb);
    }
    assert.deepEqual([staged('f'), repository.read('f')], [text, text]);
  });

  it('are unstaged in a file that a check-out writes otherwise than git has it', async () => {
    repository.write('.gitattributes', '* ident\n');
    repository.write('f', lines('$Id$', 'b', 'c'));
    repository.commit();
    repository.remove('f');
    repository.git('checkout', '-q', 'f');
    const head = repository.read('f');
    assert.match(head, /^\$Id: [0-9a-f]+ \$\nb\nc\n$/);
    repository.write('f', head.replace('c\n', 'C\n'));
    repository.git('add', 'f');
    await peek('unstage', 'f', head, 0);
    assert.equal(staged('f'), lines('$Id$', 'b', 'c'));
  });

  it('are unstaged without the mode that is staged beside them', async () => {
    repository.write('f', kHead);
    repository.commit();
    repository.write('f', kHead.replace('a\n', 'A\n'));
    repository.git('add', '--chmod=+x', 'f');
    await peek('unstage', 'f', kHead, 0);
    assert.equal(staged('f'), kHead);
    assert.match(repository.git('ls-files', '--stage', 'f'), /^100755 /);
  });

  it('cannot be unstaged where HEAD or the index has no such file, or the gutter compares with the index', async () => {
    const [text, kWhole] = [lines('new'), /new is not in HEAD: only the whole file can be unstaged/];
    const unstage = () => peek('unstage', 'new', '', 0);
    repository.write('new', text);
    repository.git('add', 'new');
    await assert.rejects(unstage(), kWhole, 'there is no commit');
    repository.git('commit', '-q', '--allow-empty', '--only', '-m', 'nothing');
    await assert.rejects(unstage(), kWhole, 'HEAD has no such file');
    assert.equal(staged('new'), text);
    repository.commit();
    repository.write('new', lines('newer'));
    repository.git('add', 'new');
    base = 'index';
    await assert.rejects(unstage(), kWhole, 'HEAD is not what the peek shows');
    assert.equal(staged('new'), lines('newer'));
    base = 'HEAD';
    repository.git('rm', '-q', '--cached', 'new');
    await assert.rejects(unstage(), /new is not staged/);
  });

  it('cannot be unstaged or staged where what is staged reaches beyond them', async () => {
    repository.write('f', kHead);
    repository.commit();
    repository.write('f', lines('A', 'B', 'C', 'd', 'e'));
    repository.git('add', 'f');
    const index = staged('f');
    repository.write('f', lines('A', 'b', 'C', 'd', 'e'));
    for (const verb of ['unstage', 'stage'] as const) {
      await assert.rejects(peek(verb, 'f', kHead, 0), /the staged lines reach beyond this change/, verb);
    }
    assert.equal(staged('f'), index);
  });

  it('are those of the index where the gutter compares with that', async () => {
    base = 'index';
    repository.write('f', kHead);
    repository.commit();
    const index = lines('A', 'b', 'c', 'd', 'e');
    repository.write('f', index);
    repository.git('add', 'f');
    const text = lines('AA', 'b', 'c', 'd', 'E');
    repository.write('f', text);
    await peek('stage', 'f', index, 1);
    assert.equal(staged('f'), lines('A', 'b', 'c', 'd', 'E'));
    await peek('revert', 'f', staged('f'), 0);
    assert.equal(repository.read('f'), lines('A', 'b', 'c', 'd', 'E'));
    assert.deepEqual(told, []);
  });

  it('are none of a selection, which is of what is not staged, whatever the gutter compares with', async () => {
    repository.write('f', kHead);
    repository.commit();
    repository.write('f', lines('A', 'b', 'c', 'd', 'e'));
    repository.git('add', 'f');
    repository.write('f', lines('AA', 'b', 'c', 'd', 'E'));
    await select('stage', 'f', 4);
    assert.equal(staged('f'), lines('A', 'b', 'c', 'd', 'E'));
    await select('revert', 'f', 0);
    assert.equal(repository.read('f'), lines('A', 'b', 'c', 'd', 'E'));
    assert.deepEqual(told, []);
  });

  it('are spoken of, and no selection, where there is nothing to do', async () => {
    repository.write('f', kHead);
    repository.commit();
    repository.write('f', lines('A', 'b', 'c', 'd', 'E'));
    repository.git('add', 'f');
    await peek('stage', 'f', kHead, 0);
    repository.git('reset', '-q');
    await peek('unstage', 'f', kHead, 1);
    assert.deepEqual(told, ['This change is already staged.', 'This change is not staged.']);
    assert.equal(repository.git('status', '--porcelain'), ' M f\n');
    await peek('revert', 'f', kHead, 1);
    assert.equal(repository.read('f'), lines('A', 'b', 'c', 'd', 'e'));
    assert.equal(told.length, 2);
  });
});
