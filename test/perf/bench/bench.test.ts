/** The whole bench on a tiny repository: every row is measured and reported. The times do not matter. */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Sandbox } from '../../support/sandbox';
import { Repository } from '../../support/repository';
import { type BenchOptions, rowGroups, runBench } from './bench';
import { hasStrace, Programs } from './programs';
import { canMigrateRefs } from './rows/refs';
import { Subject } from './subject';

// Dropping the disk cache would slow down everything else on the machine.
const rows = Object.keys(rowGroups).filter((name) => name !== 'cold');

describe('bench', () => {
  let folder: string;
  let options: BenchOptions;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'rgb-'));
    options = {
      sizes: ['tiny'],
      rows,
      runs: 1,
      threads: 2,
      worktrees: 20,
      strace: hasStrace(),
      cache: join(folder, 'cache'),
      output: join(folder, 'report'),
      say: () => {},
    };
  });
  after(() => rmSync(folder, { recursive: true }));

  it('measures every row of a generated repository and leaves it as it was', async () => {
    const report = await runBench(options);
    const [size] = report.sizes;
    assert.ok(size);
    assert.equal(size.files, 2000);
    assert.equal(size.directories, 165);
    assert.deepEqual(
      size.rows.map(({ id }) => id),
      [
        ...[
          'scan',
          'watched',
          'rescan',
          'idle',
          'memory',
          'prompt-kept',
          'prompt-own',
          'load',
          'head',
          'refs',
          'history-ahead-behind',
          'history-describe',
          'history-objects',
        ],
        ...(process.getuid?.() === 0
          ? ['polled-0', 'polled-25', 'polled-75', 'fuse-0', 'fuse-1']
          : ['polled']),
        ...['scan-uno', 'scan-unormal', 'edits-1', 'edits-100', 'delta', 'add', 'checkout'],
        ...[0, 1, 100].flatMap((amount) =>
          ['status', 'diff', 'add', 'commit', 'stash'].map((id) => `monitor-${id}-${amount}`),
        ),
        'many',
      ],
    );
    for (const { id, figures, verdicts } of size.rows) {
      const isMeasured = id !== 'refs' || canMigrateRefs();
      assert.equal(verdicts.length > 0, isMeasured, `${id} has a verdict`);
      for (const { name, samples } of figures) {
        assert.ok(samples.length > 0 && samples.every(Number.isFinite), `${id}, ${name}: ${samples.join()}`);
      }
    }
    assert.deepEqual(JSON.parse(readFileSync(join(options.output, 'bench.json'), 'utf8')), report);
    const markdown = readFileSync(join(options.output, 'bench.md'), 'utf8');
    for (const { title } of size.rows) assert.ok(markdown.includes(`### ${title}\n`), title);
    const chart = readFileSync(join(options.output, 'bench.svg'), 'utf8');
    assert.match(chart, /^<svg [\s\S]*<\/svg>\n$/);
    assert.ok(!/NaN|Infinity/.test(chart + markdown));
    assert.equal(existsSync(join(options.cache, 'tiny/changed')), false);
  });

  it('tells of growth where there are several sizes', async () => {
    const report = await runBench({ ...options, sizes: ['tiny', '4000'], rows: ['resident'] });
    assert.deepEqual(
      report.growth?.verdicts.map(({ ours }) => ours),
      ['first answer, watched, 4000 over tiny, per file', 'memory, 4000 over tiny, per file'],
    );
  });

  it('measures an existing repository without changing it', async () => {
    const sandbox = new Sandbox();
    try {
      const repository = Repository.init(sandbox, 'mine');
      repository.write('a/file', 'one\n');
      repository.commit();
      repository.write('untracked', '');
      // A git status would refresh this index.
      utimesSync(join(repository.root, 'a/file'), 1_600_000_000, 1_600_000_000);
      const index = readFileSync(join(repository.root, '.git/index'));
      const report = await runBench({
        ...options,
        repository: repository.root,
        rows: ['scan', 'head', 'edits'],
      });
      assert.deepEqual(
        report.sizes[0]?.rows.map(({ id, figures }) => [id, figures.length > 0]),
        [
          ['scan', true],
          ['head', true],
          ['edits', false],
        ],
      );
      assert.deepEqual(readFileSync(join(repository.root, '.git/index')), index);
    } finally {
      sandbox.remove();
    }
  });

  it('puts right what a run left behind that was ended', () => {
    const sandbox = new Sandbox();
    try {
      const programs = new Programs(sandbox.env);
      const generated = (): Subject => Subject.generated(sandbox, programs, '500', options.cache);
      const subject = generated();
      const { worktree } = subject;
      const [file = ''] = subject.git(['ls-files']).split('\n');
      const commit = subject.git(['rev-parse', 'main']);
      const config = readFileSync(join(worktree, '.git/config'));
      writeFileSync(join(options.cache, '500/changed.config'), config);
      subject.configure(['core.untrackedCache=true']);
      writeFileSync(join(options.cache, '500/changed'), commit);
      writeFileSync(join(worktree, file), 'committed');
      subject.git(['commit', '-q', '-a', '-m', 'changed']);
      writeFileSync(join(worktree, file), 'stashed');
      subject.git(['stash', '-q']);
      subject.git(['update-index', '--index-version', '4', '--untracked-cache']);
      writeFileSync(join(worktree, file), 'changed');
      writeFileSync(join(worktree, 'new'), '');
      writeFileSync(join(worktree, '.git/index.lock'), '');
      const again = generated();
      assert.equal(again.git(['status', '--porcelain']), '');
      assert.equal(again.git(['rev-parse', 'main']), commit);
      assert.equal(again.git(['stash', 'list']), '');
      assert.deepEqual(readFileSync(join(worktree, '.git/config')), config);
      const index = readFileSync(again.indexPath);
      assert.deepEqual([index.readUInt32BE(4), index.includes('UNTR')], [2, false]);
      assert.equal(existsSync(join(options.cache, '500/changed')), false);
      // Like a run that was aborted at its start.
      writeFileSync(join(options.cache, '500/changed'), '');
      assert.equal(generated().git(['rev-parse', 'main']), commit);
    } finally {
      sandbox.remove();
    }
  });

  it('gives git what it needs to skip directories by its untracked cache', () => {
    const sandbox = new Sandbox();
    try {
      const subject = Subject.generated(sandbox, new Programs(sandbox.env), '500', options.cache);
      const variants = subject.gitVariants();
      assert.deepEqual(
        variants.slice(0, 3).map(({ name }) => name),
        ['git', 'git, feature.manyFiles', 'git, untracked cache'],
      );
      const opened = variants.map(({ command, env }) => {
        const trace = sandbox.path('trace');
        subject.git(command.slice(1), { ...env, GIT_TRACE2_PERF: trace });
        const said = readFileSync(trace, 'utf8');
        rmSync(trace);
        return /read_directo.*opendir:(\d+)/.exec(said)?.[1];
      });
      assert.deepEqual(opened.slice(1, 3), ['0', '0']);
    } finally {
      sandbox.remove();
    }
  });
});
