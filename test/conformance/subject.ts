/**
 * The program under test beside git: both are asked the same, in the same directory, at rest between two
 * operations. One subject belongs to one worktree and owns its server.
 */
import { existsSync, statSync, readFileSync } from 'node:fs';
import { residentBinary } from '../support/binary';
import { run, type RunResult } from '../support/run';
import type { Sandbox } from '../support/sandbox';
import { ResidentServer } from '../support/server';
import { difference, Disagreement, type Source } from './disagreement';
import type { Question } from './questions';

export interface SubjectCounts {
  questions: number;
  /** Questions that the program under test handed to git, by the source that was asked. */
  delegated: number;
}

export interface SubjectOptions {
  binary?: string;
  /** Options that the oracle gets before `status`. */
  oracleOptions?: readonly string[];
}

export class Subject {
  readonly counts: SubjectCounts = { questions: 0, delegated: 0 };
  /** Question and source of each answer that git gave in our stead. */
  readonly delegations: string[] = [];
  private readonly binary: string;
  private readonly env: NodeJS.ProcessEnv;
  private readonly oracleEnv: NodeJS.ProcessEnv;
  private readonly oracleOptions: readonly string[];
  private server: ResidentServer | undefined;
  private spied = 0;

  constructor(
    readonly sandbox: Sandbox,
    readonly worktree: string,
    options: SubjectOptions = {},
  ) {
    this.binary = options.binary ?? residentBinary();
    this.oracleOptions = options.oracleOptions ?? [];
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
      env: this.env,
      cwd: this.sandbox.root,
      logPath: this.sandbox.path('serve.log'),
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
    return run('git', [...this.oracleOptions, 'status', ...question.args], { cwd, env: this.oracleEnv });
  }

  ask(source: Source, question: Question, cwd = this.worktree): RunResult {
    this.counts.questions++;
    const args = ['status', `--source=${source}`, ...question.args];
    return run(this.binary, args, { cwd, env: this.env });
  }

  /**
   * Asks git and each source each question, and throws `Disagreement` at the first answer that differs.
   * Returns git's answers. The sources are asked first: a late answer has no time to become right.
   */
  compare(
    asked: readonly { question: Question; sources: readonly Source[] }[],
    cwd = this.worktree,
  ): RunResult[] {
    // What another subject of the sandbox, or the server in between, asked of git is no answer of ours.
    this.gitWasAsked();
    const answers = asked.map(({ question, sources }) =>
      sources.map((source) => {
        const answer = this.ask(source, question, cwd);
        return { source, answer, delegated: this.gitWasAsked() };
      }),
    );
    return asked.map(({ question }, i) => {
      const expected = this.askGit(question, cwd);
      for (const { source, answer, delegated } of answers[i] ?? []) {
        // What git refuses, git may refuse itself: its words are wanted.
        if (delegated && expected.code === 0) this.noteDelegation(source, question);
        const reason = difference(question, expected, answer);
        if (reason !== undefined)
          throw new Disagreement(source, question, cwd, reason + this.serverLog(source));
      }
      return expected;
    });
  }

  /** True where the program under test has called `git status` since this was asked last. */
  private gitWasAsked(): boolean {
    const { spyLog } = this.sandbox;
    if (!existsSync(spyLog) || statSync(spyLog).size === this.spied) return false;
    const log = readFileSync(spyLog, 'latin1');
    const calls = log.slice(this.spied).split('\n');
    this.spied = log.length;
    return calls.some((call) => subcommand(call) === 'status');
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

/** The subcommand of a call of git, given its words. */
function subcommand(call: string): string | undefined {
  const words = call.split(' ');
  while (words[0]?.startsWith('-')) words.splice(0, words[0] === '-c' || words[0] === '-C' ? 2 : 1);
  return words[0];
}
