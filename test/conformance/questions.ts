/** The questions that are asked: options of `git status`. */
import type { Bytes } from '../support/bytes';
import { atLeast } from '../support/oracle';

export const untrackedModes = ['no', 'normal', 'all'] as const;
export const ignoredModes = ['no', 'traditional', 'matching'] as const;

export interface Question {
  /** Options and pathspecs, as `git status` takes them. */
  args: readonly Bytes[];
  /** True where the output is a list of NUL-terminated records. */
  nulTerminated: boolean;
  /** Where it is asked, below the directory of the comparison; missing: there. */
  directory?: Bytes;
  /** Variables that whoever is asked gets, beside those of the sandbox. */
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

/** Before 2.29 git walks otherwise for ignored files or a pathspec: then such a question is git's to answer. */
export function isWalkedByGit({ args }: Question): boolean {
  if (atLeast(2, 29)) return false;
  return args.some((arg) => !arg.startsWith('-') || arg === '--' || /^--ignored(=[^n]|$)/.test(arg));
}

/** Every pair of an untracked and an ignored mode. git refuses one of them (no, matching); so must we. */
export const nineModes: readonly Question[] = untrackedModes.flatMap((untracked) =>
  ignoredModes.map((ignored) => mode(untracked, ignored)),
);

/** The mode whose answer holds every path. */
export const widestMode: Question = mode('all', 'matching');
