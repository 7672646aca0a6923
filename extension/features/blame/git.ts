/** The git commands of blame, and a run of `git blame` whose lines arrive one after another. Does not know `vscode`. */
import { BackgroundRun, GitCommand, GitResult } from '../../git/runGit';
import { textOf } from '../../git/outputText';
import { RepoPath } from '../../protocol';
import { BlameRange, IncrementalParser } from './incremental';
import { kMaxBytes, kMaxLines } from './plan';

/** One version of a file. `path`: in this commit. */
export interface BlameQuestion {
  commit: string;
  path: RepoPath;
  ignoreWhitespace: boolean;
}

/**
 * Config and mailmap stay in force. Not `textconv`: the editor shows the bytes of the file, and the lines of another
 * text would not fit.
 */
export function blameCommand({ commit, path, ignoreWhitespace }: BlameQuestion): GitCommand {
  const options = ['--incremental', '--no-textconv', '--encoding=UTF-8', ...(ignoreWhitespace ? ['-w'] : [])];
  return { args: ['--no-optional-locks', 'blame', ...options, commit, '--', path] };
}

export function textCommand({ commit, path }: BlameQuestion): GitCommand {
  return { args: ['cat-file', 'blob', `${commit}:${path}`] };
}

export type BlameEnd = 'complete' | 'absent' | 'tooLarge' | { failed: string };

export interface BlameSink {
  text: (bytes: Buffer) => void;
  /** Called once for each arrived piece of git's output. */
  ranges: (ranges: BlameRange[]) => void;
}

/** Reads the committed text and its blame at the same time. Rejects if git cannot be started. */
export async function runBlame(
  run: BackgroundRun,
  root: string,
  question: BlameQuestion,
  sink: BlameSink,
  signal: AbortSignal,
): Promise<BlameEnd> {
  const own = new AbortController();
  const either = AbortSignal.any([signal, own.signal]);
  const ends: BlameEnd[] = [];
  const giveUp = (how: BlameEnd) => {
    ends.push(how);
    own.abort();
  };
  let [size, ranges]: [number, BlameRange[]] = [0, []];
  const parser = new IncrementalParser(kMaxBytes, (range) => ranges.push(range));
  const parse = (action: () => void) => {
    try {
      action();
    } catch (error) {
      giveUp({ failed: String(error) });
    }
    if (ranges.length > 0) sink.ranges(ranges);
    ranges = [];
  };
  const text = async () => {
    const chunks: Buffer[] = [];
    const onOutput = (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size > kMaxBytes) giveUp('tooLarge');
    };
    const result = await run(root, { ...textCommand(question), onOutput }, either);
    if (either.aborted) return;
    const bytes = Buffer.concat(chunks);
    if (result?.code !== 0) giveUp('absent');
    else if (isTooLong(bytes)) giveUp('tooLarge');
    else sink.text(bytes);
  };
  const onOutput = (chunk: Buffer) => {
    if (ends.length === 0) parse(() => parser.push(chunk));
  };
  const [result] = await Promise.all([
    run(root, { ...blameCommand(question), onOutput }, either),
    text().catch((error: unknown) => giveUp({ failed: String(error) })),
  ]);
  if (ends.length === 0) {
    if (result?.code === 0) parse(() => parser.end());
    else giveUp({ failed: reasonOf(result) });
  }
  return ends[0] ?? 'complete';
}

function isTooLong(bytes: Buffer): boolean {
  let lines = 0;
  for (let at = bytes.indexOf('\n'); at >= 0; at = bytes.indexOf('\n', at + 1))
    if (++lines > kMaxLines) return true;
  return false;
}

/** git's reason in one line. */
function reasonOf(result: GitResult | undefined): string {
  const lines = textOf(result?.stderr ?? new Uint8Array()).split('\n');
  return lines.find((line) => line.startsWith('fatal: ')) ?? lines[0] ?? '';
}

/** The whole message of a commit. */
export function messageCommand(hash: string): GitCommand {
  const options = ['--no-walk', '--no-show-signature', '--encoding=UTF-8', '--format=%B'];
  return { args: ['log', ...options, hash, '--'], keeps: 1 << 16 };
}

export const kRemotesCommand: GitCommand = { args: ['remote', '-v'] };

/** The URL of the remote that is most likely the home of the commits: of `preferred`, else of origin. */
export function parseRemote(output: Uint8Array, preferred: string | undefined): string | undefined {
  const urls = new Map<string, string>();
  for (const line of textOf(output).split('\n')) {
    const [, name, url] = /^(\S+)\t(.*) \(fetch\)(?: \[.*\])?$/.exec(line) ?? [];
    if (name !== undefined && url !== undefined) urls.set(name, url);
  }
  return urls.get(preferred ?? '') ?? urls.get('origin') ?? urls.values().next().value;
}
