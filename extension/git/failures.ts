/**
 * What a failed git says, for a human: its reason in one line, and for known failures what is the matter in plain words
 * and the way out. The messages are those of git in English (git/environment.ts). Does not know `vscode`.
 */
import { t } from '../l10n';
import { kUnsafe, safeDirectoryCommand } from '../model/safeDirectory';
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
  /** A command for the terminal that is the way out, where there is one. */
  command?: string;
  /** Of the lock that is held. */
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
      message: t('The branch is renamed, but not its settings: {0} could not be locked.', match[1] ?? ''),
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
      message: t(
        'The repository belongs to another user, and git does not trust it. If you do, add it to safe.directory.',
      ),
      command: safeDirectoryCommand(match[1] ?? ''),
    }),
  },
  {
    kind: 'noIdentity',
    pattern:
      /^(\*\*\* Please tell me who you are\.|fatal: (unable to auto-detect email address|empty ident name|no email was given|no name was given))/m,
    tell: () => ({
      message: t('git does not know your name and address. Set user.name and user.email.'),
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
      // What is no printable character git writes as `?`: ssh-keygen ends its lines as a terminal wants it.
      const reason =
        ofGpg ?? (match[1] ?? match[2] ?? match[3] ?? '').replace(/^Enter passphrase: |\?$/g, '');
      return {
        message: t(
          'It could not be signed: {0}. Check user.signingKey and gpg.format, or turn commit.gpgSign and residentGit.enableCommitSigning off.',
          reason,
        ),
      };
    },
  },
  {
    kind: 'noUpstream',
    pattern:
      /^(fatal: The current branch (.*) has no upstream branch|There is no tracking information for the current branch)/m,
    tell: () => ({ message: t('The branch has no upstream branch. Publish it, or set one.') }),
  },
  {
    kind: 'upstreamGone',
    pattern: /^Your configuration specifies to merge with the ref '(?:refs\/heads\/)?(.*)'$/m,
    tell: (match) => ({
      message: t(
        'The upstream branch {0} is not on the remote any more. Publish the branch, or set another upstream.',
        match[1] ?? '',
      ),
    }),
  },
  {
    kind: 'otherName',
    pattern: /^fatal: The upstream branch of your current branch does not match[^]*?^ {4}(git push .*)$/m,
    tell: (match) => ({
      message: t(
        'The upstream branch has another name, and push.default wants the same. Set that to upstream, or name it once.',
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
      message: t(
        'The branch and its upstream both have commits that the other lacks. Pull by merging or by rebasing.',
      ),
    }),
  },
  {
    kind: 'rejected',
    pattern:
      /^ ! \[rejected\].*\((non-fast-forward|fetch first|stale info|remote ref updated since checkout)\)$/m,
    tell: (match) => ({
      message: /fast-forward|fetch first/.test(match[1] ?? '')
        ? t('The remote has commits that are not here. Pull first.')
        : t('The remote has commits that were never looked at here, and they would be lost. Fetch first.'),
    }),
  },
  {
    kind: 'tagExists',
    pattern: /^ ! \[rejected\] +(\S+) -> \S+ \(already exists\)$/m,
    tell: (match) => ({
      message: t(
        'The remote has another tag {0}. Delete it there first, or give yours another name.',
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
            ? t('The remote refused it: {0}.', why)
            : t('The remote refused it: {0}: {1}', why, said),
      };
    },
  },
  {
    kind: 'refused',
    pattern: /^fatal: remote error: (.*)$/m,
    tell: (match) => ({ message: t('The remote refused it: {0}.', match[1] ?? '') }),
  },
  {
    kind: 'conflicts',
    pattern:
      /(^CONFLICT |not possible because you have unmerged files|because you have unmerged files|^error: path '.*' is unmerged|^You must edit all merge conflicts|^error: you need to resolve your current index first)/m,
    tell: () => ({
      message: t('There are conflicts. Resolve them, and stage the files to mark them resolved.'),
    }),
  },
  {
    kind: 'emptied',
    pattern: /^(The previous cherry-pick is now empty|No changes - did you forget to use 'git add'\?)/m,
    tell: () => ({ message: t('Nothing is left of this commit. Skip it, or make a change and stage that.') }),
  },
  {
    kind: 'mergeCommit',
    pattern: /^error: commit (.*) is a merge but no -m option was given/m,
    tell: () => ({
      message: t('The commit is a merge. Picked can be what it brought to its first parent.'),
    }),
  },
  {
    kind: 'noCommit',
    pattern: /^fatal: bad (?:revision|object) '?([^'\n]*)'?$/m,
    tell: ({ input, 1: name = '' }) => ({
      message: /^error: short .* is ambiguous$/m.test(input)
        ? t('More than one object begins with {0}. Give more of the hash.', name)
        : t('There is no commit {0} here.', name),
    }),
  },
  {
    kind: 'dirty',
    pattern:
      /^(error: [Yy]our local changes (?:to the following files )?would be overwritten|error: cannot (pull with rebase|rebase): (You have unstaged changes|Your index contains uncommitted changes))/m,
    tell: () => ({
      message: t('It would overwrite changes that are not committed. Commit, stash or discard them first.'),
    }),
  },
  {
    kind: 'inTheWay',
    pattern:
      /^error: The following untracked working tree files would be (?:overwritten|removed)[^\n]*\n((?:\t.*\n?)+)/m,
    tell: (match) => {
      const [first = '', ...others] = (match[1] ?? '').trim().split(/\n\t/);
      return {
        message:
          others.length === 0
            ? t('Untracked files are in the way: {0}. Move or remove them first.', first)
            : t(
                'Untracked files are in the way: {0} and {1} more. Move or remove them first.',
                first,
                others.length,
              ),
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
        'The branch {0} is checked out in another worktree: {1}. Open that, or take another branch.',
        match[1] ?? '',
        match[2] ?? '',
      ),
    }),
  },
  {
    kind: 'worktreeInUse',
    pattern:
      /^fatal: (?:'.*' contains modified or untracked files|working trees containing submodules cannot be)/m,
    tell: () => ({ message: t('The worktree contains modified or untracked files, or submodules.') }),
  },
  {
    kind: 'worktreeLocked',
    pattern: /^fatal: cannot remove a locked working tree(?:, lock reason: (.*)|;)$/m,
    tell: (match) => ({
      message:
        match[1] === undefined
          ? t('The worktree is locked against deletion. Unlock it first: git worktree unlock.')
          : t(
              'The worktree is locked against deletion: {0}. Unlock it first: git worktree unlock.',
              match[1],
            ),
    }),
  },
  {
    kind: 'authentication',
    pattern:
      /(could not read (Username|Password)|^fatal: Authentication failed|Permission denied \(|Host key verification failed|The requested URL returned error: 40[13])/m,
    tell: () => ({ message: t('The remote did not accept who you are, or there was nobody to ask for it.') }),
  },
  {
    kind: 'unreachable',
    pattern:
      /^(?:ssh: |fatal: |.*?: )?(.*(?:Could not resolve host|Connection refused|Connection timed out|Network is unreachable|No route to host|Failed to connect to|Could(?:n't| not) connect to server).*)$/im,
    tell: (match) => ({ message: t('The remote cannot be reached: {0}', (match[1] ?? '').trim()) }),
  },
  {
    kind: 'outsideSparse',
    pattern:
      /^The following paths and\/or pathspecs matched paths that exist\noutside of your sparse-checkout definition/m,
    tell: () => ({
      message: t('Some of it lies outside of the sparse checkout, and git leaves that alone.'),
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
      message: t('Amended, the last commit would have no change left. Undo it instead, or stage something.'),
    }),
  },
  {
    kind: 'noMessage',
    pattern: /^(Aborting commit due to empty commit message|Aborting commit; you did not edit the message)/m,
    tell: () => ({ message: t('There is no message, so nothing was committed.') }),
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
      ? t('git {0} was ended by a signal.', command)
      : t('git {0} ended with exit code {1}.', command, code);
  return { kind: 'other', message };
}

function locked(lock: string): Omit<Failure, 'kind'> {
  return { lock, message: t('Another git holds {0}. Try again when it is done.', lock) };
}

/** git's own reason, or else the last line of what was said. */
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
