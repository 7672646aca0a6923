/** Parses the output of git's test scripts (TAP), mixed with the front's own lines. */

export type Outcome = 'ok' | 'not ok' | 'known breakage' | 'vanished breakage' | 'skipped';

/** Counts of status questions by their treatment. */
export interface Asked {
  /** Answered by git-resident itself. */
  native: number;
  /** Answered by git, at the request of git-resident. */
  delegated: number;
  /** Answered by git-resident itself with a failing exit code. */
  refused: number;
  /** Answered by git, because the front does not know an option before `status`. */
  untranslated: number;
  /** If both were asked: number of differing parts of answers. */
  differs: number;
}

export interface TestCase {
  number: number;
  title: string;
  outcome: Outcome;
  asked: Asked;
}

export interface Report {
  cases: TestCase[];
  /** Number of worktrees with a started process. */
  served: number;
  /** The reason why the whole script was skipped. */
  skipped?: string;
  /** False if the script ended before it printed its number of cases. */
  complete: boolean;
}

const caseLine = /^(ok|not ok) (\d+) -? ?(.*)$/;
const frontLine = /^# front: (\w+)/;

export function parseReport(text: string): Report {
  const report: Report = { cases: [], served: 0, complete: false };
  let asked = nothingAsked();
  for (const line of text.split('\n')) {
    const how = frontLine.exec(line)?.[1];
    if (how === 'serve') report.served++;
    else if (how !== undefined && how in asked) asked[how as keyof Asked]++;
    const found = caseLine.exec(line);
    if (found) {
      report.cases.push(testCase(found[1] === 'ok', Number(found[2]), found[3] ?? '', asked));
      asked = nothingAsked();
    }
    const plan = /^1\.\.(\d+)(?: # SKIP ?(.*))?$/.exec(line);
    if (plan) {
      report.complete = Number(plan[1]) === report.cases.length;
      if (plan[2] !== undefined) report.skipped = plan[2];
    }
  }
  return report;
}

function testCase(ok: boolean, number: number, said: string, asked: Asked): TestCase {
  const skip = /^# skip (.*?)(?: \([^()]*\))?$/.exec(said);
  if (skip) return { number, title: skip[1] ?? '', outcome: 'skipped', asked };
  const todo = /^(.*) # TODO known breakage(?: vanished)?$/.exec(said);
  if (todo)
    return { number, title: todo[1] ?? '', outcome: ok ? 'vanished breakage' : 'known breakage', asked };
  return { number, title: said, outcome: ok ? 'ok' : 'not ok', asked };
}

export function nothingAsked(): Asked {
  return { native: 0, delegated: 0, refused: 0, untranslated: 0, differs: 0 };
}

export function total(asked: Asked): number {
  return asked.native + asked.delegated + asked.refused + asked.untranslated;
}

export function sum(all: readonly Asked[]): Asked {
  const result = nothingAsked();
  for (const asked of all)
    for (const key of Object.keys(result) as (keyof Asked)[]) result[key] += asked[key];
  return result;
}
