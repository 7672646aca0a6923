/**
 * Runs git's own tests with `git status` answered by git-resident; see README.md.
 *
 *     npx tsx test/conformance/git-suite/run.ts --git-source DIR [--source scan|resident|both] [t7508 ...]
 *     npx tsx test/conformance/git-suite/run.ts --git-source DIR --compare [t7508 ...]
 *     npx tsx test/conformance/git-suite/run.ts --git-source DIR --wrong [t7508 ...]
 *
 * Exits with 1 if a case differs from git without a reason, or has a reason and does not differ.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { residentBinary } from '../../support/binary';
import { expectedDifferences } from './expected';
import { type Answerer, runSuite, suiteFile, suitesAskingForStatus } from './suite';
import { type Report, sum, total } from './tap';
import { compareReports, expectedFor, type Sight, sightOf, type Verdict } from './verdict';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'git-source': { type: 'string' },
    source: { type: 'string', default: 'both' },
    /** Checks which cases detect deliberately wrong programs. */
    wrong: { type: 'boolean', default: false },
    /** Compares each answer instead of each case. */
    compare: { type: 'boolean', default: false },
    /** A file with cached results of git itself. */
    baseline: { type: 'string' },
    jobs: { type: 'string', default: '1' },
    keep: { type: 'boolean', default: false },
    /** An argument for the scripts: --argument=--verbose. */
    argument: { type: 'string', multiple: true, default: [] },
  },
});

type AnswerSource = 'scan' | 'resident';

function sources(): AnswerSource[] {
  if (values.source === 'both') return ['scan', 'resident'];
  if (values.source === 'scan' || values.source === 'resident') return [values.source];
  throw new Error(`--source: scan, resident or both, not ${values.source}`);
}

function gitSource(): string {
  const directory = values['git-source'];
  if (directory === undefined) throw new Error("name the directory of git's source: --git-source DIR");
  if (!existsSync(join(directory, 't/helper/test-tool')))
    throw new Error(`${directory}: git is not built there`);
  return resolve(directory);
}

/** Results of git itself, computed once per script. */
class Baselines {
  private readonly known = new Map<string, Report>();

  constructor(
    private readonly directory: string,
    private readonly file: string | undefined,
  ) {
    if (file === undefined || !existsSync(file)) return;
    const saved = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Report>;
    for (const [suite, report] of Object.entries(saved)) this.known.set(suite, report);
  }

  async of(suite: string): Promise<Report> {
    const known = this.known.get(suite);
    if (known) return known;
    const { report } = await runSuite(suite, { gitSource: this.directory });
    this.known.set(suite, report);
    if (this.file !== undefined) writeFileSync(this.file, JSON.stringify(Object.fromEntries(this.known)));
    return report;
  }
}

function answeredBy(directory: string, suite: string, answerer: Answerer): ReturnType<typeof runSuite> {
  return runSuite(suite, {
    gitSource: directory,
    answerer,
    arguments: values.argument,
    keep: values.keep,
  });
}

interface Judged {
  suite: string;
  source: AnswerSource;
  report: Report;
  verdict: Verdict;
}

async function judge(directory: string, baselines: Baselines, suite: string): Promise<Judged[]> {
  const baseline = await baselines.of(suite);
  if (baseline.skipped !== undefined) {
    console.log(`${suite}: git skips it: ${baseline.skipped}`);
    return [];
  }
  const judged: Judged[] = [];
  for (const source of sources()) {
    const mode = values.compare ? ('compare' as const) : ('answer' as const);
    const answerer = { program: residentBinary(), source, mode };
    const { report, differences, kept } = await answeredBy(directory, suite, answerer);
    // If git answers, its own result is the only expected result.
    const expected = values.compare ? [] : expectedFor(expectedDifferences, suite, source);
    const verdict = compareReports(baseline, report, expected);
    judged.push({ suite, source, report, verdict });
    showVerdict(suite, source, verdict, report.served);
    if (differences !== '') console.log(differences.replace(/^/gm, '    '));
    if (kept !== undefined) console.log(`    kept: ${kept}`);
  }
  return judged;
}

