/** The text of the file that `commit.template` names, for the input box. */

const configured = (type: string, name: string) => [
  'config',
  `--type=${type}`,
  '--default',
  '',
  '--get',
  name,
];
/** git commands that ask for the template's path and for its comment lines, which are not part of a message. */
export const kTemplateQuestions = {
  path: configured('path', 'commit.template'),
  cleanup: ['config', '--default', '', '--get', 'commit.cleanup'],
  commentChar: ['config', '--default', '', '--get', 'core.commentChar'],
} as const;

/** In these modes git keeps lines that start with the comment character. */
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
