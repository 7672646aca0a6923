/**
 * Continues the operation in progress with a message that the user wrote. The message is for the next commit only. git
 * makes that commit itself, so the author, hooks and notes are right. Does not know `vscode`.
 */
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kOwnIdentity } from '../../git/environment';
import { Run } from '../../git/runGit';
import { isByPatches, kPatchMessage } from '../../model/operations';
import { readText } from '../../model/readText';
import { Operation } from '../../protocol';
import { commitArguments } from '../commit/plan';
import { operationArguments } from './plan';

export interface Continuing {
  operation: Exclude<Operation, 'bisect' | 'merge'>;
  gitDir: string;
  /** Not blank. */
  message: string;
}

export interface Continued {
  /** git continued without a failure. */
  isDone: boolean;
  /** A commit has the message. False if no commit was made, or no commit was due. */
  isUsed: boolean;
}

/** Undefined if git failed before it could continue. */
export async function continueWithMessage(run: Run, going: Continuing): Promise<Continued | undefined> {
  const { operation, gitDir, message } = going;
  if (isByPatches(operation, gitDir)) return continuePatches(run, going);
  const staged = await run({ args: ['diff', '--cached', '--name-only', '--no-renames'] });
  if (staged === undefined) return undefined;
  if (staged.stdout.length === 0) {
    // No commit is due: an editor would open for a later commit only.
    const result = await run({ args: continueArguments(operation), editor: 'keeps' });
    return { isDone: result !== undefined, isUsed: false };
  }
  if (operation === 'rebase') return continueRebase(run, going);
  // The same as --continue for a pick or a revert: a commit with the original author, then the remaining commits.
  const args = commitArguments({ options: {}, source: 'input' });
  const committed = await run({ args, input: Buffer.from(message, 'utf8') });
  if (committed === undefined) return { isDone: false, isUsed: false };
  if (!existsSync(join(gitDir, 'sequencer'))) return { isDone: true, isUsed: true };
  const rest = await run({ args: continueArguments(operation), editor: 'keeps' });
  return { isDone: rest !== undefined, isUsed: true };
}

const continueArguments = (operation: Operation) => [
  ...kOwnIdentity,
  ...(operationArguments(operation, 'continue') ?? []),
];

/** am opens no editor. It takes the message from a file of its own, unchanged. */
async function continuePatches(
  run: Run,
  { operation, gitDir, message }: Continuing,
): Promise<Continued | undefined> {
  const clean = await run({ args: ['stripspace'], input: Buffer.from(message, 'utf8'), keepsAll: true });
  if (clean === undefined) return undefined;
  await writeFile(join(gitDir, kPatchMessage), clean.stdout);
  return whileHeadMoves(run, async () => {
    const result = await run({ args: continueArguments(operation), editor: 'keeps' });
    return result !== undefined;
  });
}

/** A rebase opens the editor for the due commit first, and then for later commits to reword. */
async function continueRebase(run: Run, { gitDir, message }: Continuing): Promise<Continued> {
  const todo = (await readText(`${gitDir}/rebase-merge/git-rebase-todo`, kMaxBytes)) ?? '';
  const { text, options } = withoutComments(message, { isSquashAhead: /^s(quash)?\s/m.test(todo) });
  const folder = await mkdtemp(join(tmpdir(), 'rg-message-'));
  try {
    const file = join(folder, 'message');
    await writeFile(file, `${text}\n`);
    return await whileHeadMoves(run, async () => {
      const args = [...options, ...continueArguments('rebase')];
      const result = await run({ args, editor: { gives: file } });
      return result !== undefined;
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Limit for the rebase's todo list, in bytes. */
const kMaxBytes = 16 * 1024 * 1024;
/** Start of a line that git may take for a comment, with any comment character (core.commentChar). */
const kMaybeComment = /^(?=[^\p{L}\p{N}\s])/gmu;

/**
 * With these options git keeps all lines of the text: its own comments follow a scissors line. The comments of a later
 * squash come before that line, so they would stay in the message. In that case each such line gets a space instead.
 */
function withoutComments(
  message: string,
  { isSquashAhead }: { isSquashAhead: boolean },
): { text: string; options: readonly string[] } {
  const guarded = message.replace(kMaybeComment, ' ');
  if (guarded === message) return { text: message, options: [] };
  if (isSquashAhead) return { text: guarded, options: [] };
  return { text: message, options: ['-c', 'commit.cleanup=scissors'] };
}

async function whileHeadMoves(run: Run, goOn: () => Promise<boolean>): Promise<Continued> {
  const before = await head(run);
  const isDone = await goOn();
  const after = await head(run);
  return { isDone, isUsed: before !== undefined && after !== undefined && after !== before };
}

/** Object id of HEAD's commit, or a text that it is missing. Undefined if git failed. */
async function head(run: Run): Promise<string | undefined> {
  const args = ['cat-file', '--batch-check=%(objectname)'];
  return (await run({ args, input: Buffer.from('HEAD\n') }))?.stdout.toString('utf8');
}
