/** Reads the template of commit messages. Does not know `vscode`. */
import { resolve } from 'node:path';
import { kTemplateQuestions, templateText } from '../model/commitTemplate';
import { readText } from '../model/readText';
import { GitCommand, GitResult } from './runGit';

/** Limit for the text in the input box, in bytes. */
const kMostBytes = 64 * 1024;

/** Undefined if git failed. */
export type Ask = (command: GitCommand) => Promise<Pick<GitResult, 'stdout'> | undefined>;

/** '' if no template is set, or it cannot be read: `git commit` itself reports that. */
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

/** Runs one task at a time, so that opening many repositories does not start many gits at once. */
export class InTurn {
  private last: Promise<unknown> = Promise.resolve();

  run<T>(task: () => Promise<T>): Promise<T> {
    const next = this.last.then(task, task);
    this.last = next.catch(() => undefined);
    return next;
  }
}
