/** Stashes, compared with git: the stashed files and the restored files. Only the chosen stash is dropped. */
import { strict as assert } from 'node:assert';
import {
  dropAllStashes,
  stashAndCheckout,
  stashPaths,
  takeStash,
} from '../../../../extension/features/stash/git';
import {
  applyArguments,
  isNothingStashed,
  kListStashes,
  parseStashes,
  planStashOf,
  Stash,
  stashArguments,
  stashChangesCommand,
  StashOptions,
} from '../../../../extension/features/stash/plan';
import { parseTreeChanges } from '../../../../extension/git/treeDiff';
import { gitEnvironment } from '../../../../extension/git/environment';
import { parsePorcelain } from '../../../../extension/git/porcelain';
import { parseStaged } from '../../../support/staged';
import { Run, runGit } from '../../../../extension/git/runGit';
import { groupsOf } from '../../../../extension/model/status';
import { oracleGit } from '../../../support/oracle';
import { Repository } from '../../../support/repository';
import { Sandbox } from '../../../support/sandbox';

describe('stash, beside git', () => {
  let sandbox: Sandbox;
  let repository: Repository;

  beforeEach(() => {
    sandbox = new Sandbox();
    repository = Repository.init(sandbox, 'r');
    repository.write('a', 'a\n');
    repository.write('b', 'b\n');
    repository.commit('base');
  });
  afterEach(() => {
    sandbox.remove();
  });

  const run: Run = async (command) => {
    const program = { path: oracleGit(), env: gitEnvironment(sandbox.env) };
    const result = await runGit(program, repository.root, command, new AbortController().signal);
    return result.code === 0 ? result : undefined;
  };
  async function stash(message: string, options: StashOptions = {}): Promise<boolean> {
    const result = await run({ args: stashArguments(message, options) });
    assert.ok(result);
    return !isNothingStashed(result.stdout);
  }
  async function list(): Promise<Stash[]> {
    const result = await run({ args: kListStashes });
    assert.ok(result);
    return parseStashes(result.stdout);
  }
  async function at(index: number): Promise<Stash> {
    const found = (await list())[index];
    assert.ok(found);
    return found;
  }
  const status = () => repository.git('status', '--porcelain').split('\n').slice(0, -1);
  /** Makes a staged, a changed and an untracked file. */
  function change(): void {
    repository.append('a', 'staged\n');
    repository.git('add', 'a');
    repository.append('b', 'changed\n');
    repository.write('c', 'new\n');
  }

  it('takes what is tracked, untracked files too, or only what is staged', async () => {
    change();
    assert.ok(await stash(''));
    assert.deepEqual(status(), ['?? c']);
    assert.ok(await stash('with "c": \u00e4', { untracked: true }));
    assert.deepEqual(status(), []);
    assert.equal(await stash(''), false, 'nothing is left');
    const [latest, first] = await list();
    assert.equal(latest?.description, 'On main: with "c": \u00e4');
    assert.match(first?.description ?? '', /^WIP on main: [0-9a-f]+ base$/);
    assert.deepEqual([latest.index, first?.index, latest.time], [0, 1, 1_700_000_000_000]);
  });

  it('takes what is staged and nothing else', async function () {
    if (repository.tryGit('stash', 'push', '--staged').stderr.toString().includes('unknown option'))
      this.skip();
    change();
    assert.ok(await stash('', { staged: true }));
    assert.deepEqual(status(), [' M b', '?? c']);
  });

  it('applies one wherever it stands by then', async () => {
    change();
    await stash('first');
    const first = await at(0);
    repository.append('b', 'second\n');
    await stash('second');
    assert.ok(await run({ args: applyArguments(first) }));
    assert.equal(repository.read('b'), 'b\nchanged\n');
    assert.equal((await list()).length, 2);
  });

  it('pops and drops the one that is meant, and nothing where another stands there', async () => {
    change();
    await stash('first');
    const first = await at(0);
    repository.append('b', 'second\n');
    await stash('second');
    for (const verb of ['pop', 'drop'] as const) assert.equal(await takeStash(run, verb, first), 'moved');
    assert.equal((await list()).length, 2);
    assert.equal(await takeStash(run, 'drop', await at(0)), 'done');
    assert.equal(await takeStash(run, 'pop', first), 'done');
    assert.deepEqual(await list(), []);
    assert.deepEqual(status(), [' M a', ' M b', '?? c']);
    assert.equal(await takeStash(run, 'drop', first), undefined, 'it is gone');
  });

  it('drops all that were there, and none where another has come', async () => {
    change();
    await stash('first');
    const asked = await list();
    repository.append('b', 'second\n');
    await stash('second');
    assert.equal(await dropAllStashes(run, asked), 'moved');
    assert.equal((await list()).length, 2);
    assert.equal(await dropAllStashes(run, await list()), 'done');
    assert.deepEqual(await list(), []);
  });

  it('tells of each file what it was before and what it is in the stash, by one git', async () => {
    repository.write('moves', '1\n2\n3\n4\n5\n');
    repository.git('add', '-A');
    repository.git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},sub`);
    repository.git('commit', '-q', '-m', 'more');
    repository.git('update-index', '--cacheinfo', `160000,${'2'.repeat(40)},sub`);
    repository.config('diff.renames', 'false');
    repository.append('a', 'staged\n');
    repository.git('add', 'a');
    repository.append('a', 'and more\n');
    repository.git('rm', '-q', 'b');
    repository.git('mv', 'moves', 'moved');
    const tracked = await changesOf(await stashed({}));
    const a = ['a', 'a', 'a\n', 'a\nstaged\nand more\n'];
    const others = [
      ['b', 'b', 'b\n', undefined],
      ['moved', 'moves', '1\n2\n3\n4\n5\n', '1\n2\n3\n4\n5\n'],
      ['sub', 'sub', undefined, undefined],
    ];
    assert.deepEqual(tracked, [a, ...others]);
    repository.append('a', 'x\n');
    repository.write('new \xff\nfile', 'new\n');
    const all = await changesOf(await stashed({ untracked: true }));
    assert.deepEqual(all, [
      ['a', 'a', 'a\n', 'a\nx\n'],
      ['new \udcff\nfile', 'new \udcff\nfile', undefined, 'new\n'],
    ]);
    const first = await at(1);
    assert.deepEqual(await changesOf(first), tracked, 'one that is not the latest');
  });
  async function stashed(options: StashOptions): Promise<Stash> {
    assert.ok(await stash('', options));
    return at(0);
  }
  /** For each file: path, old path, and the text of each side. */
  async function changesOf(of: Stash): Promise<(string | undefined)[][]> {
    const result = await run(stashChangesCommand(of));
    assert.ok(result);
    const text = (oid: string | undefined) =>
      oid === undefined ? undefined : repository.git('cat-file', 'blob', oid);
    return parseTreeChanges(result.stdout).map(({ path, from = path, left, right }) => [
      path,
      from,
      text(left),
      text(right),
    ]);
  }

  describe('and check out', () => {
    const checkout = ['checkout', '--quiet', 'other', '--'];
    beforeEach(() => {
      repository.git('checkout', '-q', '-b', 'other');
      repository.write('z', 'z\n');
      repository.commit('other');
      repository.git('checkout', '-q', 'main');
      repository.append('a', 'changed\n');
      repository.git('add', 'a');
    });
    const head = () => repository.git('rev-parse', '--abbrev-ref', 'HEAD').trim();

    it('leaves changes behind, or takes them along', async () => {
      await stashAndCheckout(run, checkout, { migrates: true });
      assert.deepEqual([head(), status(), await list()], ['other', [' M a'], []]);
      await stashAndCheckout(run, ['checkout', '--quiet', 'main', '--'], { migrates: false });
      assert.deepEqual([head(), status(), (await list()).length], ['main', [], 1]);
    });

    it('leaves an older stash alone where nothing is changed any more', async () => {
      await stash('older');
      await stashAndCheckout(run, ['checkout', '--quiet', 'none', '--'], { migrates: true });
      await stashAndCheckout(run, checkout, { migrates: true });
      assert.deepEqual([head(), status(), (await list()).length], ['other', [], 1]);
    });

    it('puts everything back where it cannot', async () => {
      repository.write('z', 'in the way\n');
      await stashAndCheckout(run, checkout, { migrates: false });
      assert.deepEqual([head(), status(), await list()], ['main', ['M  a', '?? z'], []]);
    });
  });

  it('leaves what is staged to be gone where nothing is stashed: the files are as they were', async () => {
    repository.git('rm', '-q', '--cached', 'a');
    const staged = parseStaged(repository.ask('status', '--porcelain=v2', '-z').stdout);
    const done = await stashPaths(run, 'some', { paths: ['a'], untracked: true }, { staged });
    assert.ok(done && isNothingStashed(done.stdout));
    assert.deepEqual(status(), ['D  a', '?? a']);
  });

  it('names no path where many are meant and they are all that there is, and else each', async () => {
    repository.append('a', '1\n');
    repository.append('b', '1\n');
    repository.git('rm', '-q', '--cached', 'b');
    repository.write('new\xff', 'new\n');
    const inputs: (Uint8Array | undefined)[] = [];
    const noting: Run = (command) => {
      if (command.args.includes('stash')) inputs.push(command.input);
      return run(command);
    };
    const entries = parsePorcelain(repository.ask('status', '--porcelain=v2', '-z', '-uall').stdout);
    const rows = entries.flatMap((entry) => groupsOf(entry).map((group) => ({ entry, group })));
    const staged = parseStaged(repository.ask('status', '--porcelain=v2', '-z').stdout);
    const some = planStashOf(rows.filter(({ entry }) => entry.path === 'a'));
    assert.ok(await stashPaths(noting, 'some', some, { staged, all: entries }));
    assert.deepEqual(status(), ['D  b', '?? b', '?? "new\\377"']);
    await run({ args: ['stash', 'pop', '--quiet'] });
    assert.ok(await stashPaths(noting, 'all', planStashOf(rows), { staged, all: entries }));
    assert.deepEqual(status(), []);
    assert.deepEqual(
      inputs.map((input) => input !== undefined),
      [true, false],
    );
    await run({ args: ['stash', 'pop', '--quiet'] });
    assert.equal(repository.git('show', ':a'), 'a\n');
    assert.ok(repository.exists('new\xff'));
  });

  it('takes the files of rows alone, whatever their names', async () => {
    repository.write('odd :(top)*\xff', 'odd\n');
    repository.git('mv', 'a', 'moved');
    repository.append('b', 'stays\n');
    repository.write('new', 'stays\n');
    const entries = parsePorcelain(repository.ask('status', '--porcelain=v2', '-z', '-uall').stdout);
    const rows = entries.flatMap((entry) => groupsOf(entry).map((group) => ({ entry, group })));
    const plan = planStashOf(rows.filter(({ entry }) => /^(moved|odd)/.test(entry.path)));
    assert.equal(plan.untracked, true);
    const staged = () => parseStaged(repository.ask('status', '--porcelain=v2', '-z').stdout);
    const failing: Run = (command) =>
      command.args.includes('stash') ? Promise.resolve(undefined) : run(command);
    assert.equal(await stashPaths(failing, 'some', plan, { staged: staged() }), undefined);
    assert.ok(status().includes('R  a -> moved'), 'as it was where git fails');
    assert.ok(await stashPaths(run, 'some', plan, { staged: staged() }));
    assert.deepEqual(status(), [' M b', '?? new']);
    await run({ args: ['stash', 'pop', '--quiet'] });
    assert.deepEqual(status(), [' D a', ' M b', 'A  moved', '?? new', '?? "odd :(top)*\\377"']);
  });
});
