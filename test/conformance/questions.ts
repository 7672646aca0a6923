/** The questions of the tests: options of `git status`. */
import type { Bytes } from '../support/bytes';
import { atLeast } from '../support/oracle';

export const untrackedModes = ['no', 'normal', 'all'] as const;
export const ignoredModes = ['no', 'traditional', 'matching'] as const;

export interface Question {
  /** Options and pathspecs of `git status`. */
  args: readonly Bytes[];
  /** True if the output is a list of NUL-terminated records. */
  nulTerminated: boolean;
  /** Directory of the question, relative to the directory of the comparison; default: the latter. */
  directory?: Bytes;
  /** Extra variables for git and the program. */
  env?: Readonly<Record<string, string>>;
}

export function question(...args: Bytes[]): Question {
  return { args, nulTerminated: args.includes('-z') };
}

function mode(untracked: string, ignored: string): Question {
  return question(
    '--porcelain=v2',
    '-z',
    '--branch',
    `--untracked-files=${untracked}`,
    `--ignored=${ignored}`,
  );
}

/** Before 2.29 git walks differently for ignored files or a pathspec: then git must answer the question. */
export function isWalkedByGit({ args }: Question): boolean {
  if (atLeast(2, 29)) return false;
  return args.some((arg) => !arg.startsWith('-') || arg === '--' || /^--ignored(=[^n]|$)/.test(arg));
}

/** Every pair of an untracked and an ignored mode. git refuses one pair (no, matching), and so must we. */
export const nineModes: readonly Question[] = untrackedModes.flatMap((untracked) =>
  ignoredModes.map((ignored) => mode(untracked, ignored)),
);

/** The mode whose answer contains every path. */
export const widestMode: Question = mode('all', 'matching');
