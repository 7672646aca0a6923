/**
 * A cached history with two branches far apart. Three repositories share the same pack; two have files of git
 * that speed up its answers.
 */
import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../../support/run';

export const aids = ['a commit-graph', 'bitmaps', 'neither'] as const;
export type Aid = (typeof aids)[number];

const folders: Record<Aid, string> = { 'a commit-graph': 'graph', bitmaps: 'bitmaps', neither: 'plain' };

interface Size {
  /** Commits of both branches, of main only, of the other only; multiples of ten. */
  shared: number;
  ahead: number;
  behind: number;
}

const sizes = {
  small: { shared: 100, ahead: 100, behind: 1000 },
  large: { shared: 1000, ahead: 10_000, behind: 100_000 },
} satisfies Record<string, Size>;

export type HistoryName = keyof typeof sizes;

export interface History extends Size {
  otherBranch: string;
  worktrees: Record<Aid, string>;
}

/** Increase it when the history of a size changes. */
const version = 1;
const otherBranch = 'other';
const firstSecond = 1_600_000_000;
const groupSize = 10;

/** Input of `git fast-import`: groups of ten commits; the last one merges a side branch of one commit. */
class Stream {
  private readonly parts: string[] = [];
  private marks = 0;
  private tags = 0;

  get text(): string {
    return this.parts.join('');
  }

  /** `from`: a mark, or 0. Returns the last commit's mark. */
  commits(branch: string, count: number, from: number, annotated: boolean): number {
    let tip = from;
    for (let i = 0; i < count; i += groupSize) {
      const group: number[] = [];
      for (let n = 1; n < groupSize - 1; n += 1) group.push((tip = this.commit(branch, [tip])));
      const side = this.commit(branch, [group[4] ?? 0]);
      tip = this.commit(branch, [tip, side]);
      this.tag(tip, annotated);
    }
    return tip;
  }

  private commit(branch: string, parents: readonly number[]): number {
    this.marks += 1;
    const mark = this.marks;
    const content = `Commit ${mark}\n`.repeat(12);
    const [from = 0, merged] = parents;
    this.parts.push(
      `commit refs/heads/${branch}\nmark :${mark}\n`,
      `committer A U Thor <author@example.com> ${firstSecond + 60 * mark} +0000\ndata 0\n`,
      from === 0 ? '' : `from :${from}\n`,
      merged === undefined ? '' : `merge :${merged}\n`,
      `M 100644 inline d${mark % 50}/f${mark % 5}\ndata ${content.length}\n${content}\n`,
    );
    return mark;
  }

  private tag(mark: number, annotated: boolean): void {
    this.tags += 1;
    const name = `${annotated ? 'v' : 'build-'}${this.tags}`;
    const tagger = `tagger A U Thor <author@example.com> ${firstSecond + 60 * mark} +0000`;
    this.parts.push(
      annotated
        ? `tag ${name}\nfrom :${mark}\n${tagger}\ndata 0\n`
        : `reset refs/tags/${name}\nfrom :${mark}\n\n`,
    );
  }
}

function streamOf({ shared, ahead, behind }: Size): string {
  const stream = new Stream();
  const base = stream.commits('main', shared, 0, true);
  stream.commits(otherBranch, behind, base, true);
  // Without annotated tags: describe must search down to the branching point.
  stream.commits('main', ahead, base, false);
  return stream.text;
}

function make(folder: string, size: Size, env: NodeJS.ProcessEnv): void {
  const git = (name: string, args: string[], input = ''): void => {
    const cwd = join(folder, name);
    const said = run('git', args, { cwd, env, input: Buffer.from(input), timeoutMs: 30 * 60_000 });
    assert.equal(said.code, 0, `git ${args.join(' ')}: ${said.stderr.toString('utf8')}`);
  };
  mkdirSync(join(folder, 'bitmaps'), { recursive: true });
  git('bitmaps', ['init', '-q']);
  git('bitmaps', ['symbolic-ref', 'HEAD', 'refs/heads/main']);
  git('bitmaps', ['config', 'gc.auto', '0']);
  git('bitmaps', ['-c', 'fastimport.unpackLimit=0', 'fast-import', '--quiet'], streamOf(size));
  git('bitmaps', ['pack-refs', '--all']);
  git('bitmaps', ['-c', 'pack.writeReverseIndex=true', 'repack', '-qadb']);
  for (const name of [folders['a commit-graph'], folders.neither]) {
    cpSync(join(folder, folders.bitmaps), join(folder, name), { recursive: true });
    const packs = join(folder, name, '.git/objects/pack');
    for (const file of readdirSync(packs)) if (file.endsWith('.bitmap')) rmSync(join(packs, file));
  }
  git(folders['a commit-graph'], ['commit-graph', 'write', '--reachable']);
}

/** Makes the history in `cache`, unless it exists. */
export function historyIn(cache: string, name: HistoryName, env: NodeJS.ProcessEnv): History {
  const size = sizes[name];
  const folder = join(cache, `history-${name}-${version}`);
  if (!existsSync(join(folder, 'complete'))) {
    const made = `${folder}.new`;
    for (const path of [folder, made]) rmSync(path, { recursive: true, force: true });
    make(made, size, env);
    renameSync(made, folder);
    writeFileSync(join(folder, 'complete'), '');
  }
  const worktrees = Object.fromEntries(aids.map((aid) => [aid, join(folder, folders[aid])])) as Record<
    Aid,
    string
  >;
  return { ...size, otherBranch, worktrees };
}
