/** What git is asked for to check out, make, rename, delete, merge and rebase branches, and to make and delete tags. */
import { kOwnIdentity } from './commitPlan';
import { Ref, revisionOf } from './refs';

/** A branch. git makes none that begins with a dash, but can have fetched one, and `checkout -f` discards everything. */
export function checkoutBranchArguments(name: string): string[] {
  return name.startsWith('-')
    ? ['switch', '--quiet', '--no-guess', '--', name]
    : ['checkout', '--quiet', name, '--'];
}

/** A new branch of that name, with that upstream. */
export function checkoutRemoteArguments({ full }: Ref): string[] {
  return ['checkout', '--quiet', '--track', full];
}

/** What it leads to, without a branch. */
export function checkoutDetachedArguments({ full }: Ref): string[] {
  return ['checkout', '--quiet', '--detach', full, '--'];
}

/** From HEAD, or from what another leads to; that is no upstream. */
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

/** The message names what is merged. */
export function mergeArguments(ref: Ref, refs: readonly Ref[]): string[] {
  return [...kOwnIdentity, 'merge', revisionOf(ref, refs)];
}

export function rebaseArguments(ref: Ref, refs: readonly Ref[]): string[] {
  return [...kOwnIdentity, 'rebase', revisionOf(ref, refs)];
}

/** With a message, which is the standard input, one that tells who made it. */
export function createTagArguments(name: string, { hasMessage }: { hasMessage: boolean }): string[] {
  return [...kOwnIdentity, 'tag', ...(hasMessage ? ['--annotate', '--file=-'] : []), '--', name];
}

export function deleteTagArguments(name: string): string[] {
  return ['tag', '-d', '--', name];
}
