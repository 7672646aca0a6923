/**
 * Why a git failed, for a person: one line, and for known failures the files and the next step. Reads git's messages in
 * English (git/environment.ts). Does not know `vscode`.
 */
import { t } from '../l10n';
import { kUnsafe, safeDirectoryCommand } from '../model/safeDirectory';
import { conflictedFiles, filesOf, filesText } from './failureFiles';
import { isCommitRefused, isPushRefused } from './hookRefusals';
import { GitResult } from './runGit';

export type FailureKind =
  | 'locked'
  | 'noIdentity'
  | 'unsafe'
  | 'noUpstream'
  | 'upstreamGone'
  | 'otherName'
  | 'noRemote'
  | 'unreachable'
  | 'diverged'
  | 'rejected'
  | 'tagExists'
  | 'refused'
  | 'conflicts'
  | 'emptied'
  | 'mergeCommit'
  | 'noCommit'
  | 'dirty'
  | 'inTheWay'
  | 'notMerged'
  | 'checkedOut'
  | 'worktreeInUse'
  | 'worktreeLocked'
  | 'signing'
  | 'nothingToCommit'
  | 'noMessage'
  | 'authentication'
  | 'outsideSparse'
  /** A hook that refused a commit. */
  | 'hook'
  | 'pushHook'
  | 'other';

export interface Failure {
  kind: FailureKind;
  message: string;
  /** A command for the terminal that mends it. */
  command?: string;
  /** Path of the lock file. */
  lock?: string;
}

interface Known {
  kind: FailureKind;
  /** Matched against both outputs, line by line (flag m). */
  pattern: RegExp;
  tell: (match: RegExpExecArray) => Omit<Failure, 'kind'>;
}

