/** Parses the output of `git diff-tree -r -z` (git's Documentation/diff-format.txt, "Raw output format"). */
import { nulRecords } from './nulRecords';
import { RepoPath } from '../protocol';

export interface TreeChange {
  path: RepoPath;
  /** Source of a rename or copy. */
  from?: RepoPath;
  /** The blob of each side; undefined: no such file, or a submodule. */
  left: string | undefined;
  right: string | undefined;
}

/** In git's order. */
export function parseTreeChanges(output: Uint8Array): TreeChange[] {
  const changes: TreeChange[] = [];
  const next = nulRecords(output);
  for (let record = next(); record !== undefined; record = next()) {
    const [leftMode, rightMode, leftOid, rightOid, letter] =
      /^:(\S+) (\S+) (\S+) (\S+) (\w)/.exec(record)?.slice(1) ?? [];
    const first = next();
    const second = letter === 'R' || letter === 'C' ? next() : undefined;
    if (first === undefined) break;
    changes.push({
      path: second ?? first,
      ...(second !== undefined && { from: first }),
      left: blobOf(leftMode, leftOid),
      right: blobOf(rightMode, rightOid),
    });
  }
  return changes;
}

function blobOf(mode: string | undefined, oid: string | undefined): string | undefined {
  return mode?.startsWith('1') === true && mode !== '160000' ? oid : undefined;
}
