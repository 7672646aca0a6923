/** Lines of .gitignore and patches, compared with git. */
import { strict as assert } from 'node:assert';
import { patchOf, type PatchRow } from '../../../../extension/features/files/git';
import { ignoreAddition } from '../../../../extension/features/ignore/plan';
import { gitEnvironment } from '../../../../extension/git/environment';
import { Run, runGit } from '../../../../extension/git/runGit';
import { fromBytes } from '../../../../extension/model/repoPath';
import { fromBuffer, toBuffer, utf8 } from '../../../support/bytes';
import { Repository } from '../../../support/repository';
import { Sandbox } from '../../../support/sandbox';
import { runsWell } from '../../support/runs';

const kOdd = [
  'a\\b',
  'a?b',
  '*?',
  '[\n?',
  'line\nbreak',
  'cr\r',
  'x[1]',
  '#c',
  '!d',
  'sp  ',
  'tab\t',
  '*',
  '**',
  'a/b*',
  utf8('ä'),
  'b\xff',
  '\\',
];

describe('files', () => {
  let sandbox: Sandbox;
  let repository: Repository;

  beforeEach(() => {
    sandbox = new Sandbox();
    repository = Repository.init(sandbox, 'r');
  });
  afterEach(() => {
    sandbox.remove();
  });

  const text = (name: string) => fromBytes(toBuffer(name));
  const ignored = (): string[] => {
    const names = repository.git('ls-files', '-z', '--others', '--ignored', '--exclude-standard');
    return names.split('\0').slice(0, -1);
  };

  it('ignore themselves, and nothing else, whatever they are called', () => {
    const others = ['ab', 'aXb', 'x1', 'c', 'd', 'sp', 'sp ', 'tab', 'a/bc', 'sub/a?b', 'b'];
    for (const name of [...kOdd, ...others]) repository.write(name, '');
    for (const name of kOdd) {
      repository.write('.gitignore', fromBuffer(ignoreAddition(Buffer.alloc(0), [text(name)])));
      assert.deepEqual(ignored(), [name], JSON.stringify(name));
    }
  });

  it('are written after what is there, in its way of ending lines', () => {
    const added = (before: string) => ignoreAddition(Buffer.from(before), ['a', 'b']).toString();
    assert.equal(added(''), '/a\n/b\n');
    assert.equal(added('x\n'), '/a\n/b\n');
    assert.equal(added('x'), '\n/a\n/b\n');
    assert.equal(added('x\r\ny'), '\r\n/a\r\n/b\r\n');
  });

  it('are a patch that git applies', async () => {
    for (const name of ['staged', 'changed', 'old', 'binary', ':(top)x', 'kept', 'dirty', 'gone', 'removed'])
      repository.write(name, `${name}\nx\ny\nz\n`);
    repository.commit();
    for (const name of ['staged', 'kept']) repository.append(name, 'more\n');
    repository.rename('old', 'renamed');
    repository.remove('removed');
    repository.git('add', '-A');
    repository.append('changed', 'no newline');
    repository.append('dirty', 'more\n');
    repository.remove('gone');
    repository.write('binary', '\0\x01\xff');
    repository.append(':(top)x', 'more\n');
    for (const name of ['new', 'b\xff', 'two\nlines', 'empty', 'intended', 'left'])
      repository.write(name, name === 'empty' ? '' : `${name}\n`);
    repository.git('add', '--intent-to-add', 'intended');
    repository.symlink('nowhere', 'link');
    repository.write('program', '#!/bin/sh\n');
    repository.chmod('program', 0o755);
    const toLookAt = {
      'diff.external': 'false',
      'color.ui': 'always',
      'diff.noprefix': 'true',
      'diff.context': '0',
      'diff.upper.textconv': 'tr a-z A-Z <',
    };
    for (const [name, value] of Object.entries(toLookAt)) repository.config(name, value);
    repository.write('.git/info/attributes', 'changed diff=upper\n');
    let gits = 0;
    const run: Run = (command) => {
      gits++;
      return runGit(
        { path: 'git', env: gitEnvironment(sandbox.env, { index: command.index }) },
        repository.root,
        command,
        new AbortController().signal,
      );
    };
    const untracked = ['new', 'b\xff', 'two\nlines', 'empty', 'link', 'program'];
    const objects = repository.git('count-objects');
    const index = repository.git('ls-files', '--stage');
    const rows: PatchRow[] = [
      { path: 'staged', side: 'index' },
      { path: 'renamed', from: 'old', side: 'index' },
      { path: 'removed', side: 'index' },
      { path: 'changed', side: 'workingTree' },
      { path: 'gone', side: 'workingTree' },
      { path: 'binary', side: 'workingTree' },
      { path: ':(top)x', side: 'workingTree' },
      { path: 'intended', side: 'workingTree' },
      ...untracked.map((path) => ({ path: text(path), side: 'untracked' as const })),
    ];
    const patch = await patchOf(run, rows);
    assert.ok(patch instanceof Buffer);
    assert.equal(gits, 10);
    assert.equal(repository.git('ls-files', '--stage'), index);
    assert.equal(repository.git('count-objects'), objects);
    assert.equal(await patchOf(run, rows, 400), 'tooLarge');
    // These two paths were not selected.
    repository.remove('left');
    repository.git('checkout', 'HEAD', '--', 'kept', 'dirty');
    repository.git('add', '-A');
    const wanted = repository.git('write-tree');
    repository.git('reset', '-q', '--hard');
    const result = await runGit(
      { path: 'git', env: gitEnvironment(sandbox.env) },
      repository.root,
      { args: ['apply', '--index'], input: patch },
      new AbortController().signal,
    );
    assert.equal(result.code, 0, result.stderr.toString());
    assert.equal(repository.git('write-tree'), wanted);
  });

  it('are a patch before the first commit too', async () => {
    repository.write('f', 'f\n');
    repository.git('add', 'f');
    const run = runsWell(() => repository);
    assert.match(
      String(await patchOf(run, [{ path: 'f', side: 'index' }])),
      /^diff --git a\/f b\/f\nnew file/,
    );
  });
});
