/** Formats and extensions of the index file. */
import { closeSync, openSync, readdirSync, statSync, writeSync } from 'node:fs';
import { Repository } from '../../support/repository';
import { conformanceCase } from '../case';
import { canSetWithChanges, setSparseCheckout } from '../sparse';

/** Files of all kinds: committed, staged and unstaged. */
function furnish(repo: Repository): void {
  for (const path of ['a', 'b', 'd/c', 'd/e/f', 'g/h']) repo.write(path, `${path}\n`);
  repo.commit();
}

function disturb(repo: Repository): void {
  repo.write('a', 'staged\n');
  repo.write('new', 'new\n');
  repo.git('add', 'a', 'new');
  repo.write('d/c', 'changed\n');
  repo.remove('g/h');
  repo.write('d/e/untracked', '');
}

const states = [/^1 M\. .* a$/, /^1 \.M .* d\/c$/, /^1 \.D .* g\/h$/, /^1 A\. .* new$/];

function shape(
  title: string,
  make: (repo: Repository) => void,
  init: string[] = [],
  delegates: 'never' | 'maybe' = 'never',
): void {
  conformanceCase(
    title,
    ({ repo, check }) => {
      furnish(repo);
      make(repo);
      check();
      disturb(repo);
      check(...states);
      repo.git('status');
      check(...states);
      repo.commit();
      check();
    },
    { init, delegates },
  );
}

