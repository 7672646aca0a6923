/** The long format during an unfinished operation. */
import { type CaseContext, conformanceCase } from '../case';
import { checkLong } from '../guises';
import { atLeast } from '../../support/oracle';
import { question } from '../questions';

type Sides = Pick<CaseContext, 'repo'>;

/** Two branches that conflict only in `d/a`. main is checked out afterwards. */
function diverge({ repo }: Sides): void {
  repo.write('d/a', 'base\n');
  repo.write('other', 'base\n');
  repo.commit('base');
  repo.git('checkout', '-q', '-b', 'side');
  repo.write('d/a', 'side\n');
  repo.commit('on the side');
  repo.git('checkout', '-q', 'main');
  repo.write('d/a', 'main\n');
  repo.commit('on main');
}

/** Four commits on main; each adds a file. */
function line({ repo }: Sides): void {
  for (const name of ['one', 'two', 'three', 'four']) {
    repo.write(`d/${name}`, `${name}\n`);
    repo.commit(`add ${name}`);
  }
}

/** Runs `git rebase -i` and edits the todo list with a sed script. */
function rebaseInteractively({ repo }: Sides, script: string, ...args: string[]): void {
  repo.tryGit('-c', `sequence.editor=sed -i -e '${script}'`, 'rebase', '-q', '-i', ...args);
}

function resolve({ repo }: Sides): void {
  repo.write('d/a', 'resolved\n');
  repo.git('add', 'd/a');
}

