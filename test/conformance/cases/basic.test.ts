/** Plain files: what changed between HEAD, index and worktree. */
import { conformanceCase } from '../case';

describe('plain files', () => {
  conformanceCase('an unborn branch without files', ({ check }) => {
    check(/^# branch\.oid \(initial\)$/);
  });

  conformanceCase('an unborn branch with staged and untracked files', ({ repo, check }) => {
    repo.write('staged', 'one\n');
    repo.write('untracked', 'two\n');
    repo.git('add', 'staged');
    check(/^1 A\. .* staged$/, /^\? untracked$/);
    repo.write('staged', 'changed\n');
    check(/^1 AM /);
    repo.remove('staged');
    check(/^1 AD /);
  });

  conformanceCase('a clean worktree', ({ repo, check }) => {
    repo.write('a', 'one\n');
    repo.write('d/b', 'two\n');
    repo.commit();
    check(/^# branch\.head main$/);
  });
});
