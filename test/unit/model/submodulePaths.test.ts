import assert from 'node:assert/strict';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isReached, pathsInGitmodules, submodulePaths } from '../../../extension/model/submodulePaths';
import { Repository } from '../../support/repository';
import { Sandbox } from '../../support/sandbox';

const paths = (text: string) => pathsInGitmodules(Buffer.from(text));

describe('submodulePaths', () => {
  let folder: string;
  const at = (name: string) => join(folder, name);
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'gitmodules-')));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('reads what git writes, and paths of any bytes', () => {
    const sandbox = new Sandbox();
    try {
      const repository = Repository.init(sandbox, 'r');
      const names = ['plain', 'deep/er', ' space ', 'a#b', 'a;b', 'a"b', 'a\\b', 'tab\tb', 'line\nb'];
      for (const [n, name] of names.entries())
        repository.git('config', '--file', '.gitmodules', `submodule.s"\\ ${n}.path`, name);
      repository.git('config', '--file', '.gitmodules', 'submodule.last.url', '../elsewhere');
      assert.deepEqual(pathsInGitmodules(readFileSync(join(repository.root, '.gitmodules'))), names);
    } finally {
      sandbox.remove();
    }
    const odd = Buffer.concat([Buffer.from('[submodule "s"]path=a'), Buffer.from([0xff])]);
    assert.deepEqual(pathsInGitmodules(odd), ['a\udcff']);
  });

  it('reads the syntax as git does', () => {
    const value = (text: string) => paths(`[submodule "s"]\n\tpath =${text}\n\tupdate = none\n`)[0];
    assert.equal(value(' x   # comment'), 'x');
    assert.equal(value('"x  "  ; comment'), 'x  ');
    assert.equal(value('x"#"y'), 'x#y');
    assert.equal(value('"" x'), 'x');
    assert.equal(value('a  ""'), 'a  ');
    assert.equal(value('a\\\n b'), 'a b');
    assert.equal(value('a\\\nb  '), 'ab');
    assert.equal(value('a\\tb'), 'a\tb');
    assert.equal(value('x\r'), 'x');
    assert.deepEqual(paths('\ufeff; c\r\n[SubModule "s"] PATH = x\r\n'), ['x']);
    assert.deepEqual(
      paths('[submodule "s"]\npath = one\n[submodule "t"]\npath=t\n[submodule "s"]\npath=two'),
      ['two', 't'],
    );
    assert.deepEqual(
      paths('[submodule "s"]\nactive\n# path = no\n[other "s"]\npath = no\n[submodule]path=no'),
      [],
    );
  });

  it('reads nothing after a mistake', () => {
    const first = '[submodule "a"]\npath = a\n';
    const last = '[submodule "b"]\npath = b\n';
    for (const mistake of ['path = "x\n', 'path = a\\q\n', '[submodule "x\n', '!\n', 'path x\n'])
      assert.deepEqual(paths(first + mistake + last), ['a'], mistake);
  });

  it('takes none that leads out of the worktree, or is no name in an index', () => {
    for (const path of ['../x', 'a/../../x', '/x', '.', '""', 'a//b', 'a/', './a', '.git', 'a/.GIT/b', '-x'])
      assert.deepEqual(paths(`[submodule "s"]path=${path}`), [], path);
  });

  it('takes no more than so many, of no file that is a link or too long', async () => {
    assert.deepEqual(await submodulePaths(folder), []);
    const lines = Array.from({ length: 1_200 }, (_, n) => `[submodule "${n}"]path=${n}\n`);
    writeFileSync(at('.gitmodules'), lines.join(''));
    assert.equal((await submodulePaths(folder)).length, 1_000);
    writeFileSync(at('.gitmodules'), lines.join('') + '#'.repeat(1 << 20));
    assert.deepEqual(await submodulePaths(folder), []);
    rmSync(at('.gitmodules'));
    writeFileSync(at('other'), '[submodule "s"]path=s\n');
    symlinkSync('other', at('.gitmodules'));
    assert.deepEqual(await submodulePaths(folder), []);
  });

  it('reaches none beyond a symbolic link', async () => {
    mkdirSync(at('real/lib'), { recursive: true });
    symlinkSync('real', at('link'));
    assert.equal(await isReached(folder, 'real/lib'), true);
    for (const path of ['link/lib', 'link', 'absent'])
      assert.equal(await isReached(folder, path), false, path);
  });
});