describe('index shapes', () => {
  for (const version of ['2', '3', '4']) {
    shape(`version ${version}`, (repo) => repo.git('update-index', '--index-version', version));
    shape(`version ${version} with SHA-256`, (repo) => repo.git('update-index', '--index-version', version), [
      '--object-format=sha256',
    ]);
  }

  shape('version 3 because of extended flags', (repo) => {
    repo.write('intent', '');
    repo.git('add', '-N', 'intent');
    repo.git('update-index', '--skip-worktree', 'b');
  });

  shape('version 4 with shared prefixes', (repo) => {
    for (let i = 0; i < 300; i++) repo.write(`very/long/shared/prefix/file${i}`, `${i}\n`);
    repo.commit();
    repo.git('update-index', '--index-version', '4');
  });

  for (const init of [[], ['--object-format=sha256']]) {
    for (const version of ['2', '4']) {
      shape(
        `split index, version ${version} ${init.join('')}`,
        (repo) => {
          repo.config('splitIndex.maxPercentChange', '100');
          repo.git('update-index', '--index-version', version, '--split-index');
        },
        init,
      );
    }
  }
  shape('split index whose shared file is always a new one', (repo) => {
    repo.config('splitIndex.maxPercentChange', '0');
    repo.git('update-index', '--split-index');
  });

  conformanceCase('split index with deleted, replaced, added and unmerged entries', ({ repo, check }) => {
    furnish(repo);
    repo.config('splitIndex.maxPercentChange', '100');
    repo.git('update-index', '--split-index');
    repo.git('checkout', '-q', '-b', 'side');
    repo.write('b', 'side\n');
    repo.write('d/c', 'side\n');
    repo.commit();
    repo.git('checkout', '-q', 'main');
    repo.write('b', 'main\n');
    repo.git('rm', '-q', 'd/c');
    repo.commit();
    repo.tryGit('merge', 'side');
    check(/^u UU .* b$/, /^u DU .* d\/c$/);
    repo.write('b', 'resolved\n');
    repo.git('add', 'b');
    repo.git('rm', '-q', '--cached', 'g/h');
    repo.write('intent', '');
    repo.git('add', '-N', 'intent');
    check(/^1 M\. .* b$/, /^1 D\. .* g\/h$/, /^1 \.A .* intent$/);
    repo.git('update-index', '--no-split-index');
    check(/^1 M\. .* b$/);
  });

  conformanceCase('split index of a linked worktree', async (context) => {
    const { repo, sandbox, during } = context;
    furnish(repo);
    repo.git('worktree', 'add', '-q', '../linked');
    const linked = new Repository(sandbox, sandbox.path('linked'));
    linked.git('update-index', '--split-index');
    await during(linked, (inside) => {
      inside.check();
      disturb(linked);
      inside.check(...states);
    });
  });

  conformanceCase('split index kept by core.splitIndex, from the first entry on', ({ repo, check }) => {
    repo.config('core.splitIndex', 'true');
    check();
    furnish(repo);
    check();
    disturb(repo);
    check(...states);
    repo.config('core.splitIndex', 'false');
    repo.write('b', 'staged\n');
    repo.git('add', 'b');
    check(/^1 M\. .* b$/);
  });

  conformanceCase(
    'a sparse one that core.splitIndex wants split, which git refuses',
    ({ repo, check }) => {
      furnish(repo);
      repo.git('sparse-checkout', 'set', '--cone', '--sparse-index', 'g');
      disturb(repo);
      check();
      repo.config('core.splitIndex', 'true');
      check();
      repo.config('core.splitIndex', 'false');
      check();
    },
    { delegates: 'maybe' },
  );

  conformanceCase(
    'split index without its shared file',
    ({ repo, check }) => {
      furnish(repo);
      repo.git('update-index', '--split-index');
      check();
      for (const name of readdirSync(`${repo.root}/.git`).filter((file) => file.startsWith('sharedindex.')))
        repo.rename(`.git/${name}`, '.git/hidden');
      check();
      repo.remove('.git/index');
      repo.git('read-tree', 'HEAD');
      check();
    },
    { delegates: 'maybe' },
  );
  shape('untracked cache', (repo) => repo.git('update-index', '--untracked-cache'));
  shape('feature.manyFiles', (repo) => (repo.config('feature.manyFiles', 'true'), repo.git('status')));
  shape('end-of-index and offset-table extensions', (repo) => {
    repo.config('index.threads', '4');
    for (let i = 0; i < 30_000; i += 1) if (i % 100 === 0) repo.write(`many/${i}`, `${i}\n`);
    repo.commit();
  });
  shape('resolve-undo extension', (repo) => {
    repo.git('checkout', '-q', '-b', 'side');
    repo.write('b', 'side\n');
    repo.commit();
    repo.git('checkout', '-q', 'main');
    repo.write('b', 'main\n');
    repo.commit();
    repo.tryGit('merge', 'side');
    repo.write('b', 'resolved\n');
    repo.git('add', 'b');
  });

  conformanceCase(
    'fsmonitor extension, with a hook that says that everything may have changed',
    ({ repo, check }) => {
      furnish(repo);
      repo.write('../hook', "#!/bin/sh\nprintf 'token\\0/\\0'\n");
      repo.chmod('../hook', 0o755);
      repo.config('core.fsmonitor', repo.sandbox.path('hook'));
      repo.git('update-index', '--fsmonitor');
      repo.git('status');
      check();
      disturb(repo);
      check(...states);
    },
    { delegates: 'maybe' },
  );

  shape('fsmonitor extension left behind', (repo) => {
    repo.write('../hook', "#!/bin/sh\nprintf 'token\\0/\\0'\n");
    repo.chmod('../hook', 0o755);
    repo.git('-c', `core.fsmonitor=${repo.sandbox.path('hook')}`, 'update-index', '--fsmonitor');
  });

  // When several gits write one split index, git creates such an index. git's answer is wrong until the next
  // write.
  conformanceCase(
    'a cache-tree that counts fewer entries than there are, which git believes',
    ({ repo, check }) => {
      furnish(repo);
      const before = repo.read('.git/index');
      repo.write('d/a', 'before\n');
      repo.git('add', 'd/a');
      check(/^1 A\. .* d\/a$/);
      const later = repo.read('.git/index');
      const tree = before.slice(before.lastIndexOf('TREE'), -20);
      repo.write('.git/index', later.slice(0, later.lastIndexOf('TREE')) + tree + '\0'.repeat(20));
      check(/^1 A\. .* d\/e\/f$/);
      repo.git('read-tree', 'HEAD');
      check(/^\? d\/a$/);
    },
    { delegates: 'maybe' },
  );

  for (const [title, byte] of [
    ['zero, as index.skipHash writes it', 0],
    ['wrong, which git does not check', 0x5a],
  ] as const) {
    conformanceCase(`a checksum that is ${title}`, ({ repo, check }) => {
      furnish(repo);
      const path = `${repo.root}/.git/index`;
      const file = openSync(path, 'r+');
      writeSync(file, Buffer.alloc(20, byte), 0, 20, statSync(path).size - 20);
      closeSync(file);
      check();
      repo.write('a', 'changed\n');
      check(/^1 \.M .* a$/);
    });
  }

  for (const mode of ['--cone', '--no-cone']) {
    conformanceCase(`sparse checkout ${mode}`, ({ repo, check }) => {
      furnish(repo);
      setSparseCheckout(repo, [mode], ...(mode === '--cone' ? ['d'] : ['/*', '!g/']));
      check();
      repo.write('d/c', 'changed\n');
      repo.write('g/h', 'present although skipped\n');
      repo.write('g/new', '');
      check(/^1 \.M .* d\/c$/, /^\? g\/new$/);
      if (!canSetWithChanges()) {
        repo.git('checkout', '-q', 'd/c');
        repo.remove('g/h');
      }
      repo.git('sparse-checkout', 'disable');
      check();
    });
  }

  conformanceCase('a cache-tree that is of HEAD where a staged submodule is not', ({ repo, check }) => {
    const modules = ['sub', 'd/sub'];
    const stage = (digit: string): void =>
      modules.forEach((path) => {
        repo.git('update-index', '--add', '--cacheinfo', `160000,${digit.repeat(40)},${path}`);
      });
    furnish(repo);
    for (const path of modules) repo.mkdir(path);
    stage('1');
    repo.git('commit', '-qm', 'submodules');
    repo.git('commit', '--allow-empty', '-qm', 'nothing');
    stage('2');
    check(/^1 M\. .* sub$/);
    repo.tryGit('rebase', '-q', '--exec', 'false', 'HEAD~1');
    // git itself uses the cache-tree below the root.
    check(/^1 M\. .* sub$/);
    repo.write('new', '');
    check(/^\? new$/);
  });

  conformanceCase('no index, an empty one, and one that comes back', ({ repo, check }) => {
    furnish(repo);
    repo.rename('.git/index', '.git/kept');
    check(/^1 D\. /);
    repo.git('read-tree', '--empty');
    check(/^1 D\. /);
    repo.rename('.git/kept', '.git/index');
    check();
  });

  conformanceCase('an index.lock beside it', ({ repo, check }) => {
    furnish(repo);
    repo.write('.git/index.lock', 'half written');
    check();
    repo.write('a', 'changed\n');
    check(/^1 \.M .* a$/);
    repo.remove('.git/index.lock');
    check();
  });
});
