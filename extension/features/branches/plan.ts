/** git arguments to check out, create, rename, delete, merge and rebase branches, and to create and delete tags. */
import { kOwnIdentity } from '../../git/environment';
import { Ref, revisionOf } from '../refs/refs';

/**
 * git creates no branch whose name begins with a dash, but can have fetched such a branch. In `checkout`, the name
 * "-f" is an option that discards everything.
 */
export function checkoutBranchArguments(name: string): string[] {
  return name.startsWith('-')
    ? ['switch', '--quiet', '--no-guess', '--', name]
    : ['checkout', '--quiet', name, '--'];
}

/** Creates a branch of the same name, with `full` as upstream. */
export function checkoutRemoteArguments({ full }: Ref): string[] {
  return ['checkout', '--quiet', '--track', full];
}

/** Checks out the ref's commit, without a branch. */
export function checkoutDetachedArguments({ full }: Ref): string[] {
  return ['checkout', '--quiet', '--detach', full, '--'];
}

/** Starts at HEAD, or at `from`, which does not become the upstream. */
export function createBranchArguments(name: string, from?: Ref): string[] {
  return [
    'checkout',
    '--quiet',
    ...(from === undefined ? [] : ['--no-track']),
    '-b',
    name,
    ...(from ? [from.full] : []),
    '--',
  ];
}

export function renameBranchArguments(from: string, to: string): string[] {
  return ['branch', '-m', '--', from, to];
}

export function deleteBranchArguments(name: string, { force = false } = {}): string[] {
  return ['branch', force ? '-D' : '-d', '--', name];
}

/** Passes the short name, because git writes it into the merge's message. */
export function mergeArguments(ref: Ref, refs: readonly Ref[]): string[] {
  return [...kOwnIdentity, 'merge', revisionOf(ref, refs)];
}

export function rebaseArguments(ref: Ref, refs: readonly Ref[]): string[] {
  return [...kOwnIdentity, 'rebase', revisionOf(ref, refs)];
}

/** With a message, from standard input, the tag is annotated: it names its creator. */
export function createTagArguments(name: string, { hasMessage }: { hasMessage: boolean }): string[] {
  return [...kOwnIdentity, 'tag', ...(hasMessage ? ['--annotate', '--file=-'] : []), '--', name];
}

export function deleteTagArguments(name: string): string[] {
  return ['tag', '-d', '--', name];
}
