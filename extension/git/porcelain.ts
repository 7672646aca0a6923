/**
 * Parses the output of `git status --porcelain=v2 -z` (git's Documentation/git-status.txt, "Porcelain Format Version
 * 2").
 */
import { RepoPath, StatusEntry, StatusLetter } from '../protocol';
import { nulRecords } from './nulRecords';

/** Number of spaces before the path, by the kind of the line. */
const kFields: Readonly<Record<string, number>> = { '1': 8, '2': 9, u: 10, '?': 1 };

interface Line {
  words: readonly string[];
  path: RepoPath;
  from: RepoPath | undefined;
}

/** The entries in order. Skips lines of other kinds (headers, ignored files). */
export function parsePorcelain(output: Uint8Array): StatusEntry[] {
  return Array.from(linesOf(output), entryOf);
}

function* linesOf(output: Uint8Array): Generator<Line> {
  const next = nulRecords(output);
  for (let record = next(); record !== undefined; record = next()) {
    const fields = kFields[record[0] ?? ''];
    if (fields === undefined) continue;
    const words = record.split(' ', fields);
    const path = record.slice(words.join(' ').length + 1);
    yield { words, path, from: record.startsWith('2') ? next() : undefined };
  }
}

function entryOf({ words, path, from }: Line): StatusEntry {
  const [kind, letters = '..', submodule = 'N...'] = words;
  if (kind === '?') return { kind: 'untracked', path };
  const inner = submodule.startsWith('S') ? { submodule } : {};
  if (kind === 'u') {
    return { kind: 'unmerged', path, conflict: letters as 'UU', ...inner };
  }
  const [index, worktree] = [letters[0] as StatusLetter, letters[1] as StatusLetter];
  const score = Number(words[8]?.slice(1));
  const move = from === undefined ? {} : { from, score };
  return { kind: 'changed', path, index, worktree, ...move, ...inner };
}
