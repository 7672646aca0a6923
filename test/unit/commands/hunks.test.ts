/** Changes of the gutter's peek where that compares with HEAD: what is staged afterwards, beside git, and what is told. */
import { strict as assert } from 'node:assert';
import type { CommandContext } from '../../../extension/commands/context';
import type { Run } from '../../../extension/git/changeOperations';
import { gitEnvironment } from '../../../extension/git/environment';
import { runGit } from '../../../extension/git/runGit';
import type { LineChange } from '../../../extension/model/lineChanges';
import { diffLines } from '../../../extension/model/lineDiff';
import { parsePorcelain } from '../../../extension/model/porcelain';
import { Repository as Model } from '../../../extension/model/Repository';
import { splitLines } from '../../../extension/model/textLines';
import { Repository } from '../../support/repository';
import { Sandbox } from '../../support/sandbox';
import { installVscodeStandIn, standInWindow, standInWorkspace } from '../client/vscodeStandIn';
import { delta } from '../support/deltas';

class Uri {
  readonly scheme = 'file';
  readonly query = '';
  constructor(readonly fsPath: string) {}
}

describe('changes of the peek against HEAD', () => {
  let sandbox: Sandbox;
  let repository: Repository;
  let told: string[];

  beforeEach(() => {
    sandbox = new Sandbox();
    repository = Repository.init(sandbox, 'r');
    told = [];
    installVscodeStandIn({ Uri, EndOfLine: { LF: 1, CRLF: 2 } });
    standInWorkspace.getConfiguration = () => ({ get: () => 'HEAD' });
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
    delete standInWindow.showInformationMessage;
    sandbox.remove();
  });

  const run: Run = async (command) => {
    const program = { path: 'git', env: gitEnvironment(sandbox.env, { index: command.index }) };
    const result = await runGit(program, repository.root, command, new AbortController().signal);
    assert.equal(result.code, 0, result.stderr.toString());
    return result;
  };

  /** The repository as a model that knows all of it. */
  function model(): Model {
    const own = new Model(repository.root);
    const { stdout } = repository.ask('status', '--porcelain=v2', '-z', '--untracked-files=all');
    own.apply({
      ...delta({
        upserted: parsePorcelain(stdout),
        branch: { oid: repository.git('rev-parse', 'HEAD').trim() },
      }),
      root: repository.root,
    });
    return own;
  }

  /** As the editor tells of a change. */
  function toldBy({ oldStart, oldEnd, newStart, newEnd }: LineChange): object {
    const range = (start: number, end: number) => (start === end ? [start, 0] : [start + 1, end]);
    const [originalStartLineNumber, originalEndLineNumber] = range(oldStart, oldEnd);
    const [modifiedStartLineNumber, modifiedEndLineNumber] = range(newStart, newEnd);
    return { originalStartLineNumber, originalEndLineNumber, modifiedStartLineNumber, modifiedEndLineNumber };
  }

  type Verb = 'stage' | 'unstage' | 'revert';
  /** Of the changes between `head`, as it is checked out, and the file, the one of that number. */
  async function peek(verb: Verb, path: string, head: string, number: number): Promise<void> {
    const text = repository.read(path);
    const uri = new Uri(`${repository.root}/${path}`);
    const document = {
      uri,
      isDirty: false,
      eol: text.includes('\r\n') ? 2 : 1,
      getText: () => text,
      lineCount: text.split('\n').length,
    };
    standInWorkspace.textDocuments = [document];
    standInWorkspace.fs = {
      writeFile: (_: Uri, bytes: Buffer) => {
        repository.write(path, bytes.toString('latin1'));
        return Promise.resolve();
      },
    };
    const changes = diffLines(splitLines(Buffer.from(head)), splitLines(Buffer.from(text))).map(toldBy);
    assert.ok(number < changes.length, 'there is such a change');
    const own = model();
    const context = {
      registry: { locate: () => ({ repository: own, path }) },
      git: { exclusively: (_: unknown, __: unknown, task: (run: Run) => unknown) => task(run) },
    } as unknown as CommandContext;
    const { hunkCommands } = await import('../../../extension/commands/hunks.js');
    await hunkCommands[`residentGit.${verb}Change`](context, uri, changes, number);
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
      assert.deepEqual(told, ['Nothing of this change is staged.']);
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

  it('are spoken of, and no selection, where there is nothing to do', async () => {
    repository.write('f', kHead);
    repository.commit();
    repository.write('f', lines('A', 'b', 'c', 'd', 'E'));
    repository.git('add', 'f');
    await peek('stage', 'f', kHead, 0);
    repository.git('reset', '-q');
    await peek('unstage', 'f', kHead, 1);
    assert.deepEqual(told, ['All of this change is staged already.', 'Nothing of this change is staged.']);
    assert.equal(repository.git('status', '--porcelain'), ' M f\n');
    await peek('revert', 'f', kHead, 1);
    assert.equal(repository.read('f'), lines('A', 'b', 'c', 'd', 'e'));
    assert.equal(told.length, 2);
  });
});
