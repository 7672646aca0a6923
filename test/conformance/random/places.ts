/** Origins of a seed's repository, and the links between its git directory and its worktree. */
import { renameSync, symlinkSync } from 'node:fs';
import { Repository } from '../../support/repository';
import type { Sandbox } from '../../support/sandbox';

export interface Place {
  kind: string;
  weight: number;
  /** Makes the repository with the worktree root `w`, without any file. */
  make(sandbox: Sandbox, format: readonly string[]): Repository;
}

/** A repository with a few commits, as a clone's source. */
function source(sandbox: Sandbox, format: readonly string[]): Repository {
  const repo = Repository.init(sandbox, 'source', ...format);
  for (const [name, text] of [
    ['a', 'one\n'],
    ['src/main.c', 'int main() {}\n'],
    ['doc/README', 'words\nand more words\n'],
    ['a', 'two\n'],
  ] as const) {
    repo.write(name, text);
    repo.commit();
  }
  repo.config('uploadpack.allowFilter', 'true');
  return repo;
}

function cloned(...options: string[]): Place['make'] {
  return (sandbox, format) => {
    const from = source(sandbox, format);
    const refs = format.filter((option) => option.startsWith('--ref-format='));
    from.git('clone', '-q', ...refs, ...options, `file://${from.root}`, '../w');
    return new Repository(sandbox, sandbox.path('w'));
  };
}

export const places: readonly Place[] = [
  { kind: 'plain', weight: 50, make: (sandbox, format) => Repository.init(sandbox, 'w', ...format) },
  {
    kind: 'linked worktree',
    weight: 6,
    make: (sandbox, format) => {
      const main = Repository.init(sandbox, 'main', ...format);
      main.commit();
      main.git('worktree', 'add', '-q', '../w');
      return new Repository(sandbox, sandbox.path('w'));
    },
  },
  {
    kind: 'separate git directory',
    weight: 4,
    make: (sandbox, format) =>
      Repository.init(sandbox, 'w', '--separate-git-dir', '../separate.git', ...format),
  },
  {
    kind: 'core.worktree',
    weight: 4,
    make: (sandbox, format) => {
      const repo = Repository.init(sandbox, 'w', '--separate-git-dir', '../separate.git', ...format);
      repo.config('core.worktree', repo.root);
      return repo;
    },
  },
  {
    kind: 'GIT_DIR and GIT_WORK_TREE',
    weight: 3,
    make: (sandbox, format) => {
      const repo = Repository.init(sandbox, 'w', ...format);
      renameSync(repo.absolute('.git'), sandbox.path('elsewhere.git'));
      sandbox.script.push('mv w/.git elsewhere.git');
      sandbox.setVariable('GIT_DIR', sandbox.path('elsewhere.git'));
      sandbox.setVariable('GIT_WORK_TREE', sandbox.path('w'));
      return repo;
    },
  },
  {
    kind: 'GIT_INDEX_FILE',
    weight: 3,
    make: (sandbox, format) => {
      const repo = Repository.init(sandbox, 'w', ...format);
      sandbox.setVariable('GIT_INDEX_FILE', sandbox.path('another-index'));
      return repo;
    },
  },
  {
    kind: 'config from the environment',
    weight: 4,
    make: (sandbox, format) => {
      const repo = Repository.init(sandbox, 'w', ...format);
      sandbox.setVariable('GIT_CONFIG_COUNT', '2');
      sandbox.setVariable('GIT_CONFIG_KEY_0', 'core.quotePath');
      sandbox.setVariable('GIT_CONFIG_VALUE_0', 'false');
      sandbox.setVariable('GIT_CONFIG_KEY_1', 'core.excludesFile');
      sandbox.setVariable('GIT_CONFIG_VALUE_1', sandbox.path('environment-ignore'));
      repo.write('../environment-ignore', '*.log\n');
      return repo;
    },
  },
  {
    kind: 'ceiling directories',
    weight: 2,
    make: (sandbox, format) => {
      const repo = Repository.init(sandbox, 'w', ...format);
      sandbox.setVariable('GIT_CEILING_DIRECTORIES', sandbox.root);
      return repo;
    },
  },
  {
    kind: 'symlinked root',
    weight: 4,
    make: (sandbox, format) => {
      Repository.init(sandbox, 'real', ...format);
      symlinkSync('real', sandbox.path('w'));
      sandbox.script.push('ln -s real w');
      return new Repository(sandbox, sandbox.path('w'));
    },
  },
  { kind: 'clone', weight: 4, make: cloned() },
  { kind: 'shallow clone', weight: 3, make: cloned('--depth=2') },
  { kind: 'clone with alternates', weight: 3, make: cloned('--shared') },
  { kind: 'partial clone', weight: 3, make: cloned('--filter=blob:none') },
];
