/** Compares each case of a test script: its result with git-resident, and with git. */
import type { Source } from '../disagreement';
import type { ExpectedDifference } from './expected';
import { type Asked, type Outcome, type Report, sum, type TestCase, total } from './tap';

export interface Difference {
  number: number;
  title: string;
  /** Results with git and with git-resident; undefined: not run. */
  withGit: Outcome | undefined;
  withUs: Outcome | undefined;
  /** The allowed reason; undefined: not allowed. */
  reason?: string;
}

export interface Verdict {
  /** The script's questions. */
  asked: Asked;
  /** Cases that pass with git and ask for the status. */
  asking: number;
  /** The number of these that pass with git-resident. */
  passed: number;
  differences: Difference[];
  /** Differences without a reason, reasons without a difference, incomplete scripts. */
  problems: string[];
}

/** `expected`: for this script and this source only. */
export function compareReports(
  baseline: Report,
  actual: Report,
  expected: readonly ExpectedDifference[],
): Verdict {
  const problems: string[] = [];
  if (baseline.complete && !actual.complete) problems.push('the script did not come to its end');
  const differences = differencesOf(baseline, actual).map((difference) => {
    const reason = expected.find(({ title }) => title === difference.title)?.reason;
    return reason === undefined ? difference : { ...difference, reason };
  });
  for (const { reason, number, title, withGit, withUs } of differences) {
    if (reason === undefined) problems.push(`${number} ${title}: ${withGit} with git, ${withUs} with us`);
  }
  // A case that this git version does not have cannot differ.
  const tested = expected.filter(({ title }) => baseline.cases.some((one) => one.title === title));
  for (const { title, times = 1 } of tested) {
    const found = differences.filter((difference) => difference.title === title).length;
    if (found !== times)
      problems.push(`named as different ${times} times, and is so ${found} times: ${title}`);
  }

  const asking = actual.cases.filter(
    ({ asked, number }) => total(asked) > 0 && outcomeOf(baseline, number) === 'ok',
  );
  return {
    asked: sum(actual.cases.map(({ asked }) => asked)),
    asking: asking.length,
    passed: asking.filter(({ outcome }) => outcome === 'ok').length,
    differences,
    problems,
  };
}

function differencesOf(baseline: Report, actual: Report): Difference[] {
  const differences: Difference[] = [];
  const add = (withGit: TestCase | undefined, withUs: TestCase | undefined): void => {
    const either = withGit ?? withUs;
    if (!either || (withGit?.title === withUs?.title && withGit?.outcome === withUs?.outcome)) return;
    const { number, title } = either;
    differences.push({ number, title, withGit: withGit?.outcome, withUs: withUs?.outcome });
  };
  const count = Math.max(baseline.cases.length, actual.cases.length);
  for (let i = 0; i < count; i++) add(baseline.cases[i], actual.cases[i]);
  return differences;
}

function outcomeOf(report: Report, number: number): Outcome | undefined {
  return report.cases.find((one) => one.number === number)?.outcome;
}

/** A case that asks for the status, and the wrong programs that it detects. */
export interface Sight {
  number: number;
  title: string;
  foundOut: string[];
}

/** `wrong`: a report for each wrong program. A case that fails without a question detected nothing itself. */
export function sightOf(baseline: Report, wrong: ReadonlyMap<string, Report>): Sight[] {
  const sights: Sight[] = [];
  for (const { number, title, outcome } of baseline.cases) {
    if (outcome !== 'ok') continue;
    const seen = [...wrong].map(([program, report]) => ({
      program,
      found: report.cases.find((one) => one.number === number),
    }));
    if (!seen.some(({ found }) => found && total(found.asked) > 0)) continue;
    const foundOut = seen.filter(({ found }) => found && total(found.asked) > 0 && found.outcome !== 'ok');
    sights.push({ number, title, foundOut: foundOut.map(({ program }) => program) });
  }
  return sights;
}

export function expectedFor(
  all: readonly ExpectedDifference[],
  suite: string,
  source: Source,
): ExpectedDifference[] {
  return all.filter((one) => suite.startsWith(`${one.suite}-`) && one.sources.includes(source));
}
