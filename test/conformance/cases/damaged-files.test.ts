/**
 * Files of git that are damaged and repaired under a running server, in place and by rename. Each answer must
 * equal git's. Random damage: test/conformance/damage.
 */
import { strict as assert } from 'node:assert';
import { createHash } from 'node:crypto';
import { type Bytes, fromBuffer, toBuffer } from '../../support/bytes';
import { Repository } from '../../support/repository';
import {
  type CaseContext,
  type CaseOptions,
  conformanceCase,
  contextOf,
  withSandbox,
  withSubject,
} from '../case';
import { difference } from '../disagreement';
import { nineModes, widestMode } from '../questions';
import { canSetWithChanges, setSparseCheckout } from '../sparse';

type Write = (repo: Repository, path: Bytes, content: Bytes) => void;

const ways: readonly (readonly [string, Write])[] = [
  ['in place', (repo, path, content) => repo.write(path, content)],
  [
    'by rename',
    (repo, path, content) => {
      repo.write('../damaged', content);
      repo.rename('../damaged', path);
    },
  ],
];

function furnish(repo: Repository): void {
  for (const path of ['a', 'd/b', 'd/e/c']) repo.write(path, `${path}\n`);
  repo.commit();
  repo.write('a', 'changed\n');
  repo.write('new', '');
}

/** Gives the file each content in turn, then restores it. */
function damageCase(
  title: string,
  make: (context: CaseContext) => { path: Bytes; contents: readonly Bytes[] },
  options: CaseOptions = {},
): void {
  for (const [way, write] of ways) {
    conformanceCase(
      `${title}, ${way}`,
      (context) => {
        const { repo, check } = context;
        furnish(repo);
        const { path, contents } = make(context);
        check(/^1 \.M .* a$/);
        const good = repo.read(path);
        if (way === 'in place') repo.chmod(path, 0o644);
        for (const content of contents) {
          write(repo, path, content);
          check();
        }
        write(repo, path, good);
        check(/^1 \.M .* a$/);
      },
      { delegates: 'maybe', ...options },
    );
  }
}

function replaced(content: Bytes, at: number, bytes: Bytes): Bytes {
  return content.slice(0, at) + bytes + content.slice(at + bytes.length);
}

/** Exit code in a shell after a segmentation fault. */
const kCrashed = 139;

/**
 * An index whose untracked cache claims 2^37 directories in a bitmap: git writes to each of them. The
 * untracked file `name` comes before the bitmaps in the index.
 */
function withEndlessBitmap(index: Bytes, name: string): Bytes {
  const checksumSize = 20;
  const content = index.slice(0, -checksumSize);
  const names = content.indexOf(`${name}\0`, content.lastIndexOf('UNTR'));
  // No bits, in one word: the head of a run of zeros with length 0. Its last bit is the run's bit value.
  const head = '\0\0\0\0\0\0\0\x01';
  const bitmap = content.indexOf(`${head}${'\0'.repeat(12)}`, names);
  assert.ok(names > 0 && bitmap > names, 'the index has no such untracked cache');
  const damaged = replaced(content, bitmap + head.length, '\0\0\0\0\xff\xff\xff\xff');
  return damaged + fromBuffer(createHash('sha1').update(toBuffer(damaged)).digest());
}

