/** The repositories for damages. Together they have every kind of file that git reads for a status. */
import { renameSync } from 'node:fs';
import { type Bytes, fromBuffer } from '../../support/bytes';
import { atLeast } from '../../support/oracle';
import { Repository } from '../../support/repository';
import type { Sandbox } from '../../support/sandbox';
import { setSparseCheckout } from '../sparse';

export interface Damageable {
  kind: string;
  make(sandbox: Sandbox): Repository;
}

function words(subject: string, count: number): Bytes {
  return Array.from({ length: count }, (_, i) => `${subject}, line ${i}\n`).join('');
}

const directories = ['', 'src/', 'src/deep/', 'doc/'];

/** Two commits, and every kind of status entry. The sizes alone reveal each change. */
function furnish(repo: Repository): void {
  for (const directory of directories) {
    for (const name of ['one', 'two', 'three'])
      repo.write(`${directory}${name}`, words(directory + name, 12));
  }
  repo.write('.gitignore', '*.o\nbuild/\n');
  repo.write('.gitattributes', '*.bin binary\n');
  repo.commit('first');
  repo.write('src/one', words('src/one, changed', 12));
  repo.commit('second');
}

function disturb(repo: Repository): void {
  repo.write('one', words('one, in the worktree', 3));
  repo.write('doc/two', words('doc/two, staged', 13));
  repo.git('add', 'doc/two');
  repo.git('mv', 'src/deep/three', 'src/deep/moved');
  repo.remove('src/two');
  repo.write('untracked', 'untracked\n');
  repo.write('src/untracked', 'untracked\n');
  repo.write('main.o', 'ignored\n');
  repo.write('local/file', 'excluded\n');
}

function withUpstream(repo: Repository): void {
  repo.git('init', '-q', '--bare', `--object-format=${formatOf(repo)}`, '../origin');
  repo.git('remote', 'add', 'origin', '../origin');
  repo.git('push', '-q', '-u', 'origin', 'HEAD:main');
  repo.git('commit', '-q', '--allow-empty', '-m', 'ahead');
}

function formatOf(repo: Repository): string {
  return fromBuffer(repo.ask('rev-parse', '--show-object-format').stdout).trim();
}

function plain(sandbox: Sandbox, ...init: string[]): Repository {
  const repo = Repository.init(sandbox, 'w', ...init);
  furnish(repo);
  return repo;
}

/** Conflicts, and git's state files for them. */
function conflicting(repo: Repository, command: readonly string[]): void {
  repo.git('checkout', '-q', '-b', 'side', 'HEAD~1');
  repo.write('src/one', words('src/one, on the side', 12));
  repo.commit('side');
  repo.write('doc/one', words('doc/one, on the side', 14));
  repo.commit('side again');
  repo.git('checkout', '-q', 'main');
  repo.tryGit(...command);
  repo.write('untracked', 'untracked\n');
}

const packed: Damageable = {
  kind: 'packs with a multi-pack-index, a bitmap and a commit-graph',
  make: (sandbox) => {
    const repo = plain(sandbox);
    repo.config('pack.writeReverseIndex', 'true');
    withUpstream(repo);
    repo.git('repack', '-q', '-d');
    repo.write('doc/one', words('doc/one, packed later', 15));
    repo.commit('third');
    repo.git('repack', '-q', '-d');
    repo.git('multi-pack-index', 'write', '--bitmap');
    repo.git('commit-graph', 'write', '--reachable');
    repo.git('pack-refs', '--all');
    disturb(repo);
    return repo;
  },
};

