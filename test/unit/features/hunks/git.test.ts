/** Parts of a file's changes, compared with `git add`. The index can hold other bytes than the file. */
import { strict as assert } from 'node:assert';
import { readdirSync, readFileSync } from 'node:fs';
import {
  asAdded,
  asCheckedOut,
  blob,
  conversionQuestion,
  inHead,
  mayConvert,
  readIndex,
  removeFromIndex,
  writeIndex,
} from '../../../../extension/features/hunks/git';
import { applyChanges } from '../../../../extension/features/hunks/lineChanges';
import { diffLines } from '../../../../extension/features/hunks/lineDiff';
import { splitLines } from '../../../../extension/features/hunks/textLines';
import { gitEnvironment } from '../../../../extension/git/environment';
import { Run, runGit } from '../../../../extension/git/runGit';
import { utf8 } from '../../../support/bytes';
import { Repository } from '../../../support/repository';
import { Sandbox } from '../../../support/sandbox';

describe('hunks, beside git', () => {
  let sandbox: Sandbox;
  let repository: Repository;

  beforeEach(() => {
    sandbox = new Sandbox();
    repository = Repository.init(sandbox, 'r');
  });
  afterEach(() => {
    sandbox.remove();
  });

  const run: Run = async (command) => {
    const program = { path: 'git', env: gitEnvironment(sandbox.env, { index: command.index }) };
    const result = await runGit(program, repository.root, command, new AbortController().signal);
    assert.equal(result.code, 0, result.stderr.toString());
    return result;
  };
  const indexBytes = () => readFileSync(`${repository.root}/.git/index`);
  const staged = (path: string) => repository.ask('cat-file', 'blob', `:${path}`).stdout.toString('latin1');

  /** Differences between the index and the result of `git add`. */
  async function differences(path: string) {
    const index = await readIndex(run, path);
    const added = await asAdded(run, path, index);
    assert.ok(index.entry);
    const from = splitLines(await blob(run, index.entry.oid));
    const to = splitLines(await blob(run, added.oid));
    return { mode: index.entry.mode, from, to, changes: diffLines(from, to) };
  }
  async function stageChange(path: string, number: number): Promise<void> {
    const { mode, from, to, changes } = await differences(path);
    await writeIndex(run, path, mode, applyChanges(from, to, changes.slice(number, number + 1)));
  }

  const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').toString('latin1');
  /** Two texts that differ in two changes, with their attributes and config. */
  const kCases: Record<string, { attributes?: string; config?: [string, string]; texts: [string, string] }> =
    {
      'line feeds': { texts: ['a\nb\nc\n', 'A\nb\nC\n'] },
      'no final newline': { texts: ['a\nb\nc', 'A\nb\nc\nd'] },
      'CRLF, as they stand': { texts: ['a\r\nb\r\nc\r\n', 'A\r\nb\r\nC\r\n'] },
      'eol=crlf': { attributes: '* eol=crlf', texts: ['a\r\nb\r\nc\r\n', 'A\r\nb\r\nC\r\n'] },
      'core.autocrlf': { config: ['core.autocrlf', 'true'], texts: ['a\r\nb\r\nc\r\n', 'A\r\nb\r\nC\r\n'] },
      latin1: { texts: ['\xe9\nb\nc\n', '\xe8\nb\n\xe7\n'] },
      'zero bytes': { texts: ['a\0\nb\nc\n', 'A\0\nb\n\0\n'] },
      'UTF-16 as it stands': { texts: [utf16('a\nb\nc\n'), utf16('A\nb\n\u0a0d\n')] },
      'working-tree-encoding': {
        attributes: 'f working-tree-encoding=UTF-16LE-BOM',
        texts: [utf16('a\r\nb\r\nc'), utf16('A\r\nb\r\nC')],
      },
      'a filter': {
        attributes: '* filter=sed',
        config: ['filter.sed.clean', 'sed s/secret/public/'],
        texts: ['a\nsecret\nc\n', 'secret a\nsecret\nC\n'],
      },
      $Id$: { attributes: '* ident', texts: ['a\n$Id$\nc\n', 'A\n$Id: 1234 $\nC\n'] },
    };

  for (const [name, { attributes, config, texts }] of Object.entries(kCases)) {
    it(`are what git adds, one by one: ${name}`, async () => {
      if (config !== undefined) repository.config(...config);
      if (attributes !== undefined) repository.write('.gitattributes', `${attributes}\n`);
      repository.write('sub/f', texts[0]);
      repository.write('other', 'other\n');
      repository.commit();
      repository.write('sub/f', texts[1]);
      const before = indexBytes();
      const { from, to, changes } = await differences('sub/f');
      assert.ok(before.equals(indexBytes()), 'the index is what it was');
      assert.equal(changes.length, 2);
      await stageChange('sub/f', 1);
      const second = applyChanges(from, to, changes.slice(1));
      assert.equal(staged('sub/f'), second.toString('latin1'));
      await stageChange('sub/f', 0);
      assert.equal(repository.git('status', '--porcelain'), 'M  sub/f\n');
      const own = repository.git('rev-parse', ':sub/f');
      repository.git('reset', '-q');
      repository.git('add', 'sub/f');
      assert.equal(repository.git('rev-parse', ':sub/f'), own);
    });
  }

  it('follow the index where git does: CRLF that is there stays, and attributes that only it has hold', async () => {
    repository.write('f', 'a\r\nb\r\nc\r\n');
    repository.commit();
    repository.write('.gitattributes', '* text=auto\n');
    repository.write('deep/.gitattributes', 'g eol=crlf\n');
    repository.write('deep/g', 'a\r\n');
    repository.git('add', '.gitattributes', 'deep');
    repository.write('f', 'A\r\nb\r\nC\r\n');
    repository.write('deep/g', 'A\r\n');
    repository.remove('deep/.gitattributes');
    repository.remove('.gitattributes');
    for (const path of ['f', 'deep/g']) {
      const { oid } = await asAdded(run, path, await readIndex(run, path));
      repository.git('add', path);
      assert.equal(repository.git('rev-parse', `:${path}`), `${oid}\n`);
    }
    assert.equal(staged('f'), 'A\r\nb\r\nC\r\n');
    assert.equal(staged('deep/g'), 'A\n');
  });

  it('leave nothing beside the index and call no hook for what is only looked at', async () => {
    repository.config('core.splitIndex', 'true');
    repository.write('f', 'a\n');
    repository.commit();
    repository.write('.git/hooks/post-index-change', '#!/bin/sh\ntouch hooked\n');
    repository.chmod('.git/hooks/post-index-change', 0o755);
    repository.write('f', 'b\n');
    const files = () => readdirSync(`${repository.root}/.git`).sort();
    const before = files();
    await asAdded(run, 'f', await readIndex(run, 'f'));
    assert.deepEqual(files(), before);
    assert.equal(repository.exists('hooked'), false);
  });

  it('keep the mode and every other entry', async () => {
    repository.write('f', 'a\nb\nc\n');
    repository.chmod('f', 0o755);
    repository.write('g', 'g\n');
    repository.commit();
    repository.write('f', 'A\nb\nC\n');
    repository.chmod('f', 0o644);
    repository.write('g', 'changed\n');
    await stageChange('f', 0);
    assert.match(repository.git('ls-files', '-s', 'f'), /^100755 /);
    assert.equal(staged('f'), 'A\nb\nc\n');
    assert.equal(repository.git('status', '--porcelain'), 'MM f\n M g\n');
  });

  it('begin a file that is untracked, or only marked to be added', async () => {
    repository.commit();
    repository.write('new', 'a\nb\n');
    const index = await readIndex(run, 'new');
    assert.equal(index.entry, undefined);
    const { mode, oid } = await asAdded(run, 'new', index);
    assert.deepEqual([mode, (await blob(run, oid)).toString()], ['100644', 'a\nb\n']);
    repository.git('add', '-N', 'new');
    await stageChange('new', 0);
    assert.equal(repository.git('status', '--porcelain'), 'A  new\n');
    const { entry } = await readIndex(run, 'new');
    assert.ok(entry);
    await removeFromIndex(run, 'new', entry);
    assert.equal(repository.git('status', '--porcelain'), '?? new\n');
  });

  it('are of files alone, and not of conflicts', async () => {
    repository.write('f', 'a\n');
    repository.symlink('f', 'link');
    repository.commit();
    await assert.rejects(readIndex(run, 'link'), /link is not a file/);
    repository.git('checkout', '-q', '-b', 'other');
    repository.write('f', 'other\n');
    repository.commit();
    repository.git('checkout', '-q', '-');
    repository.write('f', 'ours\n');
    repository.commit();
    repository.tryGit('merge', 'other');
    await assert.rejects(readIndex(run, 'f'), /f has conflicts/);
    repository.remove('link');
    repository.write('link', 'a file now\n');
    await assert.rejects(readIndex(run, 'bad\udcff'), /not valid UTF-8/);
  });

  it('are read as HEAD has them, and as a check-out writes them', async () => {
    repository.write('.gitattributes', '*.txt eol=crlf\n');
    repository.write(utf8(':(top) é.txt'), 'a\r\n');
    repository.commit();
    const path = ':(top) é.txt';
    const head = await inHead(run, path);
    assert.ok(head);
    assert.equal((await blob(run, head.oid)).toString(), 'a\n');
    assert.equal((await asCheckedOut(run, path, head)).toString(), 'a\r\n');
    assert.equal(await inHead(run, 'none'), undefined);
  });

  it('of unsaved text are known to need no conversion', async () => {
    const may = async (path: string, bytes: string, autocrlf = 'false') => {
      const answer = await run(conversionQuestion(path));
      assert.ok(answer);
      return mayConvert(answer.stdout, autocrlf, Buffer.from(bytes));
    };
    repository.write(
      '.gitattributes',
      'auto text=auto\nbin -text\nid ident\nlfs filter=lfs\nenc working-tree-encoding=UTF-16\n',
    );
    assert.deepEqual(
      await Promise.all([
        may('f', 'a\r\n'),
        may('f', 'a\r\n', 'true'),
        may('f', 'a\n', 'true'),
        may('bin', 'a\r\n', 'true'),
      ]),
      [false, true, false, false],
    );
    assert.deepEqual(
      await Promise.all([
        may('auto', 'a\n'),
        may('auto', 'a\r\n'),
        may('id', 'a'),
        may('id', '$Id$'),
        may('lfs', ''),
        may('enc', ''),
      ]),
      [false, true, false, true, true, true],
    );
  });
});
