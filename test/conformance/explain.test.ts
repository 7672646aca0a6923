/**
 * Compares `git-resident explain` with several git commands: check-ignore, check-attr, ls-files, diff and
 * status.
 */
import { strict as assert } from 'node:assert';
import { mkdirSync, symlinkSync } from 'node:fs';
import { printable } from '../support/bytes';
import { Repository } from '../support/repository';
import { memoryDirectory, Sandbox } from '../support/sandbox';
import { compareExplanations, explain, explainText, runExplain } from './explain/oracle';
import { operations } from './random/operations/all';
import { Prng } from './random/prng';
import { buildShape } from './random/shape';
import { World } from './random/world';

/** A hand-made case: it compares every path with git, beside its own checks. */
function explainCase(title: string, body: (repo: Repository) => void, init: string[] = []): void {
  it(title, () => {
    const sandbox = new Sandbox(memoryDirectory());
    try {
      const repo = Repository.init(sandbox, 'w', ...init);
      body(repo);
      compareExplanations(repo);
    } finally {
      sandbox.remove();
    }
  });
}

describe('git-resident explain', () => {
  explainCase('names the file, the line and the pattern that ignore', (repo) => {
    repo.write('.gitignore', '# no rule\n*.log\n!keep.log\n/build/\n');
    repo.write('sub/.gitignore', '*.tmp\n!*.log  \n');
    repo.write('.git/info/exclude', '\nlocal\n');
    repo.write('../home/.config/git/ignore', '*~\n');
    for (const path of ['a.log', 'keep.log', 'build/x/y', 'sub/a.log', 'sub/b.tmp', 'local', 'z~', 'plain'])
      repo.write(path, '');
    repo.write('tracked.log', '');
    repo.git('add', '-f', 'tracked.log', '.gitignore');
    repo.git('commit', '-qm', 'x');
    const [log, keep, built, tracked] = explain(repo, 'a.log', 'keep.log', 'build/x/y', 'tracked.log');
    assert.deepEqual(log?.ignore, { source: '.gitignore', line: 2, pattern: '*.log', at: 'a.log' });
    assert.equal(log.ignored, true);
    assert.deepEqual([keep?.ignore?.negative, keep?.untracked], [true, true]);
    assert.deepEqual(built?.ignore, { source: '.gitignore', line: 4, pattern: '/build/', at: 'build' });
    assert.deepEqual([tracked?.ignore?.line, tracked?.ignored], [2, undefined]);
    assert.match(
      explainText(repo, 'build/x/y'),
      /Ignored because of \.gitignore, line 4: \/build\/ \(matches build\)\./,
    );
    assert.match(explainText(repo, 'tracked.log'), /Would be ignored if it were untracked/);
    repo.remove('build');
    const [asFile, asDirectory] = explain(repo, 'build', 'build/');
    assert.deepEqual([asFile?.ignore, asDirectory?.ignore?.pattern], [undefined, '/build/']);
  });

  explainCase('says which attribute rules hold, through which macro', (repo) => {
    repo.write(
      '.gitattributes',
      '[attr]packed binary filter=none\n*.bin packed\n* text=auto\n"q u" eol=lf\n',
    );
    repo.write('sub/.gitattributes', '\n*.bin -text !filter\n');
    repo.write('.git/info/attributes', '*.txt whitespace=tab\n');
    for (const path of ['a.bin', 'a.txt', 'q u', 'sub/b.bin', 'sub/c.txt']) repo.write(path, 'x\n');
    repo.commit();
    const [bin, quoted] = explain(repo, 'a.bin', 'q u');
    const diff = bin?.attributes?.find(({ name }) => name === 'diff');
    assert.deepEqual(diff, {
      name: 'diff',
      value: 'unset',
      origin: 'file',
      source: '.gitattributes',
      line: 2,
      pattern: '*.bin',
      macro: 'packed',
    });
    assert.equal(quoted?.attributes?.find(({ name }) => name === 'eol')?.pattern, 'q u');
    // A file that is not checked out is read from the index.
    repo.git('update-index', '--skip-worktree', 'sub/.gitattributes');
    repo.remove('sub/.gitattributes');
    const [fromIndex] = explain(repo, 'sub/b.bin');
    assert.equal(fromIndex?.attributes?.find(({ name }) => name === 'text')?.origin, 'index');
  });

  explainCase('tells content, mode, type, ends of lines and conversions apart', (repo) => {
    const names = ['content', 'mode', 'type', 'eol', 'both', 'gone', 'same', 'normalise', 'ident', 'utf16'];
    for (const name of names) repo.write(name, 'one\ntwo\n');
    repo.write('normalise', 'one\r\ntwo\r\n');
    repo.write('ident', '$Id: abc $\n');
    repo.write('utf16', 'o\0\n\0');
    repo.commit();
    repo.write('content', 'other\ntwo\n');
    repo.write('eol', 'one\r\ntwo\r\n');
    repo.write('both', 'one\r\nmore\r\n');
    for (const name of ['mode', 'both']) repo.chmod(name, 0o755);
    for (const name of ['type', 'gone']) repo.remove(name);
    repo.symlink('same', 'type');
    repo.write('.gitattributes', 'normalise text\nident ident\nutf16 working-tree-encoding=UTF-16LE\n');
    for (const name of ['normalise', 'ident', 'utf16']) repo.touch(name, { seconds: 1_600_000_000 });
    const found = explain(repo, ...names).map(({ differences = [] }) => differences);
    assert.deepEqual(found, [
      ['content'],
      ['mode'],
      ['type'],
      ['endOfLine'],
      ['mode', 'content'],
      ['deleted'],
      [],
      ['endOfLine'],
      ['conversion'],
      ['conversion'],
    ]);
    assert.match(
      explainText(repo, 'mode'),
      /Compared with the index: the mode differs \(100644 to 100755\)\./,
    );
  });

  explainCase('tells what an external filter makes different', (repo) => {
    repo.write('a', 'abc\n');
    repo.write('b', 'abc\n');
    repo.commit();
    repo.write('.gitattributes', 'a filter=upper\nb filter=upper\n');
    repo.config('filter.upper.clean', 'tr a-z A-Z');
    repo.touch('a', { seconds: 1_600_000_000 });
    repo.write('b', 'abd\n');
    const [a, b] = explain(repo, 'a', 'b');
    assert.deepEqual([a?.differences, a?.conversion], [['filter'], { filter: 'upper' }]);
    assert.deepEqual(b?.differences, ['content']);
  });

  explainCase('shows what flags hide', (repo) => {
    for (const name of ['assumed', 'skipped', 'gone', 'same']) repo.write(name, 'a\n');
    repo.commit();
    repo.git('update-index', '--assume-unchanged', 'assumed', 'same');
    repo.git('update-index', '--skip-worktree', 'skipped', 'gone');
    for (const name of ['assumed', 'skipped']) repo.write(name, 'other\n');
    repo.remove('gone');
    const found = explain(repo, 'assumed', 'skipped', 'gone', 'same');
    assert.deepEqual(
      found.map(({ hidden, differences }) => [hidden, differences]),
      [
        [['assumeUnchanged'], ['content']],
        [['skipWorktree'], ['content']],
        [['skipWorktree'], ['deleted']],
        [['assumeUnchanged'], undefined],
      ],
    );
    assert.ok(found.every(({ row }) => row === undefined));
    assert.match(
      explainText(repo, 'assumed'),
      /The flag assume-unchanged hides.*\n.*Hidden changes, compared with the index: the content differs/,
    );
  });

  for (const [kind, options] of [
    ['cone', ['--cone']],
    ['patterns', ['--no-cone']],
    ['a sparse index', ['--cone', '--sparse-index']],
  ] as const) {
    explainCase(`says what a sparse checkout leaves out: ${kind}`, (repo) => {
      for (const path of ['top', 'in/a', 'in/deep/b', 'out/c', 'out/deep/d']) repo.write(path, 'x\n');
      repo.commit();
      repo.git('sparse-checkout', 'init', ...options);
      repo.git('sparse-checkout', 'set', options[0] === '--cone' ? 'in' : '/in/');
      const [inside, outside] = explain(repo, 'in/deep/b', 'out/deep/d');
      assert.deepEqual([inside?.sparse?.included, inside?.hidden], [true, undefined]);
      assert.equal(outside?.sparse?.included, false);
      assert.deepEqual(outside.hidden, [kind === 'a sparse index' ? 'sparseIndex' : 'skipWorktree']);
      assert.deepEqual(outside.entries, [{ ...inside?.entries?.[0], skipWorktree: true }]);
    });
  }

  explainCase('knows conflicts, renames and what is only meant to be added', (repo) => {
    repo.write('old', 'a\nb\nc\nd\n');
    repo.write('quarrel', 'base\n');
    repo.commit();
    repo.git('checkout', '-qb', 'side');
    repo.write('quarrel', 'theirs\n');
    repo.commit();
    repo.git('checkout', '-q', 'main');
    repo.write('quarrel', 'ours\n');
    repo.commit();
    repo.tryGit('merge', 'side');
    repo.git('mv', 'old', 'new');
    repo.write('intended', 'x\n');
    repo.git('add', '-N', 'intended');
    const [quarrel, renamed, intended] = explain(repo, 'quarrel', 'new', 'intended');
    assert.deepEqual(quarrel?.row, { index: 'U', worktree: 'U', unmerged: true });
    assert.deepEqual(
      quarrel.entries?.map(({ stage }) => stage),
      [1, 2, 3],
    );
    assert.deepEqual(renamed?.row, { index: 'R', worktree: '.', from: 'old', score: 100 });
    assert.deepEqual(intended?.differences, ['intentToAdd']);
  });

  explainCase('says where a path lies that git does not look at', (repo) => {
    const library = Repository.init(repo.sandbox, 'library');
    library.write('file', 'x\n');
    library.commit();
    repo.write('file', 'x\n');
    repo.commit();
    repo.git('submodule', '--quiet', 'add', library.root, 'sub');
    repo.commit();
    repo.git('clone', '-q', library.root, 'nested');
    repo.mkdir('empty/deep');
    symlinkSync('sub', `${repo.root}/link`);
    repo.write('sub/file', 'changed\n');
    repo.write('sub/new', '');
    repo.sandbox.exec('mkfifo', `${repo.root}/fifo`);
    const paths = [
      'sub',
      'sub/file',
      'nested',
      'nested/file',
      'link/file',
      '.git/config',
      'empty',
      'fifo',
      'none',
    ];
    const found = explain(repo, ...paths);
    assert.deepEqual(
      found.map(({ place, placeAt }) => [place, placeAt]),
      [
        [undefined, undefined],
        ['submodule', 'sub'],
        ['nestedRepository', 'nested'],
        ['nestedRepository', 'nested'],
        ['beyondLink', 'link'],
        ['gitDirectory', '.git'],
        [undefined, undefined],
        [undefined, undefined],
        [undefined, undefined],
      ],
    );
    assert.deepEqual(found[0]?.differences, ['modified', 'untracked']);
    assert.deepEqual(
      found.slice(6).map(({ kind }) => kind),
      ['directory', 'special', undefined],
    );
  });

  explainCase('takes names with newlines and bytes that are no text', (repo) => {
    const names = ['new\nline', '\xff\xfe', 'd\xe9/\xc3\xa9 "q"', 'tab\t\\'];
    for (const name of names) repo.write(name, 'x\n');
    repo.write('.gitignore', '\xff*\n');
    const found = explain(repo, ...names);
    assert.deepEqual(
      found.map(({ path }) => path),
      ['new\nline', '\udcff\udcfe', 'd\udce9/é "q"', 'tab\t\\'],
    );
    assert.deepEqual(found[1]?.ignore?.pattern, '\udcff*');
    repo.git('add', '-A');
  });

  explainCase('takes paths from any directory, absolute ones and through links', (repo) => {
    repo.write('sub/file', 'x\n');
    repo.write('top', 'x\n');
    repo.commit();
    symlinkSync(repo.root, repo.sandbox.path('way'));
    mkdirSync(`${repo.root}/sub/deep`);
    const from = (directory: string, ...paths: string[]) =>
      runExplain(repo, paths, { cwd: `${repo.root}/${directory}` });
    const pathsOf = ({ stdout }: { stdout: Buffer }) =>
      stdout
        .toString()
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { path: string }).path);
    const absolute = [`${repo.root}/sub/file`, repo.sandbox.path('way/sub/file'), repo.root];
    assert.deepEqual(pathsOf(from('sub/deep', '../file', '../../top', './', ...absolute)), [
      'sub/file',
      'top',
      'sub/deep',
      'sub/file',
      'sub/file',
      '',
    ]);
    for (const path of ['../../..', '/etc/passwd', '', `${repo.root}2/x`]) {
      const refused = from('sub', path);
      assert.equal(refused.code, 128, path);
      assert.match(refused.stderr.toString(), /^fatal: '.*' is outside of the repository at '.*\/w'\n$/);
      assert.equal(refused.stdout.length, 0);
    }
    assert.equal(runExplain(repo, []).code, 129);
    assert.equal(runExplain(repo, ['--wrong'], { raw: true }).code, 129);
    assert.equal(runExplain(repo, ['top'], { cwd: repo.sandbox.root }).code, 128);
  });

  explainCase(
    'knows repositories with SHA-256 and without a commit',
    (repo) => {
      repo.write('a', 'x\n');
      repo.git('add', 'a');
      const [a] = explain(repo, 'a');
      assert.equal(a?.entries?.[0]?.oid.length, 64);
      assert.equal(a.head, undefined);
    },
    ['--object-format=sha256'],
  );

  it('equals git in random repositories', () => {
    let compared = 0;
    for (let seed = kFirst; seed < kFirst + kSeeds; seed++) compared += randomSeed(seed);
    assert.ok(compared > kSeeds * 40, `only ${compared} paths were compared`);
  }).timeout(300_000);
});

const kFirst = Number(process.env.EXPLAIN_FIRST ?? 1);
const kSeeds = Number(process.env.EXPLAIN_SEEDS ?? 12);

/** Returns the number of compared paths. */
function randomSeed(seed: number): number {
  const sandbox = new Sandbox(memoryDirectory());
  try {
    const { repo } = buildShape(sandbox, new Prng(seed));
    let compared = 0;
    for (let number = 1; number <= 12; number++) {
      const world = new World(repo, new Prng(seed, number));
      for (let tries = 0; tries < 20 && world.prng.weighted(operations).run(world) === false; tries++);
      if (number % 4 === 0) compared += compareExplanations(repo);
    }
    return compared;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`seed ${seed}: ${printable(reason)}\n${sandbox.replayScript()}`);
  } finally {
    sandbox.remove();
  }
}