export const damageables: readonly Damageable[] = [
  {
    kind: 'loose objects and refs, stashes and exclude files',
    make: (sandbox) => {
      const repo = plain(sandbox);
      withUpstream(repo);
      repo.write('two', words('two, stashed', 5));
      repo.git('stash', 'push', '-q');
      repo.write('.git/info/exclude', 'local/\n');
      repo.write('.git/info/attributes', '*.txt text\n');
      repo.git('tag', 'v1');
      repo.git('replace', 'HEAD~2', 'HEAD~1');
      repo.git('replace', '-d', 'HEAD~2');
      disturb(repo);
      return repo;
    },
  },
  packed,
  {
    kind: 'one pack with a bitmap, a chain of commit-graphs, alternates',
    make: (sandbox) => {
      const repo = plain(sandbox);
      repo.git('commit-graph', 'write', '--reachable', '--split=no-merge');
      repo.git('commit', '-q', '--allow-empty', '-m', 'third');
      repo.git('commit-graph', 'write', '--reachable', '--split=no-merge');
      repo.git('repack', '-q', '-a', '-d', '-b');
      repo.git('clone', '-q', '--shared', '--no-checkout', '.', '../other');
      const other = repo.at('../other');
      other.git('checkout', '-q', '-B', 'main');
      other.git('commit', '-q', '--allow-empty', '-m', 'ahead');
      const split = new Repository(sandbox, sandbox.path('other'));
      disturb(split);
      return split;
    },
  },
  {
    kind: 'a split index',
    make: (sandbox) => {
      const repo = plain(sandbox);
      repo.git('update-index', '--split-index');
      disturb(repo);
      return repo;
    },
  },
  {
    kind: 'an index of version 4 with an untracked cache',
    make: (sandbox) => {
      const repo = plain(sandbox);
      repo.config('index.threads', '2');
      repo.config('index.version', '4');
      repo.git('update-index', '--index-version', '4', '--force-untracked-cache');
      disturb(repo);
      repo.write('meant', 'to be added\n');
      repo.git('add', '-N', 'meant');
      repo.git('update-index', '--assume-unchanged', 'doc/one');
      repo.git('status');
      return repo;
    },
  },
  {
    kind: 'a sparse index',
    make: (sandbox) => {
      const repo = plain(sandbox);
      setSparseCheckout(repo, ['--cone', '--sparse-index'], 'src');
      repo.write('one', words('one, in the worktree', 3));
      repo.write('src/two', words('src/two, staged', 13));
      repo.git('add', 'src/two');
      repo.write('doc/untracked', 'untracked\n');
      return repo;
    },
  },
  {
    kind: 'a merge with conflicts',
    make: (sandbox) => {
      const repo = plain(sandbox);
      conflicting(repo, ['merge', '-q', 'side']);
      repo.git('config', 'rerere.enabled', 'true');
      return repo;
    },
  },
  {
    kind: 'a rebase that stopped',
    make: (sandbox) => {
      const repo = plain(sandbox);
      conflicting(repo, ['rebase', '-q', 'side']);
      return repo;
    },
  },
  {
    kind: 'a cherry-pick during a bisect',
    make: (sandbox) => {
      const repo = plain(sandbox);
      repo.git('bisect', 'start', 'HEAD', 'HEAD~1');
      conflicting(repo, ['cherry-pick', 'side~1', 'side']);
      return repo;
    },
  },
  {
    kind: 'a linked worktree',
    make: (sandbox) => {
      const main = Repository.init(sandbox, 'main');
      furnish(main);
      main.git('config', 'extensions.worktreeConfig', 'true');
      main.git('worktree', 'add', '-q', '-b', 'linked', '../w');
      const repo = new Repository(sandbox, sandbox.path('w'));
      repo.git('config', '--worktree', 'status.showStash', 'true');
      disturb(repo);
      return repo;
    },
  },
  {
    kind: 'submodules',
    make: (sandbox) => {
      const library = Repository.init(sandbox, 'library');
      library.write('file', 'library\n');
      library.commit();
      const repo = plain(sandbox);
      repo.git('submodule', '--quiet', 'add', '../library', 'sub');
      repo.git('config', '-f', '.gitmodules', 'submodule.sub.ignore', 'none');
      repo.commit('with a submodule');
      repo.write('sub/untracked', 'untracked\n');
      disturb(repo);
      return repo;
    },
  },
  {
    kind: 'sha256',
    make: (sandbox) => {
      const repo = plain(sandbox, '--object-format=sha256');
      repo.git('repack', '-q', '-a', '-d');
      repo.git('commit-graph', 'write', '--reachable');
      repo.git('multi-pack-index', 'write');
      withUpstream(repo);
      disturb(repo);
      return repo;
    },
  },
  {
    kind: 'a separate git directory',
    make: (sandbox) => {
      const repo = plain(sandbox);
      renameSync(repo.absolute('.git'), sandbox.path('elsewhere.git'));
      sandbox.script.push('mv w/.git elsewhere.git');
      repo.write('.git', `gitdir: ${sandbox.path('elsewhere.git')}\n`);
      disturb(repo);
      return repo;
    },
  },
  ...(atLeast(2, 55)
    ? [
        {
          kind: 'a chain of multi-pack-indexes with bitmaps',
          make: (sandbox: Sandbox) => {
            const repo = plain(sandbox);
            withUpstream(repo);
            for (const layer of ['first', 'second', 'third']) {
              repo.write('doc/one', words(`doc/one, of the ${layer} layer`, 15));
              repo.commit(layer);
              repo.git('repack', '-q', '-d');
              repo.git('multi-pack-index', 'write', '--incremental', '--bitmap');
            }
            disturb(repo);
            return repo;
          },
        },
      ]
    : []),
  ...(atLeast(2, 45)
    ? [
        {
          kind: 'reftables',
          make: (sandbox: Sandbox) => {
            const repo = plain(sandbox, '--ref-format=reftable');
            withUpstream(repo);
            repo.write('two', words('two, stashed', 5));
            repo.git('stash', 'push', '-q');
            disturb(repo);
            return repo;
          },
        },
      ]
    : []),
];
