/**
 * Runs git's own tests with git-resident as file system monitor. A case must give the same result as without.
 *
 *     npx tsx test/conformance/git-suite/monitor.ts --git-source DIR [--jobs N] [t7508 ...]
 *
 * The hook in GIT_TEST_FSMONITOR starts a `git-resident serve` for each worktree that git asks about. Without
 * names, every script with a `git status` runs. The case numbers below belong to git 2.55.
 */
import { availableParallelism } from 'node:os';
import { residentBinary } from '../../support/binary';
import { runSuite, suiteFile, suitesAskingForStatus } from './suite';
import type { TestCase } from './tap';

/**
 * Known differences. Some cases read the untracked cache or count its work, and a monitor reports more than
 * the changes. Another case also fails with the hook in git's own tests (t7519/).
 */
const kNamed: Record<string, readonly number[]> = {
  't7063-status-untracked-cache.sh': [15, 17, 20, 21, 22, 33, 34, 36, 37, 38, 43, 47],
  't7001-mv.sh': [1],
};

interface Options {
  gitSource: string;
  jobs: number;
  names: string[];
}

function parse(argv: string[]): Options {
  const options: Options = { gitSource: '', jobs: availableParallelism() + 1, names: [] };
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i] ?? '';
    if (word === '--git-source') options.gitSource = argv[++i] ?? '';
    else if (word === '--jobs') options.jobs = Number(argv[++i]);
    else options.names.push(word);
  }
  if (options.gitSource === '') throw new Error('--git-source wants a directory');
  return options;
}

/**
 * True if the case passes alone, but not with a monitor. Cases that are skipped or broken alone do not count.
 */
function differs(alone: TestCase, monitored: TestCase | undefined): boolean {
  return alone.outcome === 'ok' && monitored?.outcome !== 'ok';
}

interface Told {
  cases: number;
  answers: number;
  lines: string[];
}

async function compare(file: string, gitSource: string): Promise<Told> {
  const alone = await runSuite(file, { gitSource });
  const monitored = await runSuite(file, { gitSource, monitor: residentBinary() });
  const passed = alone.report.cases.filter(({ outcome }) => outcome === 'ok');
  const named = kNamed[file] ?? [];
  const other = passed.filter(
    (one) => !named.includes(one.number) && differs(one, monitored.report.cases[one.number - 1]),
  );
  const lines = other.map(({ number, title }) => `${file} ${number}: ${title}`);
  if (alone.report.complete && !monitored.report.complete) lines.push(`${file}: it did not come to its end`);
  return { cases: passed.length, answers: monitored.hookAnswers, lines };
}

async function main(): Promise<void> {
  const { gitSource, jobs, names } = parse(process.argv.slice(2));
  const files =
    names.length > 0 ? names.map((name) => suiteFile(gitSource, name)) : suitesAskingForStatus(gitSource);
  const waiting = [...files];
  const total: Told = { cases: 0, answers: 0, lines: [] };
  const work = async () => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
      const { cases, answers, lines } = await compare(file, gitSource);
      total.cases += cases;
      total.answers += answers;
      total.lines.push(...lines);
      console.log(
        [`${file}: ${cases} cases, ${answers} answers, ${lines.length} differ`, ...lines].join('\n  '),
      );
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  console.log(
    `${files.length} scripts, ${total.cases} cases that pass without a monitor, ${total.answers} answers of it, ` +
      `${total.lines.length} cases differ`,
  );
  process.exitCode = total.lines.length > 0 ? 1 : 0;
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 2;
});
