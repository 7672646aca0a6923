/** The query of a `resident-git:` URI: it names a text, and carries any path as ASCII. */
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

/** Undefined: not our query. URIs also come from saved editors and other extensions. */
export function parseContentQuery(query: string): ContentKey | undefined {
  const match = /^source=([\w:]+)&root=([^&]+)&path=([^&]+)$/.exec(query);
  const source = parseSource(match?.[1] ?? '');
  if (match?.[2] === undefined || match[3] === undefined || source === undefined) return undefined;
  return { root: fromPercent(match[2]), path: fromPercent(match[3]), source };
}

function parseSource(text: string): Source | undefined {
  return isBlob(text) ? text : kSources.find((candidate) => candidate === text);
}

/** True if `source` is a git object, named by its id. */
export function isBlob(source: string): source is BlobSource {
  return /^blob:([0-9a-f]{40}|[0-9a-f]{64})$/.test(source);
}

/** True if a change of the repository may change the text. A text that is named by its object id never changes. */
export function changesWith(
  { path, source }: ContentKey,
  { content, paths }: { content: boolean; paths: ReadonlySet<RepoPath> },
): boolean {
  if (isBlob(source) || source === 'nothing') return false;
  return source === 'worktree' ? paths.has(path) : content;
}
