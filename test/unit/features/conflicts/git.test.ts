/** Conflicts, compared with git. A side is taken for a file with or without markers. The rest is left to the user. */
import { strict as assert } from 'node:assert';
import { accept, stillMarked, withoutMarkers } from '../../../../extension/features/conflicts/git';
import { ConflictSide } from '../../../../extension/features/conflicts/markers';
import {
  acceptance,
  ConflictPath,
  deletedBy,
  mergeSources,
  stillStanding,
} from '../../../../extension/features/conflicts/plan';
import { parsePorcelain } from '../../../../extension/git/porcelain';
import { isWorktreeFile } from '../../../../extension/git/worktreeFile';
import { Repository } from '../../../support/repository';
import { Sandbox } from '../../../support/sandbox';
import { runsWell } from '../../support/runs';

const kOdd = 'bad\xff :(top)*.txt';

describe('conflicts, beside git', () => {
  let sandbox: Sandbox;
  let repository: Repository;

  beforeEach(() => {
    sandbox = new Sandbox();
    repository = Repository.init(sandbox, 'r');
    for (const [path, text] of [
      ['text', 'start\nbase\nmiddle\nmore\nend\n'],
      [kOdd, 'base\n'],
      ['binary', 'base\0\n'],
      ['gone-here', 'base\n'],
      ['gone-there', 'base\n'],
      ['sized', 'base\n'],
    ] as const)
      repository.write(path, text);
    repository.write('.gitattributes', 'sized conflict-marker-size=12\n');
    repository.commit('base');
    repository.git('checkout', '-q', '-b', 'other');
    change('theirs', 'gone-there', 'gone-here');
    repository.git('checkout', '-q', 'main');
    change('ours', 'gone-here', 'gone-there');
    repository.tryGit('merge', 'other');
  });
  afterEach(() => {
    sandbox.remove();
  });

  function change(who: string, removed: string, changed: string): void {
    const end = who === 'theirs' ? 'their end' : 'end';
    repository.write('text', `start\n${who}\nmiddle\nmore\n${end}\n`);
    repository.write(kOdd, `${who}\n`);
    repository.write('binary', `${who}\0\n`);
    repository.write('both', `${who}\n`);
    repository.write('sized', `${who}\n`);
    repository.remove(removed);
    repository.write(changed, `${who}\n`);
    repository.commit(who);
  }

  const run = runsWell(() => repository);
  const conflicts = (...only: string[]): ConflictPath[] =>
    parsePorcelain(repository.ask('status', '--porcelain=v2', '-z').stdout)
      .flatMap((entry) => (entry.kind === 'unmerged' ? [entry] : []))
      .filter(({ path }) => only.length === 0 || only.includes(path));
  /** Files without markers are replaced as a whole. */
  const take = async (side: ConflictSide, ...only: string[]) => {
    const chosen = conflicts(...only);
    const unmarked = await withoutMarkers(run, repository.root, chosen);
    return (await accept(run, repository.root, chosen, side, new Set(unmarked))).left;
  };

  it('keeps what both changed elsewhere, and takes one side of what is in conflict', async () => {
    assert.deepEqual(await take('current'), []);
    assert.equal(repository.read('text'), 'start\nours\nmiddle\nmore\ntheir end\n');
    assert.equal(repository.read(kOdd), 'ours\n');
    assert.equal(repository.read('binary'), 'ours\0\n');
    assert.equal(repository.read('both'), 'ours\n');
    assert.equal(repository.read('sized'), 'ours\n');
    assert.equal(repository.exists('gone-here'), false);
    assert.equal(repository.read('gone-there'), 'ours\n');
    assert.equal(conflicts().length, 7, 'nothing is marked resolved');
  });

  it('takes the other side, also where that is a deletion', async () => {
    assert.deepEqual(await take('incoming'), []);
    assert.equal(repository.read('text'), 'start\ntheirs\nmiddle\nmore\ntheir end\n');
    assert.equal(repository.read('binary'), 'theirs\0\n');
    assert.equal(repository.read('gone-here'), 'theirs\n');
    assert.equal(repository.exists('gone-there'), false);
  });

  it('takes both where there are two texts', async () => {
    const left = await take('both');
    assert.equal(repository.read('text'), 'start\nours\ntheirs\nmiddle\nmore\ntheir end\n');
    assert.equal(repository.read('both'), 'ours\ntheirs\n');
    assert.deepEqual(left.map(({ path }) => path).sort(), ['binary', 'gone-here', 'gone-there']);
    assert.equal(repository.read('binary'), 'ours\0\n');
  });

  it('knows what has no markers, whatever their size is', async () => {
    const { root } = repository;
    assert.deepEqual(await withoutMarkers(run, root, conflicts()), ['binary']);
    repository.write('text', 'by hand\n');
    assert.deepEqual(await stillMarked(run, root, ['text', 'both', 'sized', 'binary']), ['both', 'sized']);
  });

  it('touches nothing where the markers are broken, or a folder stands in the way', async () => {
    repository.write('text', '<<<<<<< HEAD\nours\n>>>>>>> other\n');
    repository.remove('binary');
    repository.write('binary/inner', 'mine\n');
    const left = await take('current', 'text', 'binary');
    assert.deepEqual(left.map(({ path }) => path).sort(), ['binary', 'text']);
    assert.equal(repository.read('text'), '<<<<<<< HEAD\nours\n>>>>>>> other\n');
    assert.equal(repository.read('binary/inner'), 'mine\n');
  });

  it('leaves what lost its markers after they were looked for', async () => {
    repository.write('text', 'by hand\n');
    const both = conflicts('text', 'gone-there');
    const { left } = await accept(run, repository.root, both, 'current', new Set());
    assert.deepEqual(
      left.map(({ path, why }) => `${path} ${why}`),
      ['text no longer has conflict markers'],
    );
    assert.equal(repository.read('text'), 'by hand\n');
    assert.deepEqual(await take('current', 'text'), []);
    assert.equal(repository.read('text'), 'start\nours\nmiddle\nmore\nend\n');
  });

  it('takes symbolic links for what they are', async () => {
    repository.git('merge', '--abort');
    repository.write('marked', '<<<<<<< a\n1\n=======\n2\n>>>>>>> b\n');
    for (const name of ['deleted', 'moved']) repository.symlink('nowhere', name);
    repository.commit('links');
    repository.git('checkout', '-q', '-b', 'retargeted');
    for (const name of ['deleted', 'moved']) {
      repository.remove(name);
      repository.symlink('marked', name);
    }
    repository.commit('retargeted');
    repository.git('checkout', '-q', '-b', 'gone', 'HEAD~');
    for (const name of ['deleted', 'moved']) repository.remove(name);
    repository.symlink('elsewhere', 'moved');
    repository.commit('gone');
    repository.tryGit('merge', '-q', 'retargeted');
    assert.deepEqual(
      conflicts()
        .map(({ path, conflict }) => `${conflict} ${path}`)
        .sort(),
      ['DU deleted', 'UU moved'],
    );
    repository.remove('moved');
    repository.symlink('marked', 'moved');
    assert.deepEqual(await stillMarked(run, repository.root, ['moved']), [], 'another file has them');
    assert.deepEqual(await withoutMarkers(run, repository.root, conflicts()), ['moved']);
    assert.deepEqual(await take('current'), []);
    assert.deepEqual(
      [repository.kind('deleted'), repository.read('marked').slice(0, 7)],
      ['none', '<<<<<<<'],
    );
  });

  it('touches nothing behind a symbolic link', async () => {
    repository.write('elsewhere', '<<<<<<< a\n1\n=======\n2\n>>>>>>> b\n');
    repository.remove('text');
    repository.symlink('elsewhere', 'text');
    assert.ok(!(await isWorktreeFile(repository.root, 'text')));
    repository.mkdir('real');
    repository.write('real/f', 'f\n');
    repository.symlink('real', 'linked');
    assert.ok(await isWorktreeFile(repository.root, 'real/f'));
    assert.ok(!(await isWorktreeFile(repository.root, 'linked/f')));
    assert.ok(!(await isWorktreeFile(repository.root, 'real')));
    await take('current', 'text');
    assert.match(repository.read('elsewhere'), /^<<<<<<</);
    assert.equal(repository.kind('text'), 'file', 'git has written its version in place of the link');
  });
});

