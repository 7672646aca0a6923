/**
 * A hand-made case: one mocha test with its own repository. The server starts right after `git init`, and
 * lives through all changes of the case. A second server starts at the end, and must give the same answers.
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
   * answers: it proves that the case reached its state. NUL separates the fields of a rename.
   */
  check(...shows: RegExp[]): void;
  /** Compares other questions, optionally in a directory below the worktree's root. */
  checkAll(questions: readonly Question[], directory?: string): void;
  /** Does the same for another worktree, with its own server during `body`. */
  during(other: Repository, body: (context: CaseContext) => void): Promise<void>;
}

export interface CaseOptions {
  /** Options of `git init`. */
  init?: string[];
  /** Variables set before the server starts. */
  config?: Record<string, string>;
  /** maybe: git may answer in place of the program. */
  delegates?: 'never' | 'maybe';
  /** True: file modes apply to the program and git, even if root runs the tests. */
  unprivileged?: boolean;
}

const sources: readonly Source[] = ['resident', 'scan'];
const delegationAllowed = process.env.CONFORMANCE_DELEGATION === 'allow';

/** Skipped if the oracle cannot make such a repository: SHA-256 ids need git 2.29. */
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
        // The scan was already asked.
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
 * Runs `body` in a sandbox in `parent`. Removes the sandbox, or keeps and names it if the body fails. On a
 * disk a case takes twice as long, mostly for the removal.
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
      // The stack repeats the old message.
      error.stack = `${error.name}: ${error.message}\n${(error.stack ?? '')
        .split('\n')
        .filter((line) => line.startsWith('    at '))
        .join('\n')}`;
    }
    throw error;
  }
  sandbox.remove();
}

/** Runs `body` with a server, and ends the server. */
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
