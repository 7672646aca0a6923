/** Histories for tests, and a reader that runs the git on PATH. */
import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import {
  GitHistoryReader,
  HistoryReader,
  PageEnd,
} from '../../../../extension/features/history/HistoryReader';
import { HistoryCommit, Subject } from '../../../../extension/features/history/plan';
import { GitCommand, runGit } from '../../../../extension/git/runGit';
import type { Repository } from '../../../support/repository';

/** Reads by the git on PATH. `note` gets each command. */
export function readerOf(
  { sandbox }: Repository,
  note: (command: GitCommand) => void = () => {},
): HistoryReader {
  return new GitHistoryReader((root, command, signal) => {
    note(command);
    return runGit({ path: 'git', env: sandbox.env }, root, command, signal);
  });
}

export function subjectOf({ root }: Repository, path: string, more: Partial<Subject> = {}): Subject {
  return { root, path, committed: path, kind: 'file', start: 'HEAD', ...more };
}

/** All commits, by pages of `count`. */
export async function readAll(reader: HistoryReader, subject: Subject, count = 50): Promise<HistoryCommit[]> {
  const all: HistoryCommit[] = [];
  for (let end: PageEnd = 'full'; end === 'full';) {
    const page = { skipped: all.length, after: all.at(-1)?.oid, count };
    const before = all.length;
    end = await reader.read(subject, page, (commits) => all.push(...commits), new AbortController().signal);
    assert.ok(end === 'full' || end === 'end', JSON.stringify(end));
    if (end === 'full') assert.equal(all.length, before + count);
  }
  return all;
}

/** Numbers below `limit`, the same for each run with this seed (mulberry32). */
export function random(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
}

const kNames = ['a', 'b', 'dir/a', 'dir/sub/c', 'dir/two words', 'd"quoted"', "it's"];

/**
 * Imports a history with edits, renames, deletions, merges and several roots. Returns all paths that any commit has.
 */
export function importRandom(repository: Repository, seed: number, commits: number): string[] {
  const below = random(seed);
  const trees: Map<string, string[]>[] = [];
  const used = new Set<string>();
  const stream: string[] = [];
  const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`;
  const quoted = (path: string) => `"${path.replaceAll('"', '\\"')}"`;
  for (let n = 0; n < commits; n++) {
    const parents = n === 0 || below(40) === 0 ? [] : [n - 1 - below(Math.min(n, 3))];
    if (parents.length > 0 && n > 3 && below(4) === 0) {
      const other = n - 1 - below(Math.min(n, 6));
      if (other !== parents[0]) parents.push(other);
    }
    const [first] = parents;
    const tree = new Map(first === undefined ? [] : trees[first]);
    const actions: string[] = [];
    const write = (path: string, lines: string[]) => {
      // A name cannot be both a file and a folder.
      tree.set(path, lines);
      used.add(path);
      actions.push(`M 100644 inline ${quoted(path)}\n${data(`${lines.join('\n')}\n`)}`);
    };
    if (parents.length > 1) {
      for (const [path, lines] of trees[parents[1] ?? 0] ?? []) if (below(2) === 0) write(path, lines);
    }
    for (let change = below(3); change >= 0; change--) {
      const paths = [...tree.keys()];
      const path = paths[below(paths.length || 1)];
      const free = kNames.filter((name) => !tree.has(name));
      const kind = below(10);
      const name = free[below(free.length || 1)];
      if (path === undefined || (kind === 0 && name !== undefined)) {
        write(
          name ?? 'a',
          Array.from({ length: 12 }, (_, i) => `${below(1000)} of line ${i}`),
        );
      } else if (kind < 3 && name !== undefined) {
        const lines = tree.get(path) ?? [];
        tree.delete(path);
        actions.push(`D ${quoted(path)}\n`);
        write(name, kind === 1 ? lines : lines.map((line, i) => (i === 2 ? `${line}!` : line)));
      } else if (kind === 3) {
        tree.delete(path);
        actions.push(`D ${quoted(path)}\n`);
      } else {
        const lines = [...(tree.get(path) ?? [])];
        const at = below(lines.length + 1);
        if (below(3) === 0) lines.splice(at, 0, `inserted ${n}`);
        else lines[at] = `changed ${n}`;
        write(path, lines);
      }
    }
    trees.push(tree);
    stream.push(
      `commit refs/heads/line${n}\nmark :${n + 1}\n`,
      `author Ada Author <ada@example.com> ${1700000000 + n * 60} +0000\n`,
      `committer Ada Author <ada@example.com> ${1700000000 + n * 60} +0000\n`,
      data(`commit ${n}`),
      ...parents.map((parent, i) => `${i === 0 ? 'from' : 'merge'} :${parent + 1}\n`),
      ...actions,
      '\n',
    );
  }
  stream.push(`reset refs/heads/main\nfrom :${commits}\n\n`);
  const { status, stderr } = spawnSync('git', ['fast-import', '--quiet', '--force'], {
    cwd: repository.root,
    env: repository.sandbox.env,
    input: stream.join(''),
  });
  assert.equal(status, 0, stderr.toString());
  return [...used].sort();
}
