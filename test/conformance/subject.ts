/**
 * The program under test beside git: both get the same questions in the same directory, while no operation
 * runs. A subject belongs to one worktree and owns its server.
 */
import { existsSync, readFileSync } from 'node:fs';
import { type Command, runBatch } from '../support/batch';
import { residentBinary } from '../support/binary';
import { utf8 } from '../support/bytes';
import { oracleGit } from '../support/oracle';
import { run, type RunResult } from '../support/run';
import type { Sandbox } from '../support/sandbox';
import { ResidentServer } from '../support/server';
import { difference, Disagreement, type Source } from './disagreement';
import { isWalkedByGit, type Question } from './questions';

export interface SubjectCounts {
  questions: number;
  /** Questions that the program under test passed to git, by source. */
  delegated: number;
}

export interface SubjectOptions {
  binary?: string;
  /** Options of the oracle before `status`. */
  oracleOptions?: readonly string[];
  /** Prefix of the command lines of the program under test and the oracle, such as that of `unprivileged`. */
  launcher?: readonly string[];
}

/** Exit code of a git with a failed assertion: it gave no answer. */
const kAborted = 134;

export class Subject {
  readonly counts: SubjectCounts = { questions: 0, delegated: 0 };
  /** Question and source of each answer that git gave in place of the program. */
  readonly delegations: string[] = [];
  private readonly binary: string;
  private readonly env: NodeJS.ProcessEnv;
  private readonly oracleEnv: NodeJS.ProcessEnv;
  private readonly oracleOptions: readonly string[];
  private readonly launcher: readonly string[];
  private server: ResidentServer | undefined;

  constructor(
    readonly sandbox: Sandbox,
    readonly worktree: string,
    options: SubjectOptions = {},
  ) {
    this.binary = options.binary ?? residentBinary();
    this.oracleOptions = options.oracleOptions ?? [];
    this.launcher = options.launcher ?? [];
    sandbox.installSpy();
    this.env = sandbox.questionEnv({ spy: true });
    this.oracleEnv = sandbox.questionEnv({ spy: false });
  }

  get serving(): boolean {
    return this.server !== undefined;
  }

  get serverPid(): number | undefined {
    return this.server?.pid;
  }

  async serve(): Promise<void> {
    this.server = await ResidentServer.start(this.binary, this.worktree, {
      // The server's own questions to git do not count as delegations.
      env: { ...this.env, RESIDENT_SPY_LOG: this.sandbox.serverSpyLog },
      cwd: this.sandbox.root,
      logPath: this.sandbox.path('serve.log'),
      launcher: this.launcher,
    });
  }

  async stop(): Promise<void> {
    const server = this.server;
    this.server = undefined;
    await server?.stop();
  }

  kill(): void {
    this.server?.kill();
    this.server = undefined;
  }

  askGit(question: Question, cwd = this.worktree): RunResult {
    const env = { ...this.oracleEnv, ...question.env };
    const [program = '', ...args] = [
      ...this.launcher,
      'git',
      ...this.oracleOptions,
      'status',
      ...question.args,
    ];
    return run(program, args, { cwd, env });
  }

  ask(source: Source, question: Question, cwd = this.worktree): RunResult {
    this.counts.questions++;
    const words = [...this.launcher, this.binary, 'status', `--source=${source}`, ...question.args];
    const [program = '', ...args] = words;
    return run(program, args, { cwd, env: { ...this.env, ...question.env } });
  }

