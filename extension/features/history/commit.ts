/** git commands about one commit: its changes, its message and its refs. */
import { textOf } from '../../git/outputText';
import { GitCommand } from '../../git/runGit';
import { parseTreeChanges, TreeChange } from '../../git/treeDiff';
import { relativeTo } from '../../model/repoPath';
import { RepoPath } from '../../protocol';

/** The text comes from other code: it must not be an option of git. */
export function isOid(text: unknown): text is string {
  return typeof text === 'string' && /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(text);
}

const kPlain = ['--no-walk', '--no-color', '--no-show-signature', '--encoding=UTF-8'];

/** The changes against the first parent, or against nothing. */
export function commitChangesCommand(oid: string): GitCommand {
  const compared = ['-m', '--first-parent', '--raw', '--no-abbrev', '--find-renames'];
  return {
    args: [
      '-c',
      'log.showRoot=true',
      'log',
      '-z',
      ...kPlain,
      ...compared,
      '--format=%<(100,trunc)%s%x00',
      oid,
      '--',
    ],
  };
}

export interface CommitChanges {
  subject: string;
  changes: TreeChange[];
}

export function parseCommitChanges(output: Uint8Array): CommitChanges {
  const bytes = Buffer.from(output.buffer, output.byteOffset, output.byteLength);
  const end = Math.max(0, bytes.indexOf(0));
  const first = bytes.indexOf(':', end);
  return {
    subject: textOf(bytes.subarray(0, end)).trimEnd(),
    changes: first < 0 ? [] : parseTreeChanges(bytes.subarray(first)),
  };
}

/** True if the change is below the folder; '' is the whole repository. */
export function isBelow(folder: RepoPath, { path, from = path }: TreeChange): boolean {
  return folder === '' || [path, from].some((each) => relativeTo(folder, each) !== undefined);
}

export interface CommitText {
  message: string;
  /** "HEAD -> main, tag: v1"; '': none. */
  refs: string;
}

export function commitTextCommand(oid: string): GitCommand {
  return { args: ['log', ...kPlain, '--format=%D%x00%B', oid, '--'] };
}

export function parseCommitText(output: Uint8Array): CommitText {
  const text = textOf(output);
  const end = Math.max(0, text.indexOf('\0'));
  return { refs: text.slice(0, end), message: text.slice(end + 1).trim() };
}
