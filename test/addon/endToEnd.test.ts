/** The shipped helper process on real repositories. */
import { strict as assert } from 'node:assert';
import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parsePorcelain } from '../../extension/git/porcelain';
import { requests } from '../../extension/protocol';
import { utf8 } from '../support/bytes';
import { Repository } from '../support/repository';
import { Sandbox } from '../support/sandbox';
import { parseStaged } from '../support/staged';
import { HelperProcess, installHelper, removeHelper } from './helperProcess';
import { addonPath } from './realAddon';

describe('helper and core', () => {
  let folder: string;
  let sandbox: Sandbox;
  let helper: HelperProcess;
  let repository: Repository;
  let root: string;

  const view = () => helper.view(root);
  /** Waits until the view has exactly these lines of letters and path. */
  const shows = (...lines: string[]): Promise<void> =>
    helper.until(() => JSON.stringify(shown()) === JSON.stringify([...lines].sort()));
  const shown = (): string[] => view().lines;
  const isWatching = (): boolean =>
    helper.changes.some((change) => change.root === root && change.state?.state === 'watching');

  before(() => {
    folder = installHelper(addonPath());
  });
  after(() => {
    removeHelper(folder);
  });
  beforeEach(async () => {
    sandbox = new Sandbox();
    repository = Repository.init(sandbox, 'r');
    ({ root } = repository);
    repository.write('a', 'a\n');
    repository.write('.gitignore', '*.o\n');
    repository.git('add', '.');
    repository.git('commit', '-qm', 'first');
    helper = await HelperProcess.start(folder, sandbox.env);
  });
  afterEach(async () => {
    if (helper.child.exitCode === null && helper.child.signalCode === null) await helper.stop();
    sandbox.remove();
  });

  it('follows edits, commits and branches', async () => {
    repository.write('new', 'n\n');
    const opened = await helper.open(root);
    assert.deepEqual(opened, { root, gitDir: join(root, '.git'), commonDir: join(root, '.git') });
    await helper.until(isWatching);
    await shows('?? new');
    repository.append('a', 'more\n');
    await shows('.M a', '?? new');
    repository.git('add', 'a', 'new');
    await shows('M. a', 'A. new');
    repository.git('commit', '-qm', 'second');
    await shows();
    repository.git('checkout', '-q', '-b', 'topic');
    await helper.until(() => helper.changes.at(-1)?.branch?.name === 'topic');
    repository.git('commit', '-q', '--allow-empty', '-m', 'a commit changes nothing but the ref');
    const oid = repository.git('rev-parse', 'HEAD').trim();
    await helper.until(() => helper.changes.some(({ branch }) => branch?.oid === oid));
    assert.equal(view().gaps, 0);
  });

  /** Both branches change `a`: the merge stops. */
  function mergeWithConflict(): void {
    repository.git('checkout', '-qb', 'side');
    repository.write('a', 'side\n');
    repository.git('commit', '-qam', 'side');
    repository.git('checkout', '-q', '-');
    repository.write('a', 'main\n');
    repository.git('commit', '-qam', 'main');
    repository.tryGit('merge', 'side');
  }

  it('notices everything that git does around the worktree', async () => {
    await helper.open(root);
    await helper.until(isWatching);
    repository.write('b.tmp', 'x');
    await shows('?? b.tmp');
    mkdirSync(join(root, '.git/info'), { recursive: true });
    writeFileSync(join(root, '.git/info/exclude'), '*.tmp\n');
    await shows();
    writeFileSync(join(sandbox.root, 'excludes'), 'other\n');
    repository.write('other', 'x');
    await shows('?? other');
    repository.git('config', 'core.excludesFile', join(sandbox.root, 'excludes'));
    await shows();
    writeFileSync(join(sandbox.root, 'excludes'), '');
    await shows('?? other');
    mergeWithConflict();
    await shows('UU a', '?? other');
    await helper.until(() => helper.changes.some(({ operation }) => operation === 'merge'));
    repository.git('merge', '--abort');
    await shows('?? other');
    await helper.until(
      () =>
        helper.changes.at(-1)?.operation === null ||
        helper.changes.some((c, i) => i > 0 && c.operation === null),
    );
  });

  it('watches config files that the core cannot watch', async () => {
    const config = (name: string) => `[core]\n\texcludesFile = ${join(sandbox.root, name)}\n`;
    mkdirSync(join(sandbox.root, 'real'));
    writeFileSync(join(sandbox.root, 'real/config'), config('none'));
    symlinkSync(join(sandbox.root, 'real/config'), join(sandbox.root, 'linked'));
    writeFileSync(join(sandbox.root, 'some'), 'new\n');
    repository.git('config', 'include.path', join(sandbox.root, 'linked'));
    repository.write('new', 'n\n');
    await helper.open(root);
    await shows('?? new');
    writeFileSync(join(sandbox.root, 'real/config'), config('some'));
    await shows();
  });

  it('answers with the status of this moment', async () => {
    const question = ['status', '--porcelain=v2', '-z', '--untracked-files=all'];
    const isEqual = async (): Promise<void> => {
      const answer = await helper.request(requests.status, { root });
      const { stdout } = repository.ask(...question);
      assert.deepEqual(answer, { entries: parsePorcelain(stdout), staged: parseStaged(stdout) });
    };
    repository.write('moved', 'a file with some content\n');
    repository.write('gone', 'g\n');
    repository.git('add', '.');
    repository.git('commit', '-qm', 'second');
    await helper.open(root);
    await isEqual();
    repository.git('mv', 'moved', utf8('caf\u00e9'));
    repository.git('rm', '-q', 'gone');
    repository.write('bad\xff\x80 utf8', 'x');
    repository.git('add', '.');
    repository.append('a', 'more\n');
    repository.write('new/deep', 'x');
    await isEqual();
    // Only git can answer from here on.
    repository.git('config', 'attr.tree', 'HEAD');
    repository.append('a', 'more\n');
    await isEqual();
    repository.git('config', '--unset', 'attr.tree');
    repository.git('reset', '-q', '--hard');
    mergeWithConflict();
    await isEqual();
  });

  it('shows paths of any bytes', async () => {
    for (const path of ['line\nbreak', 'q"uote', utf8('caf\u00e9'), 'bad\xff\x80utf8'])
      repository.write(path, 'x');
    await helper.open(root);
    await shows('?? line\nbreak', '?? q"uote', '?? caf\u00e9', '?? bad\udcff\udc80utf8');
    repository.git('add', '.');
    await shows('A. line\nbreak', 'A. q"uote', 'A. caf\u00e9', 'A. bad\udcff\udc80utf8');
    const params = { root, path: 'bad\udcff\udc80utf8', source: 'index' };
    const { base64 } = await helper.request(requests.content, params);
    assert.equal(Buffer.from(base64 ?? '', 'base64').toString(), 'x');
  });

  it('explains paths of any bytes, and runs nothing in an untrusted workspace', async () => {
    repository.write('bad\xff.o', 'x');
    repository.write('.gitattributes', 'a filter=noted\n');
    repository.config('filter.noted.clean', `touch ${sandbox.path('ran')}; cat`);
    repository.append('a', 'more\n');
    await helper.open(root, false);
    const explain = (path: string) => helper.request(requests.explain, { root, path });
    const { ignore, ignored } = await explain('bad\udcff.o');
    assert.deepEqual(ignore, { source: '.gitignore', line: 1, pattern: '*.o', at: 'bad\udcff.o' });
    assert.equal(ignored, true);
    const { row, differences, conversion } = await explain('a');
    assert.deepEqual(row, { index: '.', worktree: 'M' });
    assert.deepEqual([differences, conversion], [['content'], { filter: 'noted' }]);
    assert.deepEqual(await explain('none'), { path: 'none' });
    assert.equal(existsSync(sandbox.path('ran')), false);
  });

  it('explains by attributes as they are now, also where all is ignored', async () => {
    repository.write('out.o/x.o', 'x');
    await helper.open(root);
    const attributes = async () => {
      const explanation = await helper.request(requests.explain, { root, path: 'out.o/x.o' });
      return explanation.attributes?.map(({ name, value }) => `${name} ${value}`);
    };
    const before = await attributes();
    repository.write('out.o/.gitattributes', '*.o mine=1\n');
    assert.deepEqual(await attributes(), [...(before ?? []), 'mine 1']);
    repository.write('out.o/.gitattributes', '*.o mine=2\n');
    assert.deepEqual(await attributes(), [...(before ?? []), 'mine 2']);
  });

  it('answers contents and ignored paths', async () => {
    await helper.open(root);
    repository.write('a', 'staged\n');
    repository.git('add', 'a');
    const content = async (path: string, source: string): Promise<string | undefined> => {
      const { base64 } = await helper.request(requests.content, { root, path, source });
      return base64 === undefined ? undefined : Buffer.from(base64, 'base64').toString();
    };
    assert.equal(await content('a', 'HEAD'), 'a\n');
    assert.equal(await content('a', 'index'), 'staged\n');
    assert.equal(await content('nothing', 'HEAD'), undefined);
    assert.equal(await content('a', 'stage2'), undefined);
    repository.write('d/y.o', 'x');
    const { ignored } = await helper.request(requests.ignored, {
      root,
      paths: ['x.o', 'a', 'd/y.o'],
    });
    assert.deepEqual(ignored, [true, false, true]);
  });

  it('rescans, with progress', async () => {
    for (let i = 0; i < 300; ++i) repository.write(`d${i % 7}/f${i}`, 'x');
    repository.git('add', '.');
    await helper.open(root);
    const kinds = new Set<string>();
    helper.onProgress('t', ({ kind }) => kinds.add(kind));
    const result = await helper.request(requests.rescan, { root, workDoneToken: 't' });
    assert.ok(result.filesSeen >= 300);
    assert.ok(result.milliseconds > 0);
    assert.ok(kinds.has('begin') && kinds.has('end'));
  });

  it('keeps a broken repository from a good one', async () => {
    const broken = Repository.init(sandbox, 'broken');
    broken.write('b', 'b');
    broken.git('add', 'b');
    await helper.open(root);
    await helper.open(broken.root);
    await helper.until(isWatching);
    broken.truncate('.git/index', 40);
    await helper.until(
      () =>
        helper.view(broken.root).last?.state?.state === 'failed' ||
        helper.changes.some((c) => c.root === broken.root && c.state?.state === 'failed'),
    );
    const failure = helper.changes.find(
      (change) => change.root === broken.root && change.state?.state === 'failed',
    );
    assert.match(JSON.stringify(failure?.state), /index/);
    await assert.rejects(helper.open(sandbox.path('nowhere')));
    await assert.rejects(helper.open(sandbox.path('home')), /not a git repository/);
    repository.write('new', 'x');
    await shows('?? new');
    broken.remove('.git/index');
    broken.git('add', 'b');
    await helper.until(() => [...helper.view(broken.root).entries.values()].some(({ path }) => path === 'b'));
  });

  it('says that a worktree was removed', async () => {
    await helper.open(root);
    await helper.until(isWatching);
    rmSync(root, { recursive: true });
    await helper.until(() => helper.closes.length > 0);
    assert.equal(helper.closes[0]?.root, root);
    assert.match(helper.closes[0].message, /removed/);
  });

  it('survives a worktree that is moved away and back', async () => {
    await helper.open(root);
    await helper.until(isWatching);
    renameSync(root, `${root}.away`);
    await helper.until(() => helper.closes.length > 0);
    renameSync(`${root}.away`, root);
    await helper.open(root);
    repository.write('new', 'x');
    await shows('?? new');
  });

  it('keeps linked worktrees beside their main one', async () => {
    repository.git('worktree', 'add', '-q', '../linked');
    const linked = sandbox.path('linked');
    const found = await helper.request(requests.discover, { path: sandbox.root, depth: 1 });
    assert.deepEqual(found, { roots: [linked, root].sort(), problems: [] });
    await helper.open(root);
    const opened = await helper.open(linked);
    assert.deepEqual(opened, {
      root: linked,
      gitDir: join(root, '.git/worktrees/linked'),
      commonDir: join(root, '.git'),
    });
    writeFileSync(join(linked, 'a'), 'changed');
    await helper.until(() => helper.view(linked).paths.join() === 'a');
    assert.deepEqual(shown(), []);
    // A commit in one worktree moves no badge of the other. A shared ref is reported to both.
    repository.append('a', 'x');
    repository.git('commit', '-qam', 'main');
    await shows();
    assert.deepEqual(helper.view(linked).paths, ['a']);
  });

  it('follows a repository to another place, and computes there itself', async () => {
    await helper.open(root);
    await helper.until(isWatching);
    repository.write('new', 'x');
    await shows('?? new');
    const gitDir = sandbox.path('moved.git');
    repository.git('init', '-q', '--separate-git-dir', gitDir);
    await helper.until(() => helper.changes.at(-1)?.gitDir === gitDir);
    assert.deepEqual(await helper.open(root), { root, gitDir, commonDir: gitDir });
    repository.append('a', 'more\n');
    await shows('.M a', '?? new');
    repository.git('add', 'a');
    await shows('M. a', '?? new');
    const states = helper.changes.map(({ state }) => state?.state).filter((state) => state !== undefined);
    assert.equal(states.at(-1), 'watching');
    assert.ok(!states.includes('delegated'), states.join());
    assert.equal(view().gaps, 0);
  });

  it('is killed, and the next process shows the same', async () => {
    repository.write('new', 'x');
    await helper.open(root);
    await shows('?? new');
    helper.kill();
    await helper.exited;
    repository.write('new2', 'x');
    helper = await HelperProcess.start(folder, sandbox.env);
    await helper.open(root);
    await shows('?? new', '?? new2');
  });

  it('ends in the middle of a first scan', async () => {
    for (let i = 0; i < 3000; ++i) repository.write(`d${i % 100}/f${i}`, 'x');
    for (const wait of [0, 1, 2, 5, 10, 15, 20, 30]) {
      void helper.open(root).catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, wait));
      helper.child.disconnect();
      assert.deepEqual(await helper.exited, { code: 0, signal: null });
      helper = await HelperProcess.start(folder, sandbox.env);
    }
  });
});