describe('long format, in the middle of', () => {
  conformanceCase('a merge', (context) => {
    const { repo } = context;
    diverge(context);
    repo.tryGit('merge', 'side');
    repo.write('other', 'changed\n');
    checkLong(context, [/You have unmerged paths\./, /both modified: {3}d\/a/], [[], ['-uno']], 'd');
    resolve(context);
    checkLong(context, [/All conflicts fixed but you are still merging\./], [[], ['-uno']], 'd');
    repo.write('d/a', 'main\n');
    repo.git('add', 'd/a');
    repo.git('checkout', '-q', 'other');
    checkLong(context, [/still merging\.\n {2}\(use "git commit" to conclude merge\)\n\n$/], [[], ['-uno']]);
    repo.git('commit', '-q', '-m', 'merged');
    checkLong(context, [/tree clean/]);
  });

  conformanceCase('git am', (context) => {
    const { repo } = context;
    diverge(context);
    repo.git('format-patch', '-q', '-1', '-o', '../patches', 'side');
    repo.tryGit('am', '-3', '../patches/0001-on-the-side.patch');
    checkLong(context, [/middle of an am session\.\n {2}\(fix conflicts and then/], [[]], 'd');
    resolve(context);
    checkLong(context, [/Changes to be committed/]);
    repo.git('am', '--abort');
    repo.gitWithInput('From: A <a@x>\nSubject: empty\n\nno patch\n', 'am');
    checkLong(context, [/The current patch is empty\./, atLeast(2, 35) ? /--allow-empty/ : /--skip/]);
    repo.git('am', '--skip');
  });

  conformanceCase('a rebase of the apply backend', (context) => {
    const { repo } = context;
    diverge(context);
    repo.tryGit('rebase', '--apply', 'side');
    checkLong(context, [/rebase in progress; onto [0-9a-f]{7}\n/, /rebasing branch 'main' on '/], [[]], 'd');
    resolve(context);
    checkLong(context, [/all conflicts fixed: run "git rebase --continue"/]);
    repo.git('rebase', '--abort');
    repo.git('checkout', '-q', '--detach');
    repo.tryGit('rebase', '--apply', 'side');
    checkLong(context, [/You are currently rebasing\./]);
    repo.remove('.git/rebase-apply/onto');
    checkLong(context, [/onto \(null\)/]);
  });

  conformanceCase('a rebase of the merge backend', (context) => {
    const { repo } = context;
    diverge(context);
    repo.tryGit('rebase', 'side');
    checkLong(
      context,
      [
        /interactive rebase in progress; onto/,
        /Last command done \(1 command done\):/,
        /No commands remaining/,
      ],
      [[]],
      'd',
    );
    resolve(context);
    checkLong(context, [/all conflicts fixed/]);
    repo.write('.git/rebase-merge/head-name', 'refs/elsewhere/main\n\n');
    checkLong(context, [/rebasing branch 'refs\/elsewhere\/main'/]);
    repo.write('.git/rebase-merge/head-name', 'two\nlines\n');
    checkLong(context, [/rebasing branch 'two\nlines' on/]);
    repo.write('.git/rebase-merge/onto', '');
    checkLong(context, [/onto \(null\)/, /'two\nlines' on '\(null\)'/]);
    repo.write('.git/rebase-merge/head-name', '');
    checkLong(context, [/You are currently rebasing\.$/m]);
    repo.remove('.git/rebase-merge/interactive');
    checkLong(context, [/^rebase in progress/]);
  });

  conformanceCase('an interactive rebase: editing, splitting, amending', (context) => {
    const { repo } = context;
    // git uses ORIG_HEAD here, which an older rebase leaves differently.
    const editing = atLeast(2, 30) ? /editing a commit while/ : /(editing|splitting) a commit while/;
    line(context);
    rebaseInteractively(context, 's/^pick/edit/', 'HEAD~3');
    checkLong(
      context,
      [/editing a commit while rebasing branch 'main'/, /Next commands to do \(2 remaining commands\)/],
      [[]],
      'd',
    );
    repo.write('d/one', 'changed\n');
    checkLong(context, [editing]);
    repo.git('checkout', '-q', 'd/one');
    repo.git('reset', '-q', '--soft', 'HEAD^');
    checkLong(context, [editing]);
    repo.git('reset', '-q', 'HEAD');
    repo.write('d/one', 'changed\n');
    checkLong(context, [/splitting a commit while rebasing branch 'main'/, /Once your working directory/]);
    repo.git('checkout', '-q', 'd/one');
    repo.git('add', '-A');
    repo.git('commit', '-q', '-m', 'half of it');
    repo.git('rebase', '--continue');
    repo.git('rebase', '--continue');
    checkLong(
      context,
      [/Last commands done \(3 commands done\)/, /see more in file \.git\/rebase-merge\/done/],
      [[]],
      'd',
    );
    repo.git('commit', '-q', '--amend', '-m', 'amended');
    repo.write('d/one', 'changed\n');
    checkLong(context, [/splitting a commit/]);
    repo.git('reset', '-q', '--hard', 'HEAD^');
    repo.write('d/one', 'changed\n');
    checkLong(context, [/splitting a commit/]);
    repo.remove('.git/ORIG_HEAD');
    checkLong(context, [/editing a commit/]);
    repo.remove('.git/rebase-merge/head-name');
    checkLong(context, [/editing a commit during a rebase/]);
  });

  conformanceCase('an interactive rebase: what the lists hold', (context) => {
    const { repo, checkAll } = context;
    diverge(context);
    repo.git('tag', 'onto');
    repo.git('branch', 'topic');
    rebaseInteractively(context, '1i break', '--root');
    checkLong(context, [/Last command done \(1 command done\):\n {3}break/]);
    const id = repo.git('rev-parse', 'side').trim();
    const lists = [
      '',
      '# nothing but comments\n\n   \n',
      `pick ${id}`,
      `pick ${id} subject\n`,
      `  p ${id}   subject  with   spaces  \t\nx ${id} is no id\n`,
      `exec ${id} neither\nlabel ${id}\n`,
      `l onto\nreset onto\n`,
      `reset [new root]\nmerge -C ${id} topic # Merge topic\n`,
      `update-ref refs/heads/topic\nfixup -C ${id} # subject\n`,
      `t topic\nnoop\n`,
      `pick  ${id} two spaces\ndrop ${id.toUpperCase()}\n`,
      `pick ${id.slice(0, 39)}g no id\ndrop nothing-like-it\n`,
      `; a comment of other people\n # indented\n`,
      `pick ${'0'.repeat(40)} nothing\nsquash\n`,
      `edit ${id} \xe4 bytes \x1b[m\nfixup ${id}\nfixup ${id}\n`,
    ];
    for (const list of lists) {
      repo.write('.git/rebase-merge/git-rebase-todo', list);
      repo.write('.git/rebase-merge/done', list);
      checkAll([question()]);
    }
    for (const abbreviation of ['4', '12', '40', 'no', 'auto']) {
      repo.config('core.abbrev', abbreviation);
      checkAll([question()]);
    }
    repo.config('core.commentChar', ';');
    repo.write('.git/rebase-merge/done', `; one\n# not one\npick ${id}\nbreak`);
    checkAll([question()]);
    repo.config('core.commentChar', 'auto');
    checkAll([question()]);
    repo.remove('.git/rebase-merge/done');
    checkLong(context, [/No commands done\./]);
    repo.remove('.git/rebase-merge/git-rebase-todo');
    checkLong(context, [/git-rebase-todo is missing\./]);
  });

  conformanceCase('a rebase in a linked worktree, and its lists by their absolute name', async (context) => {
    const { repo, during } = context;
    line(context);
    repo.git('worktree', 'add', '-q', '../linked', '-b', 'topic');
    const linked = repo.at('../linked');
    await during(linked, (inside) => {
      rebaseInteractively(inside, '4i break', '--root');
      checkLong(
        inside,
        [/see more in file \/.*\/w\/\.git\/worktrees\/linked\/rebase-merge\/done/],
        [[]],
        'd',
      );
      checkLong(context, [/^On branch main\nnothing to commit/]);
      linked.git('bisect', 'start');
      checkLong(inside, [/You are currently bisecting/]);
    });
  });

  conformanceCase('a merge within a rebase', (context) => {
    const { repo } = context;
    diverge(context);
    repo.tryGit('merge', 'side');
    resolve(context);
    repo.git('commit', '-q', '-m', 'merged');
    rebaseInteractively(context, '', '--rebase-merges', '--root', '--force-rebase');
    checkLong(context, [/You have unmerged paths\./, /Last commands done/, /interactive rebase/], [[]], 'd');
    resolve(context);
    checkLong(context, [/still merging/]);
    repo.remove('.git/MERGE_HEAD');
    checkLong(context, [/all conflicts fixed: run "git rebase/]);
  });

  conformanceCase('cherry-picking', (context) => {
    const { repo } = context;
    diverge(context);
    repo.tryGit('cherry-pick', 'side');
    checkLong(context, [/You are currently cherry-picking commit [0-9a-f]{7}\./, /fix conflicts/], [[]], 'd');
    resolve(context);
    checkLong(context, [/all conflicts fixed: run "git cherry-pick/]);
    repo.git('cherry-pick', '--abort');
    repo.tryGit('cherry-pick', 'side', 'main^');
    checkLong(context, [/Cherry-pick currently in progress|cherry-picking commit/]);
    resolve(context);
    repo.git('commit', '-q', '-m', 'picked');
    checkLong(context, [
      /Cherry-pick currently in progress\./,
      /run "git cherry-pick --continue" to continue/,
    ]);
    for (const todo of ['p x', 'pick\tx', 'pick\nx', ' \n revert x', 'revert', 'picks x', 'r x', '']) {
      repo.write('.git/sequencer/todo', todo);
      context.checkAll([question()]);
    }
    repo.write('d/a', 'again\n');
    repo.commit();
    repo.write('.git/sequencer/todo', 'pick x\n');
    repo.write('.git/CHERRY_PICK_HEAD', 'garbage\n');
    checkLong(context, [/Cherry-pick currently in progress/]);
  });

  conformanceCase('a sequence that has stopped at one of its commits', (context) => {
    const { repo } = context;
    diverge(context);
    repo.write('other', 'changed\n');
    repo.commit('another');
    repo.git('branch', 'two');
    repo.git('reset', '-q', '--hard', 'HEAD^');
    repo.tryGit('cherry-pick', 'side', 'two');
    const named = atLeast(2, 42);
    checkLong(context, [named ? /cherry-picking commit [0-9a-f]{7}/ : /Cherry-pick currently in progress/]);
    resolve(context);
    checkLong(context, [/all conflicts fixed|run "git cherry-pick --continue" to continue/]);
    repo.git('cherry-pick', '--abort');
    repo.git('reset', '-q', '--hard', 'two');
    repo.write('d/a', 'later\n');
    repo.commit('later');
    repo.tryGit('revert', '--no-edit', 'HEAD~2', 'HEAD~1');
    checkLong(context, [named ? /reverting commit [0-9a-f]{7}/ : /Revert currently in progress/]);
  });

  conformanceCase('reverting', (context) => {
    const { repo } = context;
    diverge(context);
    repo.tryGit('revert', 'HEAD^');
    repo.tryGit('revert', '--abort');
    repo.write('d/a', 'later\n');
    repo.commit('later');
    repo.tryGit('revert', '--no-edit', 'HEAD^');
    checkLong(context, [/You are currently reverting commit [0-9a-f]{7}\./, /fix conflicts/], [[]], 'd');
    resolve(context);
    checkLong(context, [/all conflicts fixed: run "git revert/]);
    repo.git('revert', '--abort');
    repo.tryGit('revert', '--no-edit', 'HEAD^', 'HEAD~2');
    resolve(context);
    repo.git('commit', '-q', '-m', 'reverted');
    checkLong(context, [/Revert currently in progress\./]);
    repo.tryGit('revert', '--quit');
    repo.git('update-ref', 'REVERT_HEAD', 'HEAD');
    checkLong(context, [/reverting commit/]);
    repo.write('.git/MERGE_HEAD', '');
    checkLong(context, [/still merging/]);
  });

  conformanceCase('a bisection', (context) => {
    const { repo } = context;
    line(context);
    repo.git('bisect', 'start', 'HEAD', 'HEAD~3');
    checkLong(context, [/HEAD detached at/, /bisecting, started from branch 'main'/], [[]], 'd');
    repo.git('bisect', 'reset');
    repo.git('checkout', '-q', '--detach', 'HEAD^');
    repo.git('bisect', 'start');
    checkLong(context, [/bisecting, started from branch '[0-9a-f]{7}'/]);
    repo.write('.git/BISECT_START', '');
    checkLong(context, [/You are currently bisecting\./]);
    repo.git('checkout', '-q', 'main');
    repo.write('.git/BISECT_START', 'refs/heads/topic\n');
    rebaseInteractively(context, 's/^pick/edit/', 'HEAD~2');
    const rebased = atLeast(2, 43, 1) ? 'main' : 'topic';
    checkLong(context, [
      new RegExp(`editing a commit while rebasing branch '${rebased}'`),
      /started from branch 'topic'/,
    ]);
    repo.remove('.git/BISECT_START');
    checkLong(context, [/editing a commit (during a rebase|while rebasing branch 'main')/]);
  });

  conformanceCase('several things at once', (context) => {
    const { repo, checkAll } = context;
    diverge(context);
    const id = repo.git('rev-parse', 'side').trim();
    const files: Record<string, string> = {
      MERGE_HEAD: `${id}\n`,
      CHERRY_PICK_HEAD: `${id}\n`,
      REVERT_HEAD: `${id}\n`,
      BISECT_LOG: '',
      'rebase-apply/onto': `${id}\n`,
      'rebase-merge/onto': `${id}\n`,
      'sequencer/todo': `revert ${id}\n`,
    };
    const names = Object.keys(files);
    for (let mask = 1; mask < 1 << names.length; mask += 3) {
      const chosen = names.filter((_, i) => (mask >> i) & 1);
      for (const name of chosen) repo.write(`.git/${name}`, files[name] ?? '');
      checkAll([question()]);
      for (const name of chosen) repo.remove(`.git/${name.split('/')[0] ?? ''}`);
    }
  });

  conformanceCase('before the first commit', (context) => {
    const { repo } = context;
    repo.write('a', '');
    repo.git('add', 'a');
    repo.write('.git/MERGE_HEAD', `${'1'.repeat(40)}\n`);
    checkLong(context, [/still merging/, /No commits yet/]);
    repo.git('rm', '-q', '-f', 'a');
    checkLong(context, [/still merging/], [[], ['-uno']]);
    repo.rename('.git/MERGE_HEAD', '.git/CHERRY_PICK_HEAD');
    checkLong(context, [/cherry-picking commit 1111111/]);
  });

  conformanceCase(
    'something that only git can tell',
    (context) => {
      const { repo, checkAll } = context;
      line(context);
      rebaseInteractively(context, '1i break', '--root');
      for (const word of [
        'HEAD^',
        '@',
        'main@{0}',
        'HEAD:',
        repo.git('rev-parse', '--short', 'main').trim(),
      ]) {
        repo.write('.git/rebase-merge/git-rebase-todo', `pick ${word} subject\n`);
        checkAll([question()]);
      }
      repo.write('.git/rebase-merge/done', 'break\n'.repeat(3));
      repo.config('core.worktree', repo.root);
      checkAll([question()]);
    },
    { delegates: 'maybe' },
  );

  conformanceCase(
    'a rebase with SHA-256',
    (context) => {
      diverge(context);
      context.repo.tryGit('rebase', 'side');
      checkLong(context, [/onto [0-9a-f]{7}\n/]);
    },
    { init: ['--object-format=sha256'] },
  );
});
