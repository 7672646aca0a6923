/** Reads the template of commit messages, the file that `commit.template` names. Does not know `vscode`. */
import { resolve } from 'node:path';
import { GitCommand, GitResult } from '../../git/runGit';
import { readText } from '../../model/readText';

const configured = (type: string, name: string) => [
  'config',
  `--type=${type}`,
  '--default',
  '',
  '--get',
  name,
];
/** git commands that ask for the template's path and for its comment lines, which are not part of a message. */
const kTemplateQuestions = {
  path: configured('path', 'commit.template'),
  cleanup: ['config', '--default', '', '--get', 'commit.cleanup'],
  commentChar: ['config', '--default', '', '--get', 'core.commentChar'],
} as const;

/** In these modes git keeps lines that start with the comment character. */
const kKeepsComments: ReadonlySet<string> = new Set(['verbatim', 'whitespace', 'scissors']);

function templateText(
  text: string,
  { cleanup, commentChar }: { cleanup: string; commentChar: string },
): string {
  if (kKeepsComments.has(cleanup)) return text.trimEnd();
  const start = commentChar === '' || commentChar === 'auto' ? '#' : commentChar;
  return text
    .split('\n')
    .filter((line) => !line.startsWith(start))
    .join('\n')
    .trimEnd();
}

/** Limit for the text in the input box, in bytes. */
const kMaxBytes = 64 * 1024;

/** Undefined if git failed. */
export type Ask = (command: GitCommand) => Promise<Pick<GitResult, 'stdout'> | undefined>;

/** '' if no template is set, or it cannot be read: `git commit` itself reports that. */
export async function readCommitTemplate(ask: Ask, root: string): Promise<string> {
  const answer = async (args: readonly string[]) =>
    (await ask({ args }))?.stdout.toString('utf8').replace(/\n$/, '') ?? '';
  const path = await answer(kTemplateQuestions.path);
  if (path === '') return '';
  const text = await readText(resolve(root, path), kMaxBytes);
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
