/** Reads the template of commit messages. Does not know `vscode`. */
import { resolve } from 'node:path';
import { kTemplateQuestions, templateText } from '../model/commitTemplate';
import { readText } from '../model/readText';
import { GitCommand, GitResult } from './runGit';

/** What is put into the input box is no longer than this. */
const kMostBytes = 64 * 1024;

/** Undefined where git failed. */
export type Ask = (command: GitCommand) => Promise<Pick<GitResult, 'stdout'> | undefined>;

/** '' where there is none, or it cannot be read: git says so itself when it is asked to commit. */
export async function readCommitTemplate(ask: Ask, root: string): Promise<string> {
  const answer = async (args: readonly string[]) =>
    (await ask({ args }))?.stdout.toString('utf8').replace(/\n$/, '') ?? '';
  const path = await answer(kTemplateQuestions.path);
  if (path === '') return '';
  const text = await readText(resolve(root, path), kMostBytes);
  if (text === undefined) return '';
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
