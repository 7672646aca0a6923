/** Surroundings of the worktree: config in other files, replaced objects, and unfinished commands. */
import { fromBuffer } from '../../../support/bytes';
import type { World } from '../world';
import { type Operation, oneOf, type Variant } from './operation';

const included: readonly [name: string, text: string][] = [
  ['showUntrackedFiles', '[status]\n\tshowUntrackedFiles = no\n'],
  ['excludesFile', '[core]\n\texcludesFile = ../included-ignore\n'],
  ['renames', '[status]\n\trenames = false\n'],
  ['fileMode', '[core]\n\tfileMode = false\n'],
  ['autocrlf', '[core]\n\tautocrlf = true\n'],
  ['branch', '[status]\n\tbranch = true\n\tshowStash = true\n'],
  ['quotePath', '[core]\n\tquotePath = false\n'],
];

function include(kind: string, condition: (world: World) => string | undefined): Variant {
  return {
    kind,
    run: (world) => {
      const { repo, prng } = world;
      const key = condition(world);
      if (key === undefined) return false;
      repo.write('../included-ignore', '*.c\n');
      const [name, text] = prng.pick(included);
      repo.write(`../included-${name}`, text);
      repo.tryGit('config', '--add', key, `${repo.root}/../included-${name}`);
      return true;
    },
  };
}

const includes: readonly Variant[] = [
  include('include.path', () => 'include.path'),
  include('includeIf.gitdir', ({ repo, prng }) => {
    const pattern = prng.pick(['**/w/.git', `${repo.root}/`, '**/nothing', '**/W/.git', '../w/.git', 'w/']);
    return `includeIf.gitdir:${pattern}.path`;
  }),
  include('includeIf.gitdir/i', () => 'includeIf.gitdir/i:**/W/.GIT.path'),
  include('includeIf.onbranch', ({ prng }) => {
    return `includeIf.onbranch:${prng.pick(['main', 's*', '**', 'other'])}.path`;
  }),
  include('includeIf.hasconfig', ({ prng }) => {
    return `includeIf.hasconfig:remote.*.url:${prng.pick(['**', '../origin', 'https://**'])}.path`;
  }),
  {
    kind: 'config of the worktree alone',
    run: ({ repo, prng }) => {
      if (repo.tryGit('config', 'extensions.worktreeConfig', 'true').code !== 0) return false;
      repo.tryGit('config', '--worktree', 'status.showUntrackedFiles', prng.pick(['no', 'normal', 'all']));
      return true;
    },
  },
  {
    kind: 'no include any more',
    run: ({ repo }) => {
      const keys = fromBuffer(repo.ask('config', '--name-only', '--get-regexp', '^include').stdout);
      const names = [...new Set(keys.split('\n').filter(Boolean))];
      names.forEach((name) => repo.tryGit('config', '--unset-all', name));
      return names.length > 0;
    },
  },
];

const history: readonly Variant[] = [
  {
    kind: 'HEAD replaced',
    run: ({ repo }) => repo.tryGit('replace', '-f', 'HEAD', 'HEAD~1').code === 0,
  },
  {
    kind: 'a blob replaced',
    run: (world) => {
      const path = world.pickTracked();
      if (path === undefined) return false;
      const old = world.repo.ask('rev-parse', '-q', '--verify', `:${path}`);
      const other = world.repo.gitWithInput('replaced\n', 'hash-object', '-w', '--stdin');
      if (old.code !== 0 || other.code !== 0) return false;
      const [from, to] = [old, other].map(({ stdout }) => fromBuffer(stdout).trim());
      return world.repo.tryGit('replace', '-f', from ?? '', to ?? '').code === 0;
    },
  },
  {
    kind: 'grafts',
    run: ({ repo }) => {
      if (repo.kind('.git') !== 'directory') return false;
      const head = repo.ask('rev-parse', '-q', '--verify', 'HEAD');
      if (head.code !== 0) return false;
      repo.write('.git/info/grafts', fromBuffer(head.stdout));
      return true;
    },
  },
  {
    kind: 'nothing replaced any more',
    run: ({ repo }) => {
      const names = fromBuffer(repo.ask('replace', '-l').stdout).split('\n').filter(Boolean);
      if (names.length > 0) repo.tryGit('replace', '-d', ...names);
      if (repo.kind('.git') === 'directory' && repo.exists('.git/info/grafts'))
        repo.remove('.git/info/grafts');
      return names.length > 0;
    },
  },
];

