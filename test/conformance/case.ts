/**
 * A hand-made case: one mocha test with a repository of its own. The server starts right after `git init`, so
 * that it lives through everything the case does; a second one starts at the end, and must say the same.
 */
import { strict as assert } from 'node:assert';
import { fromBuffer, printable } from '../support/bytes';
import { atLeast } from '../support/oracle';
import { Repository } from '../support/repository';
import { memoryDirectory, Sandbox } from '../support/sandbox';
import { unprivileged } from '../support/unprivileged';
import type { Source } from './disagreement';
import { nineModes, type Question } from './questions';
import { Subject, type SubjectOptions } from './subject';

export interface CaseContext {
  sandbox: Sandbox;
  repo: Repository;
  subject: Subject;
  /**
   * Compares scan and resident with git in all nine modes. Each of `shows` must match a record of git's
   * answers (the fields of a rename are separated by NUL): it proves that the case reached its state.
   */
  check(...shows: RegExp[]): void;
  /** Compares other questions, in a directory below the worktree's root where one is named. */
  checkAll(questions: readonly Question[], directory?: string): void;
  /** The same for another worktree, with a server of its own while `body` runs. */
  during(other: Repository, body: (context: CaseContext) => void): Promise<void>;
}

export interface CaseOptions {
  /** Options of `git init`. */
  init?: string[];
  /** Variables set before the server starts. */
  config?: Record<string, string>;
  /** Whether git may give the answer in our stead. */
  delegates?: 'never' | 'maybe';
  /** Whether the program and git run as somebody for whom file modes hold, root or not. */
  unprivileged?: boolean;
}

const sources: readonly Source[] = ['resident', 'scan'];
const delegationAllowed = process.env.CONFORMANCE_DELEGATION === 'allow';

/** Not declared where the oracle cannot make such a repository: ids are SHA-256 since 2.29. */
export function conformanceCase(
  title: string,
  body: (context: CaseContext) => void | Promise<void>,
  options: CaseOptions = {},
): void {
  if (options.init?.includes('--object-format=sha256') && !atLeast(2, 29)) return;
  it(title, async () => {
    await withSandbox(async (sandbox) => {
      const repo = Repository.init(sandbox, 'w', ...(options.init ?? []));
      for (const [name, value] of Object.entries(options.config ?? {})) repo.config(name, value);
      const answered = async (subject: Subject): Promise<void> => {
        await body(contextOf(sandbox, repo, subject));
        await subject.stop();
        await subject.serve();
        // What a scan says was asked already.
        subject.compare(nineModes.map((question) => ({ question, sources: ['resident'] })));
        if (options.delegates !== 'maybe' && !delegationAllowed) {
          assert.deepEqual(subject.delegations, [], 'git answered in our stead');
        }
      };
      await withSubject(repo, answered, options.unprivileged ? { launcher: unprivileged() } : {});
    });
  });
}

/**
 * Runs `body` in a sandbox below `parent`, which is removed afterwards, or kept and named where the body fails. On a disk
 * a case takes twice as long, most of it for what is removed.
 */
export async function withSandbox(
  body: (sandbox: Sandbox) => void | Promise<void>,
  parent = memoryDirectory(),
): Promise<void> {
  const sandbox = new Sandbox(parent);
  try {
    await body(sandbox);
  } catch (error) {
    if (error instanceof Error) {
      error.message += `\nkept: ${sandbox.root}\nreplay:\n${sandbox.replayScript()}`;
      // The stack repeats the message as it was.
      error.stack = `${error.name}: ${error.message}\n${(error.stack ?? '')
        .split('\n')
        .filter((line) => line.startsWith('    at '))
        .join('\n')}`;
    }
    throw error;
  }
  sandbox.remove();
}

/** A subject with a running server; the server has ended when this returns. */
export async function withSubject(
  repo: Repository,
  body: (subject: Subject) => void | Promise<void>,
  options: SubjectOptions = {},
): Promise<void> {
  const subject = new Subject(repo.sandbox, repo.root, options);
  try {
    await subject.serve();
    await body(subject);
    await subject.stop();
  } finally {
    subject.kill();
  }
}

export function contextOf(sandbox: Sandbox, repo: Repository, subject: Subject): CaseContext {
  const checkAll = (questions: readonly Question[], directory?: string): void => {
    const cwd = directory === undefined ? repo.root : `${repo.root}/${directory}`;
    subject.compare(
      questions.map((question) => ({ question, sources })),
      cwd,
    );
  };
  const check = (...shows: RegExp[]): void => {
    const answers = subject.compare(nineModes.map((question) => ({ question, sources })));
    const said = answers.map(({ stdout }) => fromBuffer(stdout)).join('');
    for (const wanted of shows) {
      const reached = said.split('\0').some((record) => wanted.test(record)) || wanted.test(said);
      assert.ok(
        reached,
        `git says nothing like ${wanted}: the case does not reach its state\n${printable(said)}`,
      );
    }
  };
  const during = (other: Repository, inner: (context: CaseContext) => void): Promise<void> =>
    withSubject(other, (otherSubject) => inner(contextOf(sandbox, other, otherSubject)));
  return { sandbox, repo, subject, check, checkAll, during };
}
