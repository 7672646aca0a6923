/** The first lines of the long format: the branch, its upstream, and the origin of a detached HEAD. */
import { type CaseContext, conformanceCase } from '../case';
import { checkLong } from '../guises';
import { question } from '../questions';

const counted = [[], ['--no-ahead-behind'], ['--ahead-behind']];

/** A branch with an upstream, at the same commit. */
function track({ repo, sandbox }: CaseContext): void {
  repo.commit('first');
  repo.git('init', '-q', '--bare', '../origin');
  repo.git('remote', 'add', 'origin', sandbox.path('origin'));
  repo.git('push', '-q', '-u', 'origin', 'main');
}

describe('long format, the branch', () => {
  conformanceCase('and its upstream', (context) => {
    const { repo } = context;
    track(context);
    checkLong(context, [/Your branch is up to date with 'origin\/main'\./], counted);
    repo.commit('second');
    checkLong(context, [/ahead of 'origin\/main' by 1 commit\./], counted);
    repo.commit('third');
    checkLong(context, [/ahead of 'origin\/main' by 2 commits\./], counted);
    repo.git('push', '-q');
    repo.git('reset', '-q', '--hard', 'HEAD^');
    checkLong(context, [/behind 'origin\/main' by 1 commit, and can be fast-forwarded/], counted);
    repo.git('reset', '-q', '--hard', 'HEAD^');
    checkLong(context, [/behind 'origin\/main' by 2 commits/], counted);
    repo.commit('another');
    checkLong(context, [/have 1 and 2 different commits each, respectively/], counted);
    repo.config('status.aheadBehind', 'false');
    checkLong(context, [/refer to different commits/], counted);
    repo.git('update-ref', '-d', 'refs/remotes/origin/main');
    checkLong(context, [/based on 'origin\/main', but the upstream is gone/], counted);
    repo.git('update-ref', '--no-deref', 'refs/heads/origin/main', 'HEAD');
    repo.git('update-ref', 'refs/remotes/origin/main', 'HEAD');
    checkLong(context, [/up to date with 'remotes\/origin\/main'/]);
    repo.git('symbolic-ref', 'HEAD', 'refs/heads/unborn');
    repo.config('branch.unborn.remote', 'origin');
    repo.config('branch.unborn.merge', 'refs/heads/main');
    checkLong(context, [/On branch unborn\n\nNo commits yet/]);
    repo.git('symbolic-ref', 'HEAD', 'refs/elsewhere/topic');
    repo.git('update-ref', 'refs/elsewhere/topic', 'main');
    checkLong(context, [/On branch refs\/elsewhere\/topic/]);
  });

  conformanceCase('and where it is pushed', (context) => {
    const { repo, sandbox } = context;
    track(context);
    repo.git('init', '-q', '--bare', '../mine');
    repo.git('remote', 'add', 'mine', sandbox.path('mine'));
    repo.commit('second');
    const ways = ['simple', 'current', 'matching', 'upstream', 'tracking', 'nothing'];
    const checkWays = (): void => {
      for (const way of ways) {
        repo.config('push.default', way);
        context.checkAll([question(), question('--no-ahead-behind')]);
      }
    };
    checkWays();
    repo.config('remote.pushDefault', 'mine');
    checkWays();
    repo.git('push', '-q', 'origin', 'main:main');
    repo.git('checkout', '-q', '-b', 'topic', '--track', 'origin/main');
    repo.commit('third');
    checkWays();
    repo.config('branch.topic.pushRemote', 'origin');
    checkWays();
    repo.git('reset', '-q', '--hard', 'HEAD^^');
    checkWays();
    repo.commit('fourth');
    checkWays();
    repo.git('config', '--unset', 'push.default');
    repo.config('remote.origin.mirror', 'true');
    checkLong(context, [], counted);
  });

  conformanceCase(
    'and where it is pushed by refspecs, and other branches to compare with',
    (context) => {
      const { repo, checkAll } = context;
      track(context);
      repo.commit('second');
      for (const refspec of [
        'refs/heads/*:refs/heads/*',
        'main:other',
        ':',
        'HEAD',
        '+main',
        '^refs/heads/main',
      ]) {
        repo.git('config', '--add', 'remote.origin.push', refspec);
        checkAll(counted.map((words) => question(...words)));
      }
      repo.git('config', '--unset-all', 'remote.origin.push');
      for (const branches of ['@{push}', '@{upstream} @{push}', '@{UPSTREAM}', 'main', '']) {
        repo.config('status.compareBranches', branches);
        checkAll(counted.map((words) => question(...words)));
      }
    },
    { delegates: 'maybe' },
  );

  conformanceCase('that HEAD was detached from', (context) => {
    const { repo } = context;
    track(context);
    repo.commit('second');
    repo.git('tag', 'light');
    repo.git('tag', '-a', '-m', 'annotated', 'pkg@1.2');
    repo.git('branch', 'topic');
    const places: [string, RegExp][] = [
      ['light', /HEAD detached at light/],
      ['pkg@1.2', /HEAD detached at pkg@1\.2/],
      ['tags/light', /HEAD detached at light/],
      ['topic', /HEAD detached at refs\/heads\/topic/],
      ['origin/main', /HEAD detached at origin\/main/],
      ['HEAD^', /HEAD detached at [0-9a-f]{7}\n/],
      [repo.git('rev-parse', 'main').trim(), /HEAD detached at [0-9a-f]{7}\n/],
      [repo.git('rev-parse', '--short', 'main').trim(), /HEAD detached at [0-9a-f]{7}\n/],
    ];
    for (const [place, shows] of places) {
      repo.git('checkout', '-q', 'main');
      repo.git('checkout', '-q', '--detach', place);
      checkLong(context, [shows]);
      repo.commit('beyond');
      checkLong(context, [/HEAD detached from/]);
    }
    repo.git('checkout', '-q', 'main');
    repo.git('checkout', '-q', '--detach');
    checkLong(context, [/HEAD detached at [0-9a-f]{7}\n/]);
    repo.git('update-ref', '--no-deref', 'HEAD', 'HEAD^');
    checkLong(context, [/HEAD detached from [0-9a-f]{7}\n/]);
  });

  conformanceCase('whose name has changed its meaning since', (context) => {
    const { repo, checkAll } = context;
    track(context);
    repo.commit('second');
    repo.git('tag', 'v1');
    repo.git('tag', '-a', '-m', 'x', 'v2');
    repo.git('checkout', '-q', 'v1');
    checkLong(context, [/detached at v1/]);
    repo.git('branch', 'v1', 'HEAD^');
    checkLong(context, [/detached at [0-9a-f]{7}\n/]);
    repo.config('core.warnAmbiguousRefs', 'false');
    checkLong(context, [/detached at v1/]);
    repo.git('config', '--unset', 'core.warnAmbiguousRefs');
    repo.git('branch', '-D', 'v1');
    repo.git('tag', '-f', 'v1', 'HEAD^');
    checkLong(context, [/detached at [0-9a-f]{7}\n/]);
    repo.git('tag', '-d', 'v1');
    checkLong(context, [/detached at [0-9a-f]{7}\n/]);
    repo.git('checkout', '-q', 'main');
    repo.git('checkout', '-q', 'v2');
    repo.git('pack-refs', '--all');
    checkLong(context, [/detached at v2/]);
    repo.write('.git/refs/heads/v2', 'garbage\n');
    checkAll([question()]);
    repo.remove('.git/refs/heads/v2');
    repo.write('.git/refs/tags/v2', `${'1'.repeat(40)}\n`);
    checkAll([question()]);
  });

  conformanceCase('and damaged or missing reflogs', (context) => {
    const { repo, checkAll } = context;
    track(context);
    repo.git('tag', 'v1');
    repo.git('checkout', '-q', 'v1');
    const id = repo.git('rev-parse', 'HEAD').trim();
    const start = `${id} ${id} A <a@x> 1700000000 +0000`;
    const logs = [
      '',
      '\n',
      'garbage\n',
      `${start}\tcheckout: moving from main to v1`,
      `${start}\tcheckout: moving from main to v1\ngarbage`,
      `${start}\tcheckout: moving from main to v1\n\n\n`,
      `${start} checkout: moving from main to v1\n`,
      `${start}checkout: moving from main to v1\n`,
      `${start}\tcheckout: moving from main\n`,
      `${start}\tcheckout: moving from a to b to v1\n`,
      `${start}\tcheckout: moving from main to \n`,
      `${start}\tcheckout: moving from main to HEAD\n`,
      `${start}\tcheckout: moving from main to a b~2\n`,
      `${start}\tcheckout: moving from x to v1\n${start}\treset: moving to HEAD\n`,
      `${id} ${'2'.repeat(40)} A <a@x> 1700000000 +0000\tcheckout: moving from main to v1\n`,
      `${id} ${id} A <a@x> 0 +0000\tcheckout: moving from main to v1\n`,
      `${id} ${id} A <a>x> 1 +0000\tcheckout: moving from main to v1\n`,
      `${id} ${id} A <a@x> 1 +00\tcheckout: moving from main to v1\n`,
      `${id}\t${id} A <a@x> 1 +0000\tcheckout: moving from main to v1\n`,
    ];
    for (const log of logs) {
      repo.write('.git/logs/HEAD', log);
      checkAll([question()]);
    }
    repo.remove('.git/logs/HEAD');
    checkLong(context, [/^Not currently on any branch\.\n/]);
  });

  conformanceCase(
    'named by an expression',
    (context) => {
      const { repo, checkAll } = context;
      track(context);
      for (const place of ['@', '@{u}', 'main@{0}', '@{-1}']) {
        repo.git('checkout', '-q', 'main');
        repo.git('checkout', '-q', '--detach', place);
        checkAll([question()]);
      }
    },
    { delegates: 'maybe' },
  );
});
