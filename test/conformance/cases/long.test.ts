/** The long format: its sections, its last sentence, its configuration. Operations are in long-operations. */
import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { type CaseContext, conformanceCase } from '../case';
import { checkLong } from '../guises';
import { atLeast } from '../../support/oracle';
import { question } from '../questions';
import { knowsSparseIndex, setSparseCheckout } from '../sparse';

const modes = [
  [],
  ['-uno'],
  ['-uall', '--ignored'],
  ['--ignored=matching', '--no-renames'],
  ['--show-stash', '--long'],
];

const text = Array.from({ length: 30 }, (_, i) => `line ${i}\n`).join('');

function furnish({ repo }: CaseContext): void {
  for (const path of ['a', 'd/x.c', 'd/y.c', 'd/e/z', 'top', 'typed']) repo.write(path, `${path}\n${text}`);
  repo.write('.gitignore', '*.o\n');
  repo.commit('first');
}

/** Adds all seven kinds of conflict to the index. `body` does not use these paths. */
function conflict({ repo }: CaseContext, stages: Readonly<Record<string, readonly number[]>>): void {
  const id = repo.gitWithInput('blob\n', 'hash-object', '-w', '--stdin').stdout.toString().trim();
  const lines = Object.entries(stages).flatMap(([path, present]) =>
    present.map((stage) => `100644 ${id} ${stage}\t${path}\n`),
  );
  repo.gitWithInput(lines.join(''), 'update-index', '--index-info');
}