function showVerdict(suite: string, source: string, verdict: Verdict, served: number): void {
  const { native, delegated, refused, untranslated, differs } = verdict.asked;
  const extra = [
    untranslated && `${untranslated} untranslated`,
    served && `${served} servers`,
    differs && `${differs} DIFFER`,
  ].filter(Boolean);
  const answers = [`${native} native`, `${delegated} by git`, `${refused} refused`, ...extra].join(', ');
  const reasons = verdict.differences.length - verdict.problems.length;
  const named = reasons > 0 ? ` (${reasons} named)` : '';
  console.log(
    `${suite} ${source}: ${verdict.passed} of ${verdict.asking} asking cases pass${named}; ${answers}`,
  );
  for (const problem of verdict.problems) console.log(`    ${problem}`);
}

async function tellSight(directory: string, baselines: Baselines, suite: string): Promise<Sight[]> {
  const baseline = await baselines.of(suite);
  if (baseline.skipped !== undefined) return [];
  const reports = new Map<string, Report>();
  const folder = join(__dirname, 'wrong');
  for (const name of readdirSync(folder)) {
    const answerer = { program: join(folder, name), source: 'scan' as const, mode: 'answer' as const };
    reports.set(name, (await answeredBy(directory, suite, answerer)).report);
  }
  const sights = sightOf(baseline, reports);
  const finders = [...reports.keys()].map(
    (name) => `${name} ${sights.filter(({ foundOut }) => foundOut.includes(name)).length}`,
  );
  console.log(`${suite}: ${countSights(sights)} (${finders.join(', ')})`);
  for (const { number, title, foundOut } of sights) {
    if (foundOut.length === 0) console.log(`    blind: ${number} ${title}`);
  }
  return sights;
}

/** The program `fails` gives the right answer; only its exit code reveals it. */
function countSights(sights: readonly Sight[]): string {
  const answer = sights.filter(({ foundOut }) => foundOut.some((name) => name !== 'fails')).length;
  const code = sights.filter(({ foundOut }) => foundOut.length > 0).length - answer;
  const blind = sights.length - answer - code;
  return `of ${sights.length} asking cases ${answer} can detect a wrong answer, ${code} only a wrong exit code, ${blind} nothing`;
}

/** Runs `work` for each suite, `--jobs` at a time. */
async function each<T>(suites: readonly string[], work: (suite: string) => Promise<T[]>): Promise<T[]> {
  const waiting = [...suites];
  const results: T[] = [];
  const worker = async (): Promise<void> => {
    for (let suite = waiting.shift(); suite !== undefined; suite = waiting.shift()) {
      results.push(...(await work(suite)));
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, Number(values.jobs)) }, worker));
  return results;
}

function showTotals(judged: readonly Judged[]): void {
  for (const source of sources()) {
    const mine = judged.filter((one) => one.source === source);
    const asked = sum(mine.map(({ verdict }) => verdict.asked));
    const count = (of: (verdict: Verdict) => number): number =>
      mine.reduce((all, { verdict }) => all + of(verdict), 0);
    console.log(
      `${source}: ${total(asked)} questions: ${asked.native} answered natively, ${asked.delegated} by git, ` +
        `${asked.refused} refused, ${asked.untranslated} untranslated${values.compare ? `, ${asked.differs} differ` : ''}; ` +
        `${count((one) => one.asking)} cases ask, ${count((one) => one.passed)} of them pass; ` +
        `${count((one) => one.differences.length)} differ, ${count((one) => one.problems.length)} problems`,
    );
  }
}

async function main(): Promise<number> {
  const directory = gitSource();
  const baselines = new Baselines(directory, values.baseline);
  const suites = positionals.length
    ? positionals.map((name) => suiteFile(directory, name))
    : suitesAskingForStatus(directory);
  if (values.wrong) {
    const sights = await each(suites, (suite) => tellSight(directory, baselines, suite));
    console.log(countSights(sights));
    return 0;
  }
  const judged = await each(suites, (suite) => judge(directory, baselines, suite));
  showTotals(judged);
  return judged.some(({ verdict }) => verdict.problems.length > 0 || verdict.asked.differs > 0) ? 1 : 0;
}

main().then(
  (code) => (process.exitCode = code),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  },
);
