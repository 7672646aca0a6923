/** What a test script of git's says, line by line (TAP), with the front's own lines among it. */

export type Outcome = 'ok' | 'not ok' | 'known breakage' | 'vanished breakage' | 'skipped';

/** How questions for the status were met. */
export interface Asked {
  /** By git-resident itself. */
  native: number;
  /** By git in its stead, as git-resident wanted it. */
  delegated: number;
  /** By git-resident itself, with an exit code that tells of a failure. */
  refused: number;
  /** By git, because the front does not know an option before `status`. */
  untranslated: number;
  /** Where git-resident and git were both asked: parts of answers that differ. */
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
  /** Worktrees that a process was started for. */
  served: number;
  /** Why the whole script was skipped. */
  skipped?: string;
  /** False where the script ended before it told its number of cases. */
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
