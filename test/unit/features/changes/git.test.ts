/** Stage, unstage and discard, compared with git: the index and the worktree afterwards. */
import { strict as assert } from 'node:assert';
import { discard, stage, unstage } from '../../../../extension/features/changes/git';
import { Chosen, planDiscard, planStage } from '../../../../extension/features/changes/plan';
import { parsePorcelain } from '../../../../extension/git/porcelain';
import { parseStaged } from '../../../support/staged';
import { GitCommand, Run } from '../../../../extension/git/runGit';
import { unlinkFile } from '../../../../extension/git/worktreeFile';
import { fromBytes } from '../../../../extension/model/repoPath';
import { groupsOf } from '../../../../extension/model/status';
import type { StatusEntry } from '../../../../extension/protocol';
import { Repository } from '../../../support/repository';
import { Sandbox } from '../../../support/sandbox';
import { runsWell } from '../../support/runs';

const kOddNames = [
  'with space',
  '-dash',
  ':(top)magic',
  '*.star',
  '#hash',
  'line\nbreak',
  'bad\xff\xfename',
  '"quoted"',
];

describe('changes, beside git', () => {
  let sandbox: Sandbox;
  let repository: Repository;
  let commands: GitCommand[];

  beforeEach(() => {
    sandbox = new Sandbox();
    repository = Repository.init(sandbox, 'r');
    commands = [];
  });
  afterEach(() => {
    sandbox.remove();
  });

  const runWell = runsWell(() => repository);
  const run: Run = (command) => {
    commands.push(command);
    return runWell(command);
  };
  const entries = (): StatusEntry[] =>
    parsePorcelain(repository.ask('status', '--porcelain=v2', '-z', '-uall').stdout);
  /** `XY path` of each entry, in git's order. A rename is `XY from -> to`. */
  const status = (): string[] => repository.git('status', '--porcelain', '-uall').split('\n').slice(0, -1);
  const rows = (): Chosen[] =>
    entries().flatMap((each) => groupsOf(each).map((group) => ({ path: each.path, group })));
  const rowsOf = (...paths: string[]): Chosen[] => rows().filter(({ path }) => paths.includes(path));

  const stageOf = (...paths: string[]) => {
    const chosen = entries().filter(({ path }) => paths.length === 0 || paths.includes(path));
    return stage(run, repository.root, planStage(chosen));
  };
  const unstageOf = (...paths: string[]) => {
    const staged = parseStaged(repository.ask('status', '--porcelain=v2', '-z').stdout);
    return unstage(
      run,
      staged.filter(({ path }) => paths.length === 0 || paths.includes(path)),
    );
  };
  const discardOf = (chosen: Chosen[]) =>
    discard(run, repository.root, planDiscard(chosen, entries()), (path) =>
      unlinkFile(repository.root, path),
    );

  it('stages, unstages and discards every name as it is, with one git each', async () => {
    repository.write('base', 'base\n');
    repository.commit();
    for (const name of kOddNames) repository.write(name, 'odd\n');
    const names = entries().map(({ path }) => path);
    assert.deepEqual(names.sort(), kOddNames.map((name) => fromBytes(Buffer.from(name, 'latin1'))).sort());
    await stageOf();
    assert.deepEqual(
      entries().map((each) => each.kind === 'changed' && each.index + each.worktree),
      kOddNames.map(() => 'A.'),
    );
    await unstageOf();
    assert.deepEqual(
      entries().map(({ kind }) => kind),
      kOddNames.map(() => 'untracked'),
    );
    assert.equal(commands.length, 2);
    await discardOf(rows());
    assert.deepEqual(status(), []);
    assert.equal(commands.length, 2, 'untracked files need no git');
  });

  it('takes a row for itself and not for a pattern', async () => {
    repository.write('base', 'base\n');
    repository.commit();
    for (const name of ['*', 'a', 'b', 'dir/*', 'dir/a']) repository.write(name, 'x\n');
    await stageOf('*', 'dir/*');
    assert.deepEqual(status(), ['A  *', 'A  dir/*', '?? a', '?? b', '?? dir/a']);
  });

  it('stages and unstages before the first commit', async () => {
    repository.write('a', 'a\n');
    repository.write('b', 'b\n');
    await stageOf();
    repository.append('b', 'more\n');
    await unstageOf('b');
    assert.deepEqual(status(), ['A  a', '?? b']);
    assert.equal(repository.read('b'), 'b\nmore\n');
    await unstageOf();
    assert.deepEqual(status(), ['?? a', '?? b']);
  });

  it('stages edits, deletions and type changes, and unstages them', async () => {
    for (const name of ['edited', 'deleted', 'typed']) repository.write(name, `${name}\n`);
    repository.commit();
    repository.append('edited', 'more\n');
    repository.remove('deleted');
    repository.remove('typed');
    repository.symlink('edited', 'typed');
    await stageOf();
    assert.deepEqual(status(), ['D  deleted', 'M  edited', 'T  typed']);
    await unstageOf();
    assert.deepEqual(status(), [' D deleted', ' M edited', ' T typed']);
    await discardOf(rows());
    assert.deepEqual(status(), []);
    assert.equal(repository.kind('typed'), 'file');
  });

  it('unstages both halves of a rename', async () => {
    repository.write('old', 'the same content\n');
    repository.commit();
    repository.rename('old', 'new');
    repository.git('add', '-A');
    assert.deepEqual(status(), ['R  old -> new']);
    await unstageOf('new');
    assert.deepEqual(status(), [' D old', '?? new']);
  });

  it('stages both halves of a rename that add --intent-to-add began', async () => {
    repository.write('old', 'the same content\n');
    repository.commit();
    repository.rename('old', 'new');
    repository.git('add', '-N', 'new');
    await stageOf('new');
    assert.deepEqual(status(), ['R  old -> new']);
  });

  it('keeps the content of a file that is only marked to be added', async () => {
    repository.write('old', 'the same content\n');
    repository.commit();
    repository.write('marked', 'nowhere else\n');
    repository.rename('old', 'new');
    repository.git('add', '-N', 'marked', 'new');
    await discardOf(rows());
    assert.deepEqual(status(), ['?? marked', '?? new']);
    assert.equal(repository.read('marked'), 'nowhere else\n');
    assert.equal(repository.read('old'), 'the same content\n');
  });

  it('keeps what is staged when the worktree is discarded', async () => {
    repository.write('a', '1\n');
    repository.commit();
    repository.write('a', '2\n');
    repository.git('add', 'a');
    repository.write('a', '3\n');
    await discardOf(rowsOf('a').filter(({ group }) => group === 'workingTree'));
    assert.deepEqual(status(), ['M  a']);
    assert.equal(repository.read('a'), '2\n');
  });

  it('marks conflicts resolved by staging them, and discards none', async () => {
    repository.write('a', 'base\n');
    repository.write('gone', 'base\n');
    repository.commit();
    repository.git('checkout', '-q', '-b', 'theirs');
    repository.write('a', 'theirs\n');
    repository.remove('gone');
    repository.commit();
    repository.git('checkout', '-q', 'main');
    repository.write('a', 'ours\n');
    repository.write('gone', 'ours\n');
    repository.commit();
    repository.tryGit('merge', '-q', 'theirs');
    const left = await discardOf([{ path: 'a', group: 'workingTree' }]);
    assert.deepEqual(left, [{ path: 'a', why: 'has conflicts' }]);
    assert.deepEqual(planStage(entries()).unmerged, ['a', 'gone']);
    repository.write('a', 'both\n');
    repository.remove('gone');
    await stageOf();
    assert.deepEqual(status(), ['M  a', 'D  gone']);
  });

  it('stages the deletion of a file where a folder stands now, and not what is in it', async () => {
    repository.write('a', 'a\n');
    repository.commit();
    repository.remove('a');
    repository.write('a/inner', 'untracked\n');
    await stageOf('a');
    assert.deepEqual(status(), ['D  a', '?? a/inner']);
  });

  it('overwrites nothing that was not chosen', async () => {
    repository.write('a', 'a\n');
    repository.write('d/deep/f', 'f\n');
    repository.write('plain', 'plain\n');
    repository.commit();
    repository.remove('a');
    repository.write('a/precious', 'untracked\n');
    repository.remove('d');
    repository.write('d', 'precious\n');
    repository.append('plain', 'more\n');
    const left = await discardOf(rows().filter(({ group }) => group === 'workingTree'));
    assert.deepEqual(
      left.map(({ path }) => path),
      ['a', 'd/deep/f'],
    );
    assert.deepEqual(status(), [' D a', ' D d/deep/f', '?? a/precious', '?? d']);
    assert.equal(repository.read('d'), 'precious\n');
  });

  it('deletes nothing on the word of a row: what is tracked by now stays, and is said', async () => {
    repository.write('base', 'base\n');
    repository.commit();
    for (const name of ['committed', 'staged', 'untracked']) repository.write(name, 'x\n');
    const chosen = rows();
    repository.git('add', 'committed');
    repository.git('commit', '-q', '-m', 'in a terminal');
    repository.git('add', 'staged');
    const left = await discardOf(chosen);
    assert.deepEqual(
      left.map(({ path, why }) => `${path} ${why}`),
      ['committed is no longer untracked', 'staged is no longer untracked'],
    );
    assert.deepEqual(status(), ['A  staged']);
    assert.equal(repository.read('committed'), 'x\n');
  });

  it('stages a submodule at its commit, restores that commit, and leaves changes within it', async () => {
    const inner = Repository.init(sandbox, 'inner');
    inner.write('f', '1\n');
    inner.commit();
    repository.git('submodule', '--quiet', 'add', inner.root, 'sub');
    repository.commit();
    const sub = repository.at('sub');
    sub.write('f', '2\n');
    assert.deepEqual(
      planStage(entries()).left.map(({ path }) => path),
      ['sub'],
    );
    assert.deepEqual(
      (await discardOf(rows())).map(({ path }) => path),
      ['sub'],
    );
    assert.equal(sub.read('f'), '2\n');
    sub.commit();
    assert.deepEqual(status(), [' M sub']);
    await stageOf();
    assert.deepEqual(status(), ['M  sub']);
    await unstageOf();
    assert.deepEqual(status(), [' M sub']);
    await discardOf(rows());
    assert.deepEqual(status(), []);
  });

  it('keeps what is staged of the others, and unstages in a repository with SHA-256', async () => {
    repository = Repository.init(sandbox, 'sha256', '--object-format=sha256');
    repository.write('a', 'a\n');
    repository.commit();
    repository.append('a', 'more\n');
    repository.write('b', 'b\n');
    repository.write('c', 'c\n');
    repository.git('add', '-A');
    await unstageOf('a', 'b');
    assert.deepEqual(status(), [' M a', 'A  c', '?? b']);
  });

  it('takes nothing for deleted that a sparse checkout leaves out', async () => {
    for (const name of ['in/a', 'out/b']) repository.write(name, `${name}\n`);
    repository.commit();
    repository.git('sparse-checkout', 'set', '--no-cone', '/in/');
    repository.append('in/a', 'more\n');
    assert.ok(!repository.exists('out/b'));
    await stage(run, repository.root, { paths: ['in/a', 'out/b'], deleted: [] });
    assert.deepEqual(status(), ['M  in/a']);
  });

  it('stages a file where a folder was, and a file within a folder where a file was', async () => {
    repository.write('d/f', 'f\n');
    repository.write('e', 'e\n');
    repository.commit();
    repository.remove('d');
    repository.write('d', 'd\n');
    repository.remove('e');
    repository.write('e/f', 'another content\n');
    await stageOf();
    assert.deepEqual(status(), ['A  d', 'D  d/f', 'D  e', 'A  e/f']);
  });

  it('stages what a symbolic link hides, and discards nothing behind it', async () => {
    repository.write('d/f', 'f\n');
    repository.write('d/g', 'g\n');
    repository.write('base', 'base\n');
    repository.commit();
    repository.rename('d', '../elsewhere');
    repository.symlink('../elsewhere', 'd');
    repository.append('base', 'more\n');
    const left = await discardOf(rowsOf('d/f'));
    assert.deepEqual(
      left.map(({ path }) => path),
      ['d/f'],
    );
    await stageOf();
    assert.deepEqual(status(), ['M  base', 'A  d', 'D  d/f', 'D  d/g']);
  });

  it('converts as git does: ends of lines, filters, modes', async () => {
    repository.config('filter.shout.clean', 'tr a-z A-Z');
    repository.config('filter.shout.smudge', 'tr A-Z a-z');
    repository.write('.gitattributes', '*.crlf text eol=crlf\n*.shout filter=shout\n');
    repository.write('t.crlf', 'one\r\n');
    repository.write('s.shout', 'loud\n');
    repository.write('x', 'run\n');
    repository.commit();
    repository.append('t.crlf', 'two\r\n');
    repository.append('s.shout', 'more\n');
    repository.chmod('x', 0o755);
    await stageOf();
    assert.equal(repository.git('show', ':t.crlf'), 'one\ntwo\n');
    assert.equal(repository.git('show', ':s.shout'), 'LOUD\nMORE\n');
    assert.match(repository.git('ls-files', '-s', 'x'), /^100755 /);
    await unstageOf();
    await discardOf(rows());
    assert.deepEqual(status(), []);
    assert.equal(repository.read('t.crlf'), 'one\r\n');
    assert.equal(repository.read('s.shout'), 'loud\n');
  });

  it('leaves a repository within the worktree alone', async () => {
    repository.write('base', 'base\n');
    repository.commit();
    Repository.init(sandbox, 'r/nested').write('f', 'f\n');
    assert.deepEqual(planStage(entries()), {
      paths: [],
      deleted: [],
      unmerged: [],
      left: [{ path: 'nested/', why: 'is a nested repository' }],
    });
    const left = await discardOf(rows());
    assert.deepEqual(
      left.map(({ path }) => path),
      ['nested/'],
    );
    assert.ok(repository.exists('nested/f'));
  });

  it('removes a symbolic link and not what it leads to', async () => {
    repository.write('dir/base', 'base\n');
    repository.commit();
    repository.symlink('dir', 'link');
    await discardOf(rows());
    assert.ok(repository.exists('dir/base'));
    assert.deepEqual(status(), []);
  });

  it('goes by one git however many rows there are', async () => {
    repository.write('base', 'base\n');
    repository.commit();
    // Longer than a command line can be.
    const folder = Array<string>(5).fill('x'.repeat(250)).join('/');
    const names = Array.from({ length: 2_000 }, (_, i) => `${folder}/${i}`);
    for (const name of names) repository.write(name, '');
    await stageOf();
    await unstageOf();
    assert.equal(commands.length, 2);
    assert.equal(entries().length, 2_000);
    assert.ok(entries().every(({ kind }) => kind === 'untracked'));
  });
});