describe('damaged files', () => {
  damageCase('HEAD, which names a branch', () => {
    const head = 'ref: refs/heads/main\n';
    const ends = ['x', '\f', '\v\n', ' ', '\n\n', '\0', head];
    const others = ['ref: main\n', 'ref: refs/heads/main x\n', 'ref: refs/heads/ma..in\n', 'ref:', '', 'x\n'];
    return { path: '.git/HEAD', contents: [...ends.map((end) => head + end), ...others] };
  });

  damageCase('HEAD, which names a commit', ({ repo }) => {
    const id = repo.git('rev-parse', 'HEAD').trim();
    repo.git('checkout', '-q', '--detach');
    return { path: '.git/HEAD', contents: [`${id}\nx`, `${id}x\n`, `${id} x\n`, `${id}\f\n`, id.slice(1)] };
  });

  damageCase('packed refs', ({ repo }) => {
    repo.git('update-ref', 'refs/remotes/origin/main', 'HEAD');
    repo.git('pack-refs', '--all');
    repo.config('remote.origin.url', '../origin');
    repo.config('remote.origin.fetch', '+refs/heads/*:refs/remotes/origin/*');
    repo.config('branch.main.remote', 'origin');
    repo.config('branch.main.merge', 'refs/heads/main');
    const good = repo.read('.git/packed-refs');
    const at = good.indexOf(' refs/remotes') - 20;
    return {
      path: '.git/packed-refs',
      contents: [replaced(good, at, '\xb8'), good.slice(0, at), good.slice(1), `${good}x`],
    };
  });

  damageCase('the branch that a detached HEAD came from', ({ repo }) => {
    repo.git('checkout', '-q', '--detach');
    repo.git('checkout', '-q', 'main');
    repo.git('update-ref', '--no-deref', 'HEAD', 'HEAD');
    repo.write('.git/HEAD', repo.read('.git/refs/heads/main'));
    return { path: '.git/refs/heads/main', contents: ['', 'x', '0123\n'] };
  });

  damageCase('a multi-pack-index', ({ repo }) => {
    repo.git('repack', '-q', '-a', '-d');
    repo.git('multi-pack-index', 'write');
    const path = '.git/objects/pack/multi-pack-index';
    const good = repo.read(path);
    return {
      path,
      contents: [`${good}x`, good + '\0'.repeat(5000), good.slice(0, 50), '', replaced(good, 4, '\x07')],
    };
  });

  for (const [way, write] of ways) {
    conformanceCase(`an untracked cache with which git crashes, ${way}`, ({ repo, subject, check }) => {
      furnish(repo);
      repo.git('update-index', '--force-untracked-cache');
      repo.git('status');
      check(/^\? new$/);
      const expected = nineModes.map((mode) => subject.askGit(mode));
      const good = repo.read('.git/index');
      if (way === 'in place') repo.chmod('.git/index', 0o644);
      write(repo, '.git/index', withEndlessBitmap(good, 'new'));
      nineModes.forEach((mode, i) => {
        const before = expected[i];
        assert.ok(before);
        // git refuses one of the modes before it reads the index.
        assert.equal(subject.askGit(mode).code, before.code || kCrashed);
        for (const source of ['resident', 'auto', 'scan'] as const) {
          assert.equal(difference(mode, before, subject.ask(source, mode)), undefined, source);
        }
      });
      write(repo, '.git/index', good);
      check(/^\? new$/);
    });
  }

  conformanceCase(
    'an untracked cache with which git crashes, in a submodule',
    ({ repo, subject, check }) => {
      repo.git('init', '-q', 'sub');
      const sub = repo.at('sub');
      furnish(sub);
      repo.commit();
      check(/^1 \.M S\.MU .* sub$/);
      sub.git('update-index', '--force-untracked-cache');
      sub.git('status');
      const good = sub.read('.git/index');
      sub.write('.git/index', withEndlessBitmap(good, 'new'));
      check();
      assert.match(subject.askGit(widestMode).stderr.toString(), /status died of signal 11/);
      sub.write('.git/index', good);
      check(/^1 \.M S\.MU .* sub$/);
    },
    { delegates: 'maybe' },
  );

  damageCase('modes of entries of the index', ({ repo }) => {
    const path = '.git/index';
    const good = repo.read(path);
    // In the first entry: 12 bytes of header, then six numbers of stat data.
    const modes = ['\x81\xa5', '\x81\xb4', '\x81\x25', '\x80\0'];
    return { path, contents: modes.map((mode) => replaced(good, 12 + 26, mode)) };
  });

  damageCase(
    'the config of a repository with SHA-256 ids',
    ({ repo }) => {
      const good = repo.read('.git/config');
      return {
        path: '.git/config',
        contents: ['', good.replace('sha256', 'sha1'), good.replace('[core]', '')],
      };
    },
    { init: ['--object-format=sha256'] },
  );

  damageCase('the patterns of cones', ({ repo }) => {
    if (!canSetWithChanges()) repo.git('checkout', '-q', 'a');
    setSparseCheckout(repo, ['--cone', '--sparse-index'], 'd');
    repo.write('a', 'changed\n');
    const path = '.git/info/sparse-checkout';
    return { path, contents: ['/*\n!/*/\n/d*x/\n', 'd\n', '', '/*\n!/*/\n/d/\nx'] };
  });

  damageCase('the shared file of a split index', ({ repo }) => {
    repo.git('update-index', '--split-index');
    const name = repo.git('rev-parse', '--shared-index-path').trim();
    const good = repo.read(name);
    return { path: name, contents: [good.replace('d/e/c', 'd/e/x'), good.slice(0, 40), `${good}x`] };
  });

  for (const [way, write] of ways) {
    it(`the files of a linked worktree, ${way}`, async () => {
      await withSandbox(async (sandbox) => {
        const main = Repository.init(sandbox, 'main');
        furnish(main);
        main.git('worktree', 'add', '-q', '../w');
        const repo = main.at('../w');
        repo.write('new', '');
        await withSubject(repo, (subject) => {
          const { check } = contextOf(sandbox, repo, subject);
          check(/^\? new$/);
          for (const path of [
            '../main/.git/worktrees/w/commondir',
            '../main/.git/worktrees/w/gitdir',
            '.git',
          ]) {
            const good = repo.read(path);
            for (const content of [`${good}x`, 'x\n', '', '..\n', '../..']) {
              write(repo, path, content);
              check();
            }
            write(repo, path, good);
            check(/^\? new$/);
          }
        });
      });
    });
  }
});