describe('conflict plans', () => {
  it('merge three texts only where both sides have one', () => {
    assert.deepEqual(mergeSources('UU'), { base: 'stage1', current: 'stage2', incoming: 'stage3' });
    assert.deepEqual(mergeSources('AA'), { base: 'nothing', current: 'stage2', incoming: 'stage3' });
    for (const conflict of ['DD', 'AU', 'UD', 'UA', 'DU'] as const)
      assert.equal(mergeSources(conflict), undefined);
  });

  it('take the version that a side has, or its deletion', () => {
    const ways = (['DD', 'AU', 'UD', 'UA', 'DU', 'AA', 'UU'] as const).map((conflict) =>
      [acceptance(conflict, 'current', false), acceptance(conflict, 'incoming', true)].join(' '),
    );
    assert.deepEqual(ways, [
      'remove remove',
      'stage2 remove',
      'stage2 remove',
      'remove stage3',
      'remove stage3',
      'stage2 text',
      'stage2 text',
    ]);
    assert.deepEqual([deletedBy('UD'), deletedBy('DU'), deletedBy('UU')], ['them', 'us', undefined]);
  });

  it('hold for the conflict that was decided on', () => {
    const was = (path: string) => ({ path, conflict: 'UD' as const });
    const decided = ['same', 'other', 'staged', 'ended'].map(was);
    const now = stillStanding(decided, [
      { kind: 'unmerged', ...was('same') },
      { kind: 'unmerged', path: 'other', conflict: 'UU' },
      { kind: 'changed', path: 'staged', index: 'M', worktree: '.' },
    ]);
    assert.deepEqual(now.standing, [was('same')]);
    assert.deepEqual(
      now.left.map(({ path, why }) => `${path} ${why}`),
      [
        'other has a different conflict now',
        'staged no longer has a conflict',
        'ended no longer has a conflict',
      ],
    );
  });
});
