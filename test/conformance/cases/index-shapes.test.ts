/** Shapes of the index file. */
import { closeSync, openSync, statSync, writeSync } from 'node:fs';
import type { Repository } from '../../support/repository';
import { conformanceCase } from '../case';

/** A bit of everything, committed, staged and not. */
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

  shape('split index', (repo) => repo.git('update-index', '--split-index'), [], 'maybe');
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
      repo.git('sparse-checkout', 'set', mode, ...(mode === '--cone' ? ['d'] : ['/*', '!g/']));
      check();
      repo.write('d/c', 'changed\n');
      repo.write('g/h', 'present although skipped\n');
      repo.write('g/new', '');
      check(/^1 \.M .* d\/c$/, /^\? g\/new$/);
      repo.git('sparse-checkout', 'disable');
      check();
    });
  }

  conformanceCase(
    'sparse index',
    ({ repo, check }) => {
      furnish(repo);
      repo.git('sparse-checkout', 'set', '--cone', '--sparse-index', 'd');
      check();
      repo.write('d/c', 'changed\n');
      repo.write('new', '');
      check(/^1 \.M .* d\/c$/);
      repo.write('g/h', 'present although collapsed\n');
      check();
    },
    { delegates: 'maybe' },
  );

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