/** Commands that leave an unfinished operation. */
const unfinished: readonly Variant[] = [
  {
    kind: 'bisect',
    run: ({ repo }) => {
      if (repo.tryGit('bisect', 'start').code !== 0) return false;
      repo.tryGit('bisect', 'bad');
      repo.tryGit('bisect', 'good', 'HEAD~3');
      return true;
    },
  },
  { kind: 'bisect ended', run: ({ repo }) => repo.tryGit('bisect', 'reset').code === 0 },
  {
    kind: 'revert',
    run: ({ repo }) => {
      const { code } = repo.tryGit('revert', '--no-edit', 'HEAD~1');
      // If the revert succeeded, revert it without a commit.
      if (code === 0) repo.tryGit('revert', '-n', 'HEAD');
    },
  },
  {
    kind: 'cherry-pick without a commit',
    run: ({ repo }) => void repo.tryGit('cherry-pick', '-n', 'HEAD~1'),
  },
  {
    kind: 'rebase stopped for an edit',
    run: ({ repo }) => {
      const editor = 'sequence.editor=sed -i 1s/pick/edit/';
      return repo.tryGit('-c', editor, 'rebase', '-q', '--autostash', '-i', 'HEAD~1').code === 0;
    },
  },
  {
    kind: 'rebase stopped by a command',
    run: ({ repo }) => void repo.tryGit('rebase', '-q', '-x', 'false', 'HEAD~1'),
  },
  {
    kind: 'am stopped',
    run: ({ repo }) => {
      const patch = [
        'From 0123456789012345678901234567890123456789 Mon Sep 17 00:00:00 2001',
        'From: A U Thor <author@example.com>',
        'Date: Tue, 14 Nov 2023 22:13:20 +0000',
        'Subject: [PATCH] no such file',
        '',
        '---',
        'diff --git a/nowhere b/nowhere',
        'index 1111111..2222222 100644',
        '--- a/nowhere',
        '+++ b/nowhere',
        '@@ -1 +1 @@',
        '-one',
        '+two',
        '-- ',
        '2.0',
        '',
      ].join('\n');
      repo.gitWithInput(patch, 'am', '-q');
      return true;
    },
  },
  {
    kind: 'whatever was begun is given up',
    run: ({ repo }) => {
      for (const way of ['rebase', 'am', 'revert', 'cherry-pick', 'merge']) repo.tryGit(way, '--abort');
      return true;
    },
  },
];

/** Storage formats of refs. */
const storage: readonly Variant[] = [
  {
    kind: 'refs packed',
    run: ({ repo }) => repo.tryGit('pack-refs', '--all').code === 0,
  },
  {
    // If git cannot migrate, because of its version or of linked worktrees, pack the refs instead.
    kind: 'refs migrated or packed',
    run: ({ repo }) => {
      const tables = fromBuffer(repo.ask('rev-parse', '--show-ref-format').stdout).trim() === 'reftable';
      const migrated = repo.tryGit('refs', 'migrate', `--ref-format=${tables ? 'files' : 'reftable'}`);
      return migrated.code === 0 || repo.tryGit('pack-refs', '--all', '--no-prune').code === 0;
    },
  },
  {
    kind: 'refs deleted and made',
    run: ({ repo, prng }) => {
      const [gone, made] = [prng.pick(['side', 'topic', 'v1']), prng.pick(['side', 'topic', 'v1'])];
      repo.tryGit('update-ref', '-d', `refs/heads/${gone}`);
      repo.tryGit('tag', '-f', made);
      return repo.tryGit('branch', '-f', made).code === 0;
    },
  },
];

export const repositoryOperations: Operation[] = [
  oneOf('refs', 4, storage),
  oneOf('include config', 4, includes),
  oneOf('replace objects', 4, history),
  oneOf('leave unfinished', 8, unfinished),
];
