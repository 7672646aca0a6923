/** What fetch, pull, push and publish ask of git, and what is asked of a person before. */
import { Branch } from '../protocol';
import { t } from '../l10n';
import { kOwnIdentity } from './commitPlan';
import { textOf } from './outputText';
import { toDisplay } from './repoPath';

/** As VS Code's own Git has them. */
export interface SyncSettings {
  /** Pulling rebases, whatever git's own config says. */
  rebaseWhenSync: boolean;
  pruneOnFetch: boolean;
  confirmSync: boolean;
}

/** Undefined: as git's config says, which refuses where the branches have diverged and it says nothing. */
export type Reconcile = 'merge' | 'rebase' | undefined;

export interface FetchOptions {
  all?: boolean;
  prune?: boolean;
}

export function fetchArguments({ all, prune }: FetchOptions, { pruneOnFetch }: SyncSettings): string[] {
  const isPruned = prune === true || pruneOnFetch;
  return ['fetch', ...(all === true ? ['--all'] : []), ...(isPruned ? ['--prune'] : [])];
}

/** A branch as a remote calls it. */
export interface RemoteBranch {
  remote: string;
  name: string;
}

/** By the name of its remote-tracking branch; remotes can have slashes too. Undefined where no remote is of that name. */
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

/** The branch under its own name; over what was fetched from there last, where that is wanted. */
export function pushToArguments({ remote, name }: RemoteBranch, { force = false } = {}): string[] {
  return [...pushArguments({ force }), '--', remote, `refs/heads/${name}`];
}

export function deleteRemoteBranchArguments({ remote, name }: RemoteBranch): string[] {
  return ['push', '--delete', '--', remote, `refs/heads/${name}`];
}

/** git refuses where the remote has another branch of that name by now. */
export function restoreRemoteBranchArguments({ remote, name }: RemoteBranch, oid: string): string[] {
  return ['push', '--', remote, `${oid}:refs/heads/${name}`];
}

export function deleteRemoteTagArguments(remote: string, name: string): string[] {
  return ['push', '--delete', '--', remote, `refs/tags/${name}`];
}

/** Without what an annotated tag leads to. */
export function remoteTagsArguments(remote: string): string[] {
  return ['ls-remote', '--quiet', '--tags', '--refs', '--', remote];
}

/** In git's order, without names that are not valid UTF-8. */
export function parseRemoteTags(output: Uint8Array): { name: string; oid: string }[] {
  return textOf(output)
    .split('\n')
    .flatMap((line) => {
      const [, oid, name] = /^([0-9a-f]+)\trefs\/tags\/([^\ufffd]+)$/.exec(line) ?? [];
      return oid === undefined || name === undefined ? [] : [{ name, oid }];
    });
}

/** Its remote-tracking branches and its part of the config go too. */
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
  /** Over what was fetched from there last. */
  force?: boolean;
  /** With the annotated tags of the commits that are pushed. */
  followTags?: boolean;
}

export function pushArguments({ force = false, followTags = false }: PushOptions = {}): string[] {
  return ['push', ...(followTags ? ['--follow-tags'] : []), ...(force ? ['--force-with-lease'] : [])];
}

/** The branches that a forced push replaced on the remote, and where they were: "+ 1234567...89abcde main -> main". */
export function parseForced(stderr: Uint8Array): { branch: string; old: string }[] {
  const lines = textOf(stderr).matchAll(/^ \+ ([0-9a-f]+)\.\.\.[0-9a-f]+ +\S+ -> (\S+) \(forced update\)$/gm);
  return Array.from(lines, ([, old = '', branch = '']) => ({ branch, old }));
}

/** Every tag, and no branch. */
export const kPushTags: readonly string[] = ['push', '--tags'];

/** The branch under its own name, whatever else has that name. */
export function publishArguments(remote: string, name: string): string[] {
  return ['push', '--set-upstream', remote, `refs/heads/${name}`];
}

/** Of `git remote`. */
export function parseRemotes(output: Uint8Array): string[] {
  const text = textOf(output);
  return text.split('\n').filter((line) => line !== '');
}

/** What synchronizing consists of: a branch that has nothing to push is not pushed, because not everybody may. */
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
