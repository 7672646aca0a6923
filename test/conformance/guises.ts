/** The long format in user configurations: with and without advice, colours and comments. */
import type { CaseContext } from './case';
import { question } from './questions';

interface Guise {
  config: Readonly<Record<string, string>>;
  fromSubdirectory: boolean;
}

const colors = {
  'color.status': 'always',
  'color.status.header': 'blue',
  'color.status.branch': 'bold cyan',
  'color.status.noBranch': 'magenta reverse',
  'color.status.unmerged': 'yellow',
};

const guises: readonly Guise[] = [
  { config: {}, fromSubdirectory: true },
  { config: { 'advice.statusHints': 'false' }, fromSubdirectory: false },
  { config: { 'color.ui': 'always' }, fromSubdirectory: false },
  { config: { ...colors, 'status.displayCommentPrefix': 'true' }, fromSubdirectory: false },
  {
    config: {
      ...colors,
      'status.displayCommentPrefix': 'true',
      'core.commentChar': ';',
      'advice.statusHints': 'false',
    },
    fromSubdirectory: true,
  },
];

/**
 * Compares the long format with git's, in each configuration, for each of `asked` (options; by default the
 * plain question). Each of `shows` must match git's plain answer: it proves that the case reached its state.
 * A configuration for a subdirectory is asked in `directory`.
 */
export function checkLong(
  context: CaseContext,
  shows: readonly RegExp[],
  asked: readonly string[][] = [[]],
  directory?: string,
): void {
  const { repo, checkAll, subject } = context;
  const questions = asked.map((words) => question(...words));
  const said = subject.askGit(question()).stdout.toString('latin1');
  for (const wanted of shows) {
    if (!wanted.test(said))
      throw new Error(`git says nothing like ${wanted}: the case does not reach its state\n${said}`);
  }
  checkAll(questions);
  for (const { config, fromSubdirectory } of guises) {
    for (const [name, value] of Object.entries(config)) repo.config(name, value);
    if (!fromSubdirectory) checkAll(questions);
    else if (directory !== undefined) checkAll(questions, directory);
    for (const name of Object.keys(config)) repo.git('config', '--unset', name);
  }
}
