/** Unmerged entries and unfinished operations. */
import { conformanceCase } from '../case';
import { question } from '../questions';
import type { Repository } from '../../support/repository';

/** Commits `base`, then `theirs` on the branch "side" and `ours` on "main". */
function diverge(repo: Repository, base: () => void, ours: () => void, theirs: () => void): void {
  repo.write('unrelated', 'unrelated\n');
  base();
  repo.commit('base');
  repo.git('checkout', '-q', '-b', 'side');
  theirs();
  repo.commit('theirs');
  repo.git('checkout', '-q', 'main');
  ours();
  repo.commit('ours');
}

const text = 'one\ntwo\nthree\nfour\nfive\n';

describe('conflicts', () => {
  conformanceCase('UU: both modified', ({ repo, check }) => {
    diverge(
      repo,
      () => repo.write('a', text),
      () => repo.write('a', 'ours\n'),
      () => repo.write('a', 'theirs\n'),
    );
    check();
    repo.tryGit('merge', 'side');
    check(/^u UU .* a$/);
    repo.write('a', 'resolved\n');
    check(/^u UU .* a$/);
    repo.git('add', 'a');
    check(/^1 M\. .* a$/);
    repo.git('commit', '-q', '-m', 'merged');
    check();
  });

  conformanceCase('AA: both added', ({ repo, check }) => {
    diverge(
      repo,
      () => {},
      () => repo.write('a', 'ours\n'),
      () => repo.write('a', 'theirs\n'),
    );
    repo.tryGit('merge', 'side');
    check(/^u AA .* a$/);
  });

  conformanceCase('UD and DU: deleted by one side', ({ repo, check }) => {
    const base = (): void => ['a', 'b'].forEach((name) => repo.write(name, text));
    const ours = (): void => {
      repo.remove('a');
      repo.write('b', 'ours\n');
    };
    const theirs = (): void => {
      repo.write('a', 'theirs\n');
      repo.remove('b');
    };
    diverge(repo, base, ours, theirs);
    repo.tryGit('merge', 'side');
    check(/^u DU .* a$/, /^u UD .* b$/);
    repo.remove('a');
    check(/^u DU .* 000000 [0-9a-f]+ .* a$/);
  });

  conformanceCase('DD, AU and UA: renamed differently by both sides', ({ repo, check }) => {
    diverge(
      repo,
      () => repo.write('a', text),
      () => repo.rename('a', 'ours'),
      () => repo.rename('a', 'theirs'),
    );
    repo.tryGit('merge', 'side');
    check(/^u DD .* a$/, /^u AU .* ours$/, /^u UA .* theirs$/);
  });

  conformanceCase('a conflict of mode and of type', ({ repo, check }) => {
    const base = (): void => repo.write('a', text);
    const ours = (): void => {
      repo.remove('a');
      repo.symlink('nowhere', 'a');
    };
    diverge(repo, base, ours, () => repo.append('a', 'six\n'));
    repo.tryGit('merge', 'side');
    check(/^u .. .* a/);
  });

  conformanceCase('a directory against a file', ({ repo, check }) => {
    diverge(
      repo,
      () => {},
      () => repo.write('a', 'file\n'),
      () => repo.write('a/b', 'inner\n'),
    );
    repo.tryGit('merge', 'side');
    check(/^u /);
  });

  conformanceCase('every stage alone, set by hand, with and without a file', ({ repo, check }) => {
    repo.commit();
    const blob = repo.gitWithInput('blob\n', 'hash-object', '-w', '--stdin').stdout.toString().trim();
    const lines: string[] = [];
    for (let set = 1; set < 8; set++) {
      for (const stage of [1, 2, 3].filter((number) => set & (1 << (number - 1)))) {
        lines.push(`100644 ${blob} ${stage}\tset${set}\n`);
      }
      if (set % 2) repo.write(`set${set}`, 'in the worktree\n');
    }
    repo.gitWithInput(lines.join(''), 'update-index', '--index-info');
    check(/^u DD /, /^u AU /, /^u UD /, /^u UA /, /^u DU /, /^u AA /, /^u UU /);
  });

  conformanceCase('a merge under way without conflicts', ({ repo, check }) => {
    diverge(
      repo,
      () => {},
      () => repo.write('a', 'ours\n'),
      () => repo.write('b', 'theirs\n'),
    );
    repo.git('merge', '-q', '--no-commit', '--no-ff', 'side');
    check(/^1 A\. .* b$/);
    repo.git('merge', '--abort');
    check();
  });

  conformanceCase('a rebase under way', ({ repo, check }) => {
    diverge(
      repo,
      () => repo.write('a', text),
      () => repo.write('a', 'ours\n'),
      () => repo.write('a', 'theirs\n'),
    );
    repo.tryGit('rebase', 'side');
    check(/^# branch\.head \(detached\)$/, /^u UU .* a$/);
    repo.git('rebase', '--abort');
    check(/^# branch\.head main$/);
  });

  conformanceCase('a cherry-pick and a stash that conflict', ({ repo, check }) => {
    diverge(
      repo,
      () => repo.write('a', text),
      () => repo.write('a', 'ours\n'),
      () => repo.write('a', 'theirs\n'),
    );
    repo.tryGit('cherry-pick', 'side');
    check(/^u UU .* a$/);
    repo.git('cherry-pick', '--abort');
    repo.write('a', 'stashed\n');
    repo.git('stash', 'push', '-q');
    check();
    repo.write('a', 'in the way\n');
    repo.git('commit', '-qam', 'in the way');
    repo.tryGit('stash', 'pop');
    check(/^u UU .* a$/);
  });

  conformanceCase('a deleted file that git takes for the source of an unmerged one', ({ repo, check }) => {
    repo.write('gone', text);
    repo.commit();
    repo.write('ours', text);
    const blob = repo.git('hash-object', '-w', 'ours').trim();
    repo.gitWithInput(`100644 ${blob} 2\tours\n`, 'update-index', '--index-info');
    check(/^u AU .* ours$/);
    repo.remove('gone');
    check(/^u AU .* ours$/);
  });

  conformanceCase(
    'core.symlinks=false: each stage makes a mode of its own of the file',
    ({ repo, check }) => {
      repo.write('a', 'one\n');
      repo.commit();
      const blob = repo.git('hash-object', '-w', 'a').trim();
      const stages = ['100644', '120000', '100755'].map((mode, i) => `${mode} ${blob} ${i + 1}\ta\n`);
      repo.gitWithInput(`0 ${'0'.repeat(40)}\ta\n${stages.join('')}`, 'update-index', '--index-info');
      check(/^u UU N\.\.\. 100644 120000 100755 100644 .* a$/);
      repo.config('core.symlinks', 'false');
      check(/^u UU N\.\.\. 100644 120000 100755 120000 .* a$/);
      repo.write('a', 'two\n');
      check(/^u UU N\.\.\. 100644 120000 100755 120000 .* a$/);
    },
    { delegates: 'maybe' },
  );

  // In our index "d/f" follows "f": a directory comes after the files beside it.
  conformanceCase('the same name in the next directory, at other stages', ({ repo, check, checkAll }) => {
    repo.write('a', 'a\n');
    repo.commit();
    const blob = repo.gitWithInput('a blob\n', 'hash-object', '-w', '--stdin').stdout.toString().trim();
    const stage = (path: string, number: number): string => `100755 ${blob} ${number}\t${path}\n`;
    repo.gitWithInput(stage('f', 2) + stage('d/f', 1) + stage('d/f', 3), 'update-index', '--index-info');
    check(/^u AU .* f$/, /^u .* d\/f$/);
    repo.write('f', 'on disk\n');
    repo.write('d/f', 'on disk\n');
    check(/^u AU .* f$/);
    checkAll([question('--porcelain', 'f'), question('--porcelain', '--', ':!d')]);
  });
});
