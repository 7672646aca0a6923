/** How a `resident-git:` URI names a text: its query, which carries any path as ASCII. */
import { RepoPath, WorktreeRoot } from '../protocol';
import { BlobSource, Source } from './openTarget';
import { fromPercent, toPercent } from './repoPath';

export interface ContentKey {
  root: WorktreeRoot;
  path: RepoPath;
  source: Source;
}

const kSources: readonly Source[] = ['HEAD', 'index', 'stage1', 'stage2', 'stage3', 'worktree', 'nothing'];

export function formatContentQuery({ root, path, source }: ContentKey): string {
  return `source=${source}&root=${toPercent(root)}&path=${toPercent(path)}`;
}

/** Undefined where the query is not one of ours: URIs come from saved editors and other extensions too. */
export function parseContentQuery(query: string): ContentKey | undefined {
  const match = /^source=([\w:]+)&root=([^&]+)&path=([^&]+)$/.exec(query);
  const source = parseSource(match?.[1] ?? '');
  if (match?.[2] === undefined || match[3] === undefined || source === undefined) return undefined;
  return { root: fromPercent(match[2]), path: fromPercent(match[3]), source };
}

function parseSource(text: string): Source | undefined {
  return isBlob(text) ? text : kSources.find((candidate) => candidate === text);
}

/** Whether an object of git's is meant, by its id. */
export function isBlob(source: string): source is BlobSource {
  return /^blob:([0-9a-f]{40}|[0-9a-f]{64})$/.test(source);
}

/** Whether a change of its repository may make it another text; what git has by its id is the same for good. */
export function changesWith(
  { path, source }: ContentKey,
  { content, paths }: { content: boolean; paths: ReadonlySet<RepoPath> },
): boolean {
  if (isBlob(source) || source === 'nothing') return false;
  return source === 'worktree' ? paths.has(path) : content;
}