const kKnown: readonly Known[] = [
  {
    // It is half done: a second try would find no branch of that name.
    kind: 'other',
    pattern: /^error: could not lock config file (.*?)(?:: .*)?\nfatal: branch is renamed, but/im,
    tell: (match) => ({
      message: t('The branch was renamed, but its settings were not: {0} is locked.', match[1] ?? ''),
    }),
  },
  {
    // A lock that a remote tells of is held there.
    kind: 'locked',
    pattern: /^(?!remote: | ! \[remote rejected\]).*Unable to create '(.*\.lock)': File exists/m,
    tell: (match) => locked(match[1] ?? ''),
  },
  {
    kind: 'locked',
    pattern: /^(?:error|fatal): could not lock config file (.*): File exists$/m,
    tell: (match) => locked(`${match[1] ?? ''}.lock`),
  },
  {
    kind: 'unsafe',
    pattern: kUnsafe,
    tell: (match) => ({
      message: t('The repository belongs to another user. If you trust it, add it to safe.directory.'),
      command: safeDirectoryCommand(match[1] ?? ''),
    }),
  },
  {
    kind: 'noIdentity',
    pattern:
      /^(\*\*\* Please tell me who you are\.|fatal: (unable to auto-detect email address|empty ident name|no email was given|no name was given))/m,
    tell: () => ({
      message: t('git does not know your name and email. Set user.name and user.email.'),
      command:
        'git config --global user.name "Your Name" && git config --global user.email "you@example.com"',
    }),
  },
  {
    kind: 'signing',
    pattern:
      /^(?:error: (gpg failed to sign the data|Couldn't load public key .*|(?:Enter passphrase: )?Load key .*)|(?:error|fatal): (cannot (?:run|exec) .*)(?=\nerror: (?:gpg failed|$))|fatal: (either user\.signingkey or .*))/m,
    tell: (match) => {
      const ofGpg = /^gpg: (.*)$/m.exec(match.input)?.[1];
      // git writes unprintable characters as `?`: ssh-keygen ends its lines with a carriage return.
      const reason =
        ofGpg ?? (match[1] ?? match[2] ?? match[3] ?? '').replace(/^Enter passphrase: |\?$/g, '');
      return {
        message: t('Signing failed: {0}. Check user.signingKey and gpg.format, or turn off signing.', reason),
      };
    },
  },
  {
    kind: 'noUpstream',
    pattern:
      /^(fatal: The current branch (.*) has no upstream branch|There is no tracking information for the current branch)/m,
    tell: () => ({ message: t('The branch has no upstream. Publish the branch, or set an upstream.') }),
  },
  {
    kind: 'upstreamGone',
    pattern: /^Your configuration specifies to merge with the ref '(?:refs\/heads\/)?(.*)'$/m,
    tell: (match) => ({
      message: t(
        'The upstream {0} no longer exists on the remote. Publish the branch, or set another upstream.',
        match[1] ?? '',
      ),
    }),
  },
  {
    kind: 'otherName',
    pattern: /^fatal: The upstream branch of your current branch does not match[^]*?^ {4}(git push .*)$/m,
    tell: (match) => ({
      message: t(
        'The upstream branch has a different name. Set push.default to upstream, or run the command once.',
      ),
      command: match[1] ?? '',
    }),
  },
  {
    kind: 'noRemote',
    pattern: /^fatal: (No configured push destination|no remote repository specified)/im,
    tell: () => ({ message: t('The repository has no remote.') }),
  },
  {
    kind: 'diverged',
    pattern: /^fatal: (Need to specify how to reconcile divergent branches|Not possible to fast-forward)/m,
    tell: () => ({
      message: t('The branch and its upstream have diverged. Choose how to combine them: merge or rebase.'),
    }),
  },
  {
    kind: 'rejected',
    pattern:
      /^ ! \[rejected\].*\((non-fast-forward|fetch first|stale info|remote ref updated since checkout)\)$/m,
    tell: (match) => ({
      message: /fast-forward|fetch first/.test(match[1] ?? '')
        ? t("The remote has commits you don't have yet. Pull first.")
        : t("The remote has commits you haven't fetched. Force push would delete them. Fetch first."),
    }),
  },
  {
    kind: 'tagExists',
    pattern: /^ ! \[rejected\] +(\S+) -> \S+ \(already exists\)$/m,
    tell: (match) => ({
      message: t(
        'The remote already has a different tag {0}. Delete it there first, or rename your tag.',
        match[1] ?? '',
      ),
    }),
  },
  {
    kind: 'refused',
    pattern: /^ ! \[(?:remote )?rejected\].*\((.*)\)$/m,
    tell: (match) => {
      // The first line that has words: hooks draw frames around theirs.
      const said = /^remote: *(?:error: )?(.*[\p{L}\p{N}].*?)\s*$/mu.exec(match.input)?.[1];
      const why = match[1] ?? '';
      return {
        message:
          said === undefined
            ? t('The remote refused the request: {0}.', why)
            : t('The remote refused the request: {0}: {1}', why, said),
      };
    },
  },
  {
    kind: 'refused',
    pattern: /^fatal: remote error: (.*)$/m,
    tell: (match) => ({ message: t('The remote refused the request: {0}.', match[1] ?? '') }),
  },
  {
    kind: 'conflicts',
    pattern:
      /(^CONFLICT |not possible because you have unmerged files|because you have unmerged files|^error: path '.*' is unmerged|^You must edit all merge conflicts|^error: you need to resolve your current index first)/m,
    tell: ({ input }) => {
      const files = conflictedFiles(input);
      return {
        message:
          files.length === 0
            ? t('There are conflicts. Resolve them, then stage the files.')
            : t('Conflicts in {0}. Resolve them, then stage the files.', filesText(files)),
      };
    },
  },
  {
    kind: 'emptied',
    pattern: /^(The previous cherry-pick is now empty|No changes - did you forget to use 'git add'\?)/m,
    tell: () => ({ message: t('The commit has no changes left. Skip it, or stage a change.') }),
  },
  {
    kind: 'mergeCommit',
    pattern: /^error: commit (.*) is a merge but no -m option was given/m,
    tell: () => ({
      message: t('The commit is a merge. You can pick its changes against the first parent.'),
    }),
  },
  {
    kind: 'noCommit',
    pattern: /^fatal: bad (?:revision|object) '?([^'\n]*)'?$/m,
    tell: ({ input, 1: name = '' }) => ({
      message: /^error: short .* is ambiguous$/m.test(input)
        ? t('Several objects start with {0}. Enter more of the hash.', name)
        : t('Commit {0} was not found.', name),
    }),
  },
  {
    kind: 'dirty',
    pattern:
      /^error: [Yy]our local changes (?:to the following files )?would be overwritten by ([\w -]+?)[.:]?\n((?:\t.*\n?)*)/m,
    tell: ({ 1: action = '', 2: lines = '' }) => {
      const files = filesOf(lines);
      const what =
        files.length === 0
          ? t('Your changes would be overwritten by {0}.', action)
          : t('Your changes to {0} would be overwritten by {1}.', filesText(files), action);
      return { message: `${what} ${t('Commit, stash or discard them first.')}` };
    },
  },
  {
    kind: 'dirty',
    pattern:
      /^error: cannot (?:pull with rebase|rebase): (?:You have unstaged changes|Your index contains uncommitted changes)/m,
    tell: () => ({
      message: `${t('You have uncommitted changes.')} ${t('Commit, stash or discard them first.')}`,
    }),
  },
  {
    kind: 'inTheWay',
    pattern:
      /^error: The following untracked working tree files would be (?:overwritten|removed) by ([\w -]+?):?\n((?:\t.*\n?)+)/m,
    tell: ({ 1: action = '', 2: lines = '' }) => {
      const files = filesOf(lines);
      return {
        message:
          files.length === 1
            ? t('The untracked file {0} blocks {1}. Move or delete it first.', filesText(files), action)
            : t('Untracked files block {1}: {0}. Move or delete them first.', filesText(files), action),
      };
    },
  },
  {
    kind: 'notMerged',
    pattern: /^error: the branch '(.*)' is not fully merged/im,
    tell: (match) => ({ message: t('The branch {0} is not fully merged.', match[1] ?? '') }),
  },
  {
    kind: 'checkedOut',
    pattern: /^fatal: '(.*)' is already (?:checked out|used by worktree) at '(.*)'$/m,
    tell: (match) => ({
      message: t(
        'The branch {0} is checked out in the worktree {1}. Open that worktree, or choose another branch.',
        match[1] ?? '',
        match[2] ?? '',
      ),
    }),
  },
  {
    kind: 'worktreeInUse',
    pattern:
      /^fatal: (?:'.*' contains modified or untracked files|working trees containing submodules cannot be)/m,
    tell: () => ({ message: t('The worktree contains modified files, untracked files or submodules.') }),
  },
  {
    kind: 'worktreeLocked',
    pattern: /^fatal: cannot remove a locked working tree(?:, lock reason: (.*)|;)$/m,
    tell: (match) => ({
      message:
        match[1] === undefined
          ? t('The worktree is locked. Unlock it first: git worktree unlock.')
          : t('The worktree is locked: {0}. Unlock it first: git worktree unlock.', match[1]),
    }),
  },
  {
    kind: 'authentication',
    pattern:
      /(could not read (Username|Password)|^fatal: Authentication failed|Permission denied \(|Host key verification failed|The requested URL returned error: 40[13])/m,
    tell: () => ({ message: t('The remote did not accept your credentials, or nobody entered them.') }),
  },
  {
    kind: 'unreachable',
    pattern:
      /^(?:ssh: |fatal: |.*?: )?(.*(?:Could not resolve host|Connection refused|Connection timed out|Network is unreachable|No route to host|Failed to connect to|Could(?:n't| not) connect to server).*)$/im,
    tell: (match) => ({
      message: t('The remote cannot be reached: {0}.', (match[1] ?? '').trim().replace(/\.$/, '')),
    }),
  },
  {
    kind: 'outsideSparse',
    pattern:
      /^The following paths and\/or pathspecs matched paths that exist\noutside of your sparse-checkout definition/m,
    tell: () => ({
      message: t('Some files are outside the sparse checkout. git did not change them.'),
    }),
  },
  {
    kind: 'nothingToCommit',
    pattern: /^(nothing to commit|no changes added to commit|nothing added to commit)/m,
    tell: () => ({ message: t('There is nothing to commit.') }),
  },
  {
    kind: 'nothingToCommit',
    pattern: /^You asked to amend the most recent commit, but doing so would make$/m,
    tell: () => ({
      message: t(
        'The amended commit would have no changes. Undo the last commit instead, or stage a change.',
      ),
    }),
  },
  {
    kind: 'noMessage',
    pattern: /^(Aborting commit due to empty commit message|Aborting commit; you did not edit the message)/m,
    tell: () => ({ message: t('Nothing was committed: the message is empty.') }),
  },
];

const kWord = /[\p{L}\p{N}]/u;

/** `command` is git's subcommand. */
export function explain(
  command: string,
  { code, stdout, stderr }: Pick<GitResult, 'code' | 'stdout' | 'stderr'>,
): Failure {
  const said = `${stderr.toString('utf8')}\n${stdout.toString('utf8')}`;
  for (const { kind, pattern, tell } of kKnown) {
    const match = pattern.exec(said);
    if (match !== null) return { kind, ...tell(match) };
  }
  const reason = reasonOf(stderr.toString('utf8')) ?? reasonOf(stdout.toString('utf8'));
  if (isCommitRefused(command, code, said)) {
    const ofHook = command === 'commit' ? reason : reasonOf(said.replace(/^Not committing merge; .*$/gm, ''));
    const message =
      ofHook === undefined ? t('A hook refused the commit.') : t('A hook refused the commit: {0}', ofHook);
    return { kind: 'hook', message };
  }
  if (isPushRefused(command, code, said)) {
    const words = lastLine(said.replace(/^(error: failed to push some refs|To |hint: ).*$/gm, ''));
    const message =
      words === undefined ? t('A hook refused the push.') : t('A hook refused the push: {0}', words);
    return { kind: 'pushHook', message };
  }
  if (reason !== undefined) return { kind: 'other', message: reason };
  const message =
    code === undefined
      ? t('git {0} was stopped by a signal.', command)
      : t('git {0} ended with exit code {1}.', command, code);
  return { kind: 'other', message };
}

function locked(lock: string): Omit<Failure, 'kind'> {
  return { lock, message: t('Another git process has locked {0}. Try again when it has finished.', lock) };
}

/** git's own reason, or else the last line of its output. */
function reasonOf(text: string): string | undefined {
  const own = text.split('\n').find((line) => /^(fatal|error): /.test(line));
  return (own ?? lastLine(text))?.replace(/^(fatal|error): /, '').trim();
}

/** The last one that has words: below them a hook may draw a frame. */
function lastLine(text: string): string | undefined {
  return text
    .split('\n')
    .filter((line) => kWord.test(line))
    .at(-1)
    ?.trim();
}