describe('long format', () => {
  conformanceCase('a clean worktree', (context) => {
    furnish(context);
    checkLong(context, [/^On branch main\nnothing to commit, working tree clean\n$/], modes, 'd');
  });

  conformanceCase('no commits yet: nothing, untracked files, something staged', (context) => {
    const { repo } = context;
    checkLong(context, [/No commits yet/, /create\/copy files/], modes);
    repo.write('d/new', '');
    checkLong(context, [/nothing added to commit but untracked files present/], modes, 'd');
    repo.git('add', '-A');
    checkLong(context, [/git rm --cached <file>/, /new file: {3}d\/new/], modes, 'd');
    repo.write('d/new', 'changed\n');
    checkLong(context, [/modified: {3}d\/new/], modes, 'd');
    repo.git('update-index', '--force-remove', 'd/new');
    conflict(context, { 'd/c': [2, 3], 'd/b': [1] });
    checkLong(context, [/both deleted: {4}d\/b/, /Untracked files:/], modes, 'd');
  });

  conformanceCase('every section at once', (context) => {
    const { repo } = context;
    furnish(context);
    repo.write('top', 'stashed\n');
    repo.git('stash', 'push', '-q');
    checkLong(context, [], [['--show-stash']]);
    repo.write('top', 'stashed again\n');
    repo.git('stash', 'push', '-q');
    repo.git('mv', 'd/x.c', 'd/e/renamed.c');
    repo.append('d/e/renamed.c', 'and edited\n');
    repo.git('rm', '-q', '--cached', 'top');
    repo.write('staged', '');
    repo.git('add', 'staged', 'd/e/renamed.c');
    repo.append('d/y.c', 'changed\n');
    repo.append('d/e/renamed.c', 'and again\n');
    repo.remove('typed');
    repo.symlink('a', 'typed');
    repo.remove('d/e/z');
    repo.write('d/new', '');
    repo.write('out/a.o', '');
    repo.write('d/a.o', '');
    checkLong(
      context,
      [
        /renamed: {4}d\/x\.c -> d\/e\/renamed\.c/,
        /deleted: {4}top/,
        /typechange: typed/,
        /git add\/rm <file>/,
        /\td\/new/,
      ],
      modes,
      'd/e',
    );
    repo.config('status.showStash', 'true');
    checkLong(context, [/Your stash currently has 2 entries/], [[], ['--no-show-stash']]);
    repo.config('status.relativePaths', 'false');
    checkLong(context, [], [[]], 'd');
  });

  conformanceCase('names that must be quoted', (context) => {
    const { repo } = context;
    furnish(context);
    repo.write('d/with space', '');
    repo.write('d/caf\xe9', '');
    repo.write('d/"quoted"\n', '');
    repo.write('d/100%s', '');
    repo.git('add', 'd/100%s', 'd/with space');
    repo.git('mv', 'a', 'd/tab\there');
    checkLong(context, [/new file: {3}d\/with space/, /caf\\351/, /a -> "d\/tab\\there"/], [[]], 'd');
    repo.config('core.quotePath', 'false');
    checkLong(context, [/caf\xe9/], [[]], 'd');
  });

  conformanceCase('every conflict and what is advised for it', (context) => {
    furnish(context);
    const all = { dd: [1], au: [2], ud: [1, 2], ua: [3], du: [1, 3], aa: [2, 3], uu: [1, 2, 3] };
    for (const [name, stages] of Object.entries(all)) {
      conflict(context, { [`d/${name}`]: stages });
      checkLong(context, [/Unmerged paths:/], [[]], 'd');
      context.repo.git('update-index', '--force-remove', `d/${name}`);
    }
    conflict(context, { dd: [1], uu: [1, 2, 3] });
    checkLong(context, [/git add\/rm <file>\.\.\." as appropriate/]);
    conflict(context, all);
    context.repo.write('uu', '');
    context.repo.git('rm', '-q', '--cached', 'a');
    checkLong(context, [/deleted by them: ud/, /Changes to be committed/], modes, 'd');
  });

  conformanceCase('copies, and renames in the worktree', (context) => {
    const { repo } = context;
    furnish(context);
    repo.config('status.renames', 'copies');
    repo.write('d/copy', `a\n${text}`);
    repo.append('a', 'so that it can be a source\n');
    repo.git('add', '-A');
    repo.rename('d/y.c', 'd/moved');
    repo.git('add', '-N', 'd/moved');
    checkLong(context, [/copied: {5}a -> d\/copy/, /renamed: {4}d\/y\.c -> d\/moved/], modes, 'd');
  });

  // git is asked about the submodules themselves.
  const asksGit = { delegates: 'maybe' } as const;

  conformanceCase(
    'submodules',
    (context) => {
      const { repo } = context;
      repo.git('init', '-q', '../library');
      repo.at('../library').write('file', 'one\n');
      repo.at('../library').commit();
      furnish(context);
      for (const name of ['commits', 'content', 'untracked', 'all'])
        repo.git('submodule', '--quiet', 'add', '../library', `d/${name}`);
      checkLong(context, [/new file: {3}d\/untracked/], [[]], 'd');
      repo.commit('submodules');
      repo.at('d/commits').commit('moved');
      repo.at('d/content').write('file', 'two\n');
      repo.at('d/untracked').write('new', '');
      repo.at('d/all').write('file', 'two\n');
      repo.at('d/all').commit('moved');
      repo.at('d/all').write('file', 'three\n');
      repo.at('d/all').write('new', '');
      checkLong(
        context,
        [
          /d\/commits \(new commits\)/,
          /d\/content \(modified content\)/,
          /d\/untracked \(untracked content\)/,
          /d\/all \(new commits, modified content, untracked content\)/,
          /commit or discard the untracked or modified content in submodules/,
        ],
        [[], ['-uno'], ['--ignore-submodules=untracked'], ['--ignore-submodules']],
        'd',
      );
      repo.config('status.submoduleSummary', 'true');
      checkLong(context, [/Submodules changed but not updated/], [['--ignore-submodules=all']]);
      repo.config('status.submoduleSummary', 'false');
      checkLong(context, [], [[]]);
      repo.remove('a');
      repo.git('init', '-q', 'a');
      repo.at('a').commit();
      checkLong(context, [/typechange: a/], [[]]);
    },
    asksGit,
  );

  conformanceCase('sparse checkouts', (context) => {
    const { repo } = context;
    furnish(context);
    // Shown since 2.28.
    const present = (percent: number, ...shows: RegExp[]): RegExp[] =>
      atLeast(2, 28)
        ? [new RegExp(`You are in a sparse checkout with ${percent}% of tracked files present\\.`), ...shows]
        : [/nothing to commit, working tree clean/];
    setSparseCheckout(repo, ['--no-cone'], '/top', '/d/e/');
    checkLong(context, present(29), [[]], 'd');
    // git checks if a file exists, even for an assume-unchanged entry.
    repo.git('update-index', '--assume-unchanged', 'd/x.c', 'a');
    checkLong(context, present(29), [[], ['-uno']]);
    repo.git('update-index', '--no-assume-unchanged', 'd/x.c', 'a');
    repo.write('a', 'there all the same\n');
    checkLong(context, atLeast(2, 36) ? present(43, /modified: {3}a/) : present(29));
    repo.config('sparse.expectFilesOutsideOfPatterns', 'true');
    checkLong(context, present(29));
    repo.git('config', '--unset', 'sparse.expectFilesOutsideOfPatterns');
    // Before 2.36 git does not check out such a path.
    if (atLeast(2, 36)) {
      repo.git('checkout', '-q', 'HEAD', '--', 'a');
      checkLong(context, present(43));
    }
    repo.remove('a');
    checkLong(context, present(atLeast(2, 36) ? 43 : 29));
    repo.git('sparse-checkout', 'disable');
    repo.git('checkout', '-q', 'a');
    checkLong(context, [/tree clean/]);
  });

  // An older git does not expand an index because of existing files, nor for index.sparse=false.
  const unfolded = atLeast(2, 36)
    ? /You are in a sparse checkout with \d+% of/
    : /You are in a sparse checkout/;
  const sparseIndexCase = knowsSparseIndex() ? conformanceCase : (): void => undefined;
  sparseIndexCase(
    'sparse indexes',
    (context) => {
      const { repo, subject } = context;
      furnish(context);
      repo.write('far/away', '');
      repo.commit();
      setSparseCheckout(repo, ['--cone', '--sparse-index'], 'd/e');
      checkLong(context, [/You are in a sparse checkout\./], modes, 'd');
      assert.deepEqual(subject.delegations, []);
      // git expands the index because the directory exists, and collapses it at each write.
      repo.mkdir('far');
      checkLong(context, [unfolded]);
      repo.git('update-index', '--force-write-index');
      checkLong(context, [unfolded]);
      repo.remove('far');
      checkLong(context, [/You are in a sparse checkout\./]);
      repo.write('d/x.c', 'in the place of a file that is there\n');
      repo.write('other/new', '');
      checkLong(context, [/sparse checkout/]);
      repo.git('sparse-checkout', 'set', 'd');
      checkLong(context, [/You are in a sparse checkout\./]);
      repo.git('config', '--worktree', 'index.sparse', 'false');
      checkLong(context, [unfolded]);
      repo.git('sparse-checkout', 'set', 'd/e');
      checkLong(context, [unfolded]);
      repo.git('config', '--worktree', 'index.sparse', 'true');
      checkLong(context, [/You are in a sparse checkout/]);
    },
    { delegates: 'maybe' },
  );

  conformanceCase('every slot of the colours', (context) => {
    const { repo } = context;
    furnish(context);
    repo.append('a', 'changed\n');
    repo.append('top', 'staged\n');
    repo.git('add', 'top');
    repo.write('new', '');
    conflict(context, { 'd/c': [2, 3] });
    repo.config('color.status', 'always');
    const slots = ['header', 'branch', 'added', 'updated', 'changed', 'untracked', 'unmerged', 'noBranch'];
    for (const [i, slot] of slots.entries()) {
      repo.config(`color.status.${slot}`, ['red bold', '#10ff20', '123 ul', 'normal'][i % 4] ?? '');
      context.checkAll([question()]);
    }
    repo.config('color.status.branch', '');
    context.checkAll([question()]);
    repo.config('color.status', 'never');
    context.checkAll([question()]);
  });

  conformanceCase('configuration that chooses the format', (context) => {
    const { repo } = context;
    furnish(context);
    repo.write('new', '');
    for (const [name, value] of [
      ['status.branch', 'true'],
      ['status.showUntrackedFiles', 'no'],
      ['status.showUntrackedFiles', 'all'],
      ['column.ui', 'never'],
      ['column.status', 'auto'],
      ['core.commentChar', 'auto'],
      ['advice.statusUoption', 'false'],
      ['advice.statusAheadBehindWarning', 'false'],
      ['status.short', 'true'],
    ] as const) {
      repo.config(name, value);
      checkLong(context, [], [[], ['--long'], ['--no-short'], ['--no-long'], ['--no-verbose']]);
    }
  });

  conformanceCase('comments that begin otherwise', (context) => {
    const { repo } = context;
    furnish(context);
    repo.write('new', '');
    repo.config('status.displayCommentPrefix', 'true');
    if (!atLeast(2, 45)) repo.config('core.commentString', '//');
    const values = atLeast(2, 45)
      ? ['%', '//', '\xe2\x80\xa2', 'auto', '!', 'Auto']
      : ['%', 'auto', '!', 'Auto'];
    for (const value of values) {
      repo.git('config', '--add', 'core.commentChar', value);
      context.checkAll([question(), question('-uno')]);
      if (atLeast(2, 45)) repo.git('config', '--add', 'core.commentString', `${value}#`);
      context.checkAll([question()]);
    }
  });

  conformanceCase('advice turned off by the environment', ({ repo, subject }) => {
    repo.write('new', '');
    for (const GIT_ADVICE of ['0', 'no', 'true', '', '1', 'perhaps']) {
      // A resident process has an environment of its own.
      subject.compare([{ question: { ...question(), env: { GIT_ADVICE } }, sources: ['scan', 'auto'] }]);
    }
  });

  conformanceCase(
    'what is still git itself goes to it whole',
    (context) => {
      const { repo, subject, checkAll, sandbox } = context;
      furnish(context);
      repo.append('a', 'changed\n');
      for (const name of ['n1', 'n2', 'n3', 'n4']) repo.write(name, '');
      repo.git('add', 'n1');
      const handed = (...args: string[]): void => {
        const before = readFileSync(sandbox.spyLog, 'latin1').length;
        checkAll([question(...args)]);
        const calls = readFileSync(sandbox.spyLog, 'latin1').slice(before).split('\n');
        const whole = ['status', ...args].join(' ');
        assert.equal(calls.filter((call) => call === whole).length, 2, `${whole}: ${calls.join('\n')}`);
      };
      handed('-v');
      handed('-vv', '--long', '-uno');
      handed('--column');
      handed('--no-column', '--show-stash');
      for (const [name, value] of [
        ['column.ui', 'always'],
        ['column.status', 'row'],
        ['status.submoduleSummary', '2'],
      ] as const) {
        repo.config(name, value);
        handed();
        handed('-uall', '--ignored');
        repo.git('config', '--unset', name);
      }
      assert.ok(subject.delegations.length > 0);
      repo.config('color.status.branch', 'no-such-colour');
      checkAll([question()]);
    },
    { delegates: 'maybe' },
  );
});
