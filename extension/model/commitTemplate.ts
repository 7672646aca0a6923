/** What `commit.template` names, as it stands in the input box. */

const configured = (type: string, name: string) => [
  'config',
  `--type=${type}`,
  '--default',
  '',
  '--get',
  name,
];
/** What git is asked: where it is, and, where there is one, what of it is no part of a message. */
export const kTemplateQuestions = {
  path: configured('path', 'commit.template'),
  cleanup: ['config', '--default', '', '--get', 'commit.cleanup'],
  commentChar: ['config', '--default', '', '--get', 'core.commentChar'],
} as const;

/** With any of these git leaves lines that start with the comment character in the message. */
const kKeepsComments: ReadonlySet<string> = new Set(['verbatim', 'whitespace', 'scissors']);

export function templateText(
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
