/**
 * Goes on with what git is in the middle of, with a message that a person wrote: for the commit that is next, and for no
 * later one. git makes that commit itself, so that its author, hooks and notes are git's own. Does not know `vscode`.
 */
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commitArguments, kOwnIdentity } from '../model/commitPlan';
import { kPatchMessage, operationArguments } from '../model/operations';
import { readText } from '../model/readText';
import { Operation } from '../protocol';
import { Run } from './changeOperations';

export interface Continuing {
  operation: Exclude<Operation, 'bisect' | 'merge'>;
  gitDir: string;
  /** Not blank. */
  message: string;
}

export interface Continued {
  /** git has gone on without a failure. */
  isDone: boolean;
  /** A commit has the message. False where none came about, or none was due. */
  isUsed: boolean;
}

/** am, or a rebase that works like it: only it knows the author of the commit that is next, and a plain commit does not. */
export function isByPatches(operation: Operation | undefined, gitDir: string | undefined): boolean {
  if (operation === 'am') return true;
  return operation === 'rebase' && gitDir !== undefined && existsSync(join(gitDir, 'rebase-apply'));
}

/** Undefined where git failed before. */
export async function continueWithMessage(run: Run, going: Continuing): Promise<Continued | undefined> {
  const { operation, gitDir, message } = going;
  if (isByPatches(operation, gitDir)) return continuePatches(run, going);
  const staged = await run({ args: ['diff', '--cached', '--name-only', '--no-renames'] });
  if (staged === undefined) return undefined;
  if (staged.stdout.length === 0) {
    // No commit is due, and an editor would be one for a later commit.
    const result = await run({ args: continueArguments(operation), editor: 'keeps' });
    return { isDone: result !== undefined, isUsed: false };
  }
  if (operation === 'rebase') return continueRebase(run, going);
  // What --continue does of a pick or a revert: a commit, with the author of what is picked, and then the rest.
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

/** am asks no editor: it takes the message from a file of its own, as it stands. */
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

/** A rebase opens the editor for the commit that is due first, and then for later ones that are to be reworded. */
async function continueRebase(run: Run, { gitDir, message }: Continuing): Promise<Continued> {
  const todo = (await readText(`${gitDir}/rebase-merge/git-rebase-todo`, kMostBytes)) ?? '';
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

/** Of a list of what a rebase has still to do. */
const kMostBytes = 16 * 1024 * 1024;
/** A line that git may take for a comment, whatever those begin with (core.commentChar). */
const kMaybeComment = /^(?=[^\p{L}\p{N}\s])/gmu;

/**
 * With these options git takes no line of the text for a comment: it marks where its own begin. But those of a later squash
 * stand before that mark, and would stay.
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

/** Which commit HEAD is, or that it is none yet; undefined where it cannot be told. */
async function head(run: Run): Promise<string | undefined> {
  const args = ['cat-file', '--batch-check=%(objectname)'];
  return (await run({ args, input: Buffer.from('HEAD\n') }))?.stdout.toString('utf8');
}
