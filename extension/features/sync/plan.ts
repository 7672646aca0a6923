/** git arguments for fetch, pull, push and publish, and the question to the user before a sync. */
import { kOwnIdentity } from '../../git/environment';
import { textOf } from '../../git/outputText';
import { t } from '../../l10n';
import { toDisplay } from '../../model/repoPath';
import { Branch } from '../../protocol';

/** Same settings as in VS Code's own Git. */
export interface SyncSettings {
  /** Pulls with rebase, whatever git's own config says. */
  rebaseWhenSync: boolean;
  pruneOnFetch: boolean;
  confirmSync: boolean;
}

/** Undefined: git's config decides. Without a config value, git refuses if the branches have diverged. */
export type Reconcile = 'merge' | 'rebase' | undefined;

export interface FetchOptions {
  all?: boolean;
  prune?: boolean;
}

export function fetchArguments({ all, prune }: FetchOptions, { pruneOnFetch }: SyncSettings): string[] {
  const isPruned = prune === true || pruneOnFetch;
  return ['fetch', ...(all === true ? ['--all'] : []), ...(isPruned ? ['--prune'] : [])];
}

/** A branch, by its name on the remote. */
export interface RemoteBranch {
  remote: string;
  name: string;
}

/**
 * Splits the name of a remote-tracking branch. Names of remotes can contain slashes too. Undefined: no remote has
 * this name.
 */
export function splitRemoteBranch(tracking: string, remotes: readonly string[]): RemoteBranch | undefined {
  const [remote] = remotes
    .filter((each) => tracking.startsWith(`${each}/`))
    .sort((a, b) => b.length - a.length);
  return remote === undefined ? undefined : { remote, name: tracking.slice(remote.length + 1) };
}

export function pullFromArguments(
  { remote, name }: RemoteBranch,
  reconcile: Reconcile,
  settings: SyncSettings,
): string[] {
  return [...pullArguments(reconcile, settings), '--', remote, `refs/heads/${name}`];
}

/**
 * Pushes the branch under its own name. `force`: replaces the remote branch if it is unchanged since the last fetch.
 */
export function pushToArguments({ remote, name }: RemoteBranch, { force = false } = {}): string[] {
  return [...pushArguments({ force }), '--', remote, `refs/heads/${name}`];
}

export function deleteRemoteBranchArguments({ remote, name }: RemoteBranch): string[] {
  return ['push', '--delete', '--', remote, `refs/heads/${name}`];
}

/** git refuses if the remote has another branch of that name by now. */
export function restoreRemoteBranchArguments({ remote, name }: RemoteBranch, oid: string): string[] {
  return ['push', '--', remote, `${oid}:refs/heads/${name}`];
}

export function deleteRemoteTagArguments(remote: string, name: string): string[] {
  return ['push', '--delete', '--', remote, `refs/tags/${name}`];
}

/** Without the objects that annotated tags point to. */
export function remoteTagsArguments(remote: string): string[] {
  return ['ls-remote', '--quiet', '--tags', '--refs', '--', remote];
}

/** In git's order. Leaves out names that are not valid UTF-8. */
export function parseRemoteTags(output: Uint8Array): { name: string; oid: string }[] {
  return textOf(output)
    .split('\n')
    .flatMap((line) => {
      const [, oid, name] = /^([0-9a-f]+)\trefs\/tags\/([^\ufffd]+)$/.exec(line) ?? [];
      return oid === undefined || name === undefined ? [] : [{ name, oid }];
    });
}

/** Also removes the remote-tracking branches and the remote's section of the config. */
export function removeRemoteArguments(remote: string): string[] {
  return ['remote', 'remove', remote];
}

export function pullArguments(
  reconcile: Reconcile,
  { rebaseWhenSync, pruneOnFetch }: SyncSettings,
): string[] {
  const how = reconcile ?? (rebaseWhenSync ? 'rebase' : undefined);
  const option = how === undefined ? [] : [how === 'rebase' ? '--rebase' : '--no-rebase'];
  return [...kOwnIdentity, 'pull', ...option, ...(pruneOnFetch ? ['--prune'] : [])];
}

export interface PushOptions {
  /** Replaces the remote branch if it is unchanged since the last fetch. */
  force?: boolean;
  /** Also pushes the annotated tags of the pushed commits. */
  followTags?: boolean;
}

export function pushArguments({ force = false, followTags = false }: PushOptions = {}): string[] {
  return ['push', ...(followTags ? ['--follow-tags'] : []), ...(force ? ['--force-with-lease'] : [])];
}

/**
 * The branches that a forced push replaced on the remote, with their old commits. git prints "+ 1234567...89abcde
 * main -> main".
 */
export function parseForced(stderr: Uint8Array): { branch: string; old: string }[] {
  const lines = textOf(stderr).matchAll(/^ \+ ([0-9a-f]+)\.\.\.[0-9a-f]+ +\S+ -> (\S+) \(forced update\)$/gm);
  return Array.from(lines, ([, old = '', branch = '']) => ({ branch, old }));
}

/** Pushes every tag, and no branch. */
export const kPushTags: readonly string[] = ['push', '--tags'];

/** Pushes the branch under its own name, also if a tag has the same name. */
export function publishArguments(remote: string, name: string): string[] {
  return ['push', '--set-upstream', remote, `refs/heads/${name}`];
}

/** Parses the output of `git remote`. */
export function parseRemotes(output: Uint8Array): string[] {
  const text = textOf(output);
  return text.split('\n').filter((line) => line !== '');
}

/** The steps of a sync. A branch without commits to push is not pushed, because not every user may push. */
export type SyncDecision =
  | { kind: 'noBranch' }
  | { kind: 'publish' }
  | { kind: 'sync'; pushes: boolean; question: string | undefined };

export function decideSync({ name, upstream, ahead }: Branch, { confirmSync }: SyncSettings): SyncDecision {
  if (name === undefined) return { kind: 'noBranch' };
  if (upstream === undefined) return { kind: 'publish' };
  const question = confirmSync
    ? t('Pull commits from "{0}" and push yours to it?', toDisplay(upstream))
    : undefined;
  return { kind: 'sync', pushes: ahead === undefined || ahead > 0, question };
}
