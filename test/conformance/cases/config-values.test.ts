/** Config values that only some git versions refuse or warn about: git's exit code and messages. */
import { strict as assert } from 'node:assert';
import type { Repository } from '../../support/repository';
import { conformanceCase } from '../case';
import { question } from '../questions';

/** Section, variable, value; without a value the variable has no '='. */
type Setting = readonly [section: string, variable: string, value?: string];

const asked = question('--porcelain=v2', '-z', '-b');

function lineOf([section, variable, value]: Setting): string {
  return `[${section}]\n\t${variable}${value === undefined ? '' : ` = "${value}"`}\n`;
}

/** Tests each setting alone under a running server. `refused`: how many git 2.30 or newer refuses. */
function valuesCase(title: string, settings: readonly Setting[], refused: number): void {
  conformanceCase(
    title,
    ({ repo, subject, checkAll }) => {
      furnish(repo);
      const config = repo.read('.git/config');
      const answers = settings.map((setting) => {
        repo.write('.git/config', config + lineOf(setting));
        checkAll([asked]);
        return subject.askGit(asked);
      });
      const objections = answers.filter(({ code, stderr }) => code !== 0 || stderr.length > 0).length;
      assert.ok(objections >= refused, `git objects to ${objections} of ${settings.length} values only`);
      repo.write('.git/config', config);
      checkAll([asked]);
    },
    { delegates: 'maybe' },
  );
}

function furnish(repo: Repository): void {
  repo.write('a', 'one\n');
  repo.write('d/b', 'two\n');
  repo.commit();
  repo.git('update-ref', 'refs/remotes/origin/main', 'HEAD');
  repo.config('remote.origin.url', '../elsewhere');
  repo.config('remote.origin.fetch', '+refs/heads/*:refs/remotes/origin/*');
  repo.config('branch.main.remote', 'origin');
  repo.config('branch.main.merge', 'refs/heads/main');
  repo.write('a', 'changed\n');
  repo.write('new', '');
}

describe('config values', () => {
  valuesCase(
    'of files and the index',
    [
      ['core', 'checkStat', 'maybe'],
      ['core', 'maxTreeDepth', '1'],
      ['core', 'maxTreeDepth', '-1'],
      ['core', 'lockfilePid', 'maybe'],
      ['core', 'sharedRepository', '0440'],
      ['core', 'hooksPath', '~nobody-of-that-name/hooks'],
      ['core', 'excludesFile', ':(optional)nowhere'],
      ['core', 'attributesFile', ':(optional)nowhere'],
      ['core', 'logAllRefUpdates'],
      ['core', 'abbrev', 'no'],
      ['core', 'fsmonitor', 'false'],
      ['core', 'whitespace', 'trailing-space,tabwidth=99'],
      ['core', 'whitespace', 'tab-in-indent,indent-with-non-tab'],
      ['core', 'commentString', ''],
      ['index', 'version', '9'],
      ['attr', 'tree', 'nowhere'],
      ['gc', 'writeCommitGraph', 'maybe'],
      ['fetch', 'writeCommitGraph', 'maybe'],
      ['fetch', 'negotiationAlgorithm', 'maybe'],
      ['commitGraph', 'readChangedPaths', 'maybe'],
      ['commitGraph', 'generationVersion', 'maybe'],
      ['commitGraph', 'changedPathsVersion', 'maybe'],
      ['pack', 'useSparse', 'maybe'],
      ['pack', 'usePathWalk', 'maybe'],
      ['pack', 'readReverseIndex', 'maybe'],
      ['pack', 'useBitmapBoundaryTraversal', 'maybe'],
    ],
    4,
  );

  valuesCase(
    'of diffs and colours',
    [
      ['diff', 'statNameWidth', 'wide'],
      ['diff', 'trustExitCode', 'maybe'],
      ['diff', 'orderFile', ''],
      ['diff "driver"', 'binary', 'maybe'],
      ['diff "driver"', 'binary', 'auto'],
      ['diff "driver"', 'cachetextconv', 'maybe'],
      ['color', 'ui', 'never,auto'],
      ['color', 'status', 'never,auto'],
      ['diff', 'ignoreSubmodules', 'dirty,all'],
      ['status', 'showUntrackedFiles', 'false'],
      ['status', 'showUntrackedFiles', 'sometimes'],
      ['filter "f"', 'clean'],
      ['filter "f"', 'required', 'maybe'],
    ],
    5,
  );

  valuesCase(
    'of branches and remotes',
    [
      ['branch ""', 'remote', 'origin'],
      ['branch "main"', 'merge'],
      ['branch', 'autoSetupMerge', 'inherit'],
      ['branch', 'autoSetupMerge', 'simple'],
      ['branch', 'autoSetupMerge', 'sometimes'],
      ['remote "origin"', 'push', '^bad^'],
      ['remote "origin"', 'fetch', '^refs/heads/hidden'],
      ['remote "other"', 'fetch', 'refs/heads/*:refs/one'],
      ['remote "origin"', 'promisor', 'maybe'],
      ['remote "origin"', 'followRemoteHEAD', 'maybe'],
      ['url "x"', 'insteadOf'],
      ['url "x"', 'pushInsteadOf'],
    ],
    6,
  );
});
