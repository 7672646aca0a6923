/** An answer that differs from git's, with the details to reproduce it. */
import { fromBuffer, printable, shellWord } from '../support/bytes';
import type { RunResult } from '../support/run';
import type { Question } from './questions';
import { diffRecords, splitRecords } from './records';

export type Source = 'scan' | 'resident' | 'auto';

export class Disagreement extends Error {
  constructor(
    readonly source: Source,
    readonly question: Question,
    readonly cwd: string,
    readonly reason: string,
  ) {
    const variables = Object.entries(question.env ?? {}).map(
      ([name, value]) => `${name}=${shellWord(value)} `,
    );
    const command = `${variables.join('')}git status ${question.args.map(shellWord).join(' ')}`;
    const place = question.directory === undefined ? cwd : `${cwd}/${printable(question.directory)}`;
    super(`${source} differs from git\n  in ${place}\n  ${command}\n${reason}`);
    this.name = 'Disagreement';
  }
}

/**
 * The difference between `actual` and git's answer `expected`, including standard error; undefined if equal.
 */
export function difference(question: Question, expected: RunResult, actual: RunResult): string | undefined {
  const reasons: string[] = [];
  if (expected.code !== actual.code) reasons.push(`exit code ${actual.code}, git's is ${expected.code}`);
  if (!expected.stdout.equals(actual.stdout)) {
    reasons.push(outputDifference(question, expected.stdout, actual.stdout));
  }
  if (!wordsOf(expected).equals(wordsOf(actual))) reasons.push('stderr differs');
  if (reasons.length === 0) return undefined;
  if (expected.stderr.length > 0) reasons.push(`git's stderr: ${fromBuffer(expected.stderr).trim()}`);
  if (actual.stderr.length > 0) reasons.push(`our stderr: ${fromBuffer(actual.stderr).trim()}`);
  return reasons.join('\n');
}

/** git reads beyond the end of a truncated index, and prints random bytes. */
function wordsOf({ stderr }: RunResult): Buffer {
  const said = fromBuffer(stderr);
  return Buffer.from(said.replace(/^(fatal: unknown index entry format) 0x[0-9a-f]+$/m, '$1'), 'latin1');
}

function outputDifference(question: Question, expected: Buffer, actual: Buffer): string {
  const split = question.nulTerminated ? splitRecords : splitLines;
  const [left, right] = [split(expected), split(actual)];
  if (left.join('\n') === right.join('\n')) {
    return `stdout differs in its separators: git ${printable(fromBuffer(expected))}, got ${printable(fromBuffer(actual))}`;
  }
  return `stdout ("-" only git, "+" only ours):\n${diffRecords(left, right)}`;
}

function splitLines(output: Buffer): string[] {
  return fromBuffer(output).split('\n');
}