  /**
   * Asks git and each source each question, and throws `Disagreement` at the first difference. Returns git's
   * answers. All are asked at the same time, the sources in their order: a late answer has no time to become
   * right.
   */
  compare(
    asked: readonly { question: Question; sources: readonly Source[] }[],
    cwd = this.worktree,
  ): RunResult[] {
    const { sandbox } = this;
    const order: Source[] = [...new Set(asked.flatMap(({ sources }) => sources))];
    const ours = order.flatMap((source) =>
      asked.filter(({ sources }) => sources.includes(source)).map(({ question }) => ({ source, question })),
    );
    const before = spiedLines(sandbox.spyLog).length;
    const [answers = [], expectations = []] = runBatch(
      [
        ours.map(({ source, question }) => this.command(question, cwd, source)),
        asked.map(({ question }) => this.command(question, cwd)),
      ],
      { env: this.env, markIn: sandbox.spyLog, keepAnswersIn: sandbox.path('run') },
    );
    const handedOver = callsOfStatus(spiedLines(sandbox.spyLog).slice(before));
    return asked.map(({ question }, i) => {
      const expected = expectations[i];
      if (!expected) throw new Error('an answer is missing');
      ours.forEach((ask, number) => {
        const answer = answers[number];
        if (ask.question !== question || !answer || expected.code === kAborted) return;
        // If git refuses or writes messages, git must answer: its own words are expected.
        const speaks = expected.code !== 0 || expected.stderr.length > 0;
        const isGits = speaks || isWalkedByGit(question);
        if (handedOver.has(number) && !isGits) this.noteDelegation(ask.source, question);
        let reason = difference(question, expected, answer);
        // A git that answers in place of the program runs with its normal configuration. The server's
        // warnings are git's, too.
        const isAsConfigured = handedOver.has(number) || speaks || answer.stderr.length > 0;
        if (reason !== undefined && isAsConfigured && this.oracleOptions.length > 0) {
          reason = difference(question, this.askGitAsConfigured(question, cwd), answer);
        }
        if (reason !== undefined)
          throw new Disagreement(ask.source, question, cwd, reason + this.serverLog(ask.source));
      });
      return expected;
    });
  }

  /** git's answer without the oracle's options, as in a delegation. */
  private askGitAsConfigured(question: Question, cwd: string): RunResult {
    const command = this.command(question, cwd, undefined, []);
    const [answers = []] = runBatch([[command]], { env: this.env });
    const [answer] = answers;
    if (!answer) throw new Error('an answer is missing');
    return answer;
  }

  /** Command of the program under test; without a source, of git. */
  private command(
    question: Question,
    cwd: string,
    source?: Source,
    oracleOptions = this.oracleOptions,
  ): Command {
    const directory = question.directory ? `${utf8(cwd)}/${question.directory}` : utf8(cwd);
    if (source === undefined) {
      const words = [...this.launcher, oracleGit(), ...oracleOptions, 'status', ...question.args];
      return { words, cwd: directory, env: { ...question.env, PATH: this.oracleEnv.PATH ?? '' } };
    }
    this.counts.questions++;
    const words = [...this.launcher, utf8(this.binary), 'status', `--source=${source}`, ...question.args];
    return { words, cwd: directory, ...(question.env ? { env: question.env } : {}) };
  }

  private noteDelegation(source: Source, question: Question): void {
    this.counts.delegated++;
    this.delegations.push(`${source}: ${question.args.join(' ')}`);
  }

  private serverLog(source: Source): string {
    const log = source === 'resident' ? (this.server?.log.trim() ?? '') : '';
    return log ? `\nthe server says:\n${log.split('\n').slice(-20).join('\n')}` : '';
  }
}

function spiedLines(path: string): string[] {
  return existsSync(path) ? readFileSync(path, 'latin1').split('\n').slice(0, -1) : [];
}

/** Numbers of the commands of a batch that called `git status`. */
function callsOfStatus(lines: readonly string[]): Set<number> {
  const numbers = new Set<number>();
  let number = 0;
  for (const line of lines) {
    if (line.startsWith('@')) number = Number(line.slice(1)) + 1;
    else if (subcommand(line) === 'status') numbers.add(number);
  }
  return numbers;
}

/** The subcommand in a logged call of git. */
function subcommand(call: string): string | undefined {
  const words = call.split(' ');
  while (words[0]?.startsWith('-')) words.splice(0, words[0] === '-c' || words[0] === '-C' ? 2 : 1);
  return words[0];
}
