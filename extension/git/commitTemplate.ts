/** Reads the template of commit messages. Does not know `vscode`. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { kTemplateQuestions, templateText } from '../model/commitTemplate';
import { GitCommand, GitResult } from './runGit';

/** Undefined where git failed. */
export type Ask = (command: GitCommand) => Promise<Pick<GitResult, 'stdout'> | undefined>;

/** A message is no longer than this, nor is what is put into the input box. */
const kMostBytes = 64 * 1024;

/** '' where there is none, or it cannot be read: git says so itself when it is asked to commit. */
export async function readCommitTemplate(ask: Ask, root: string): Promise<string> {
  const answer = async (args: readonly string[]) =>
    (await ask({ args }))?.stdout.toString('utf8').replace(/\n$/, '') ?? '';
  const path = await answer(kTemplateQuestions.path);
  if (path === '') return '';
  let text: string;
  try {
    text = await readFile(resolve(root, path), 'utf8');
  } catch {
    return '';
  }
  if (text.length > kMostBytes) return '';
  const cleanup = await answer(kTemplateQuestions.cleanup);
  return templateText(text, { cleanup, commentChar: await answer(kTemplateQuestions.commentChar) });
}

/** One at a time: many repositories that are opened at once are no storm of gits. */
export class InTurn {
  private last: Promise<unknown> = Promise.resolve();

  run<T>(task: () => Promise<T>): Promise<T> {
    const next = this.last.then(task, task);
    this.last = next.catch(() => undefined);
    return next;
  }
}
