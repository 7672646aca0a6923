/**
 * Questions after an operation: always the mode whose answer contains every path, and random questions with
 * all options of `git status`. A run asks every pair of modes and every option.
 */
import type { Bytes } from '../../support/bytes';
import { ignoredModes, type Question, question, untrackedModes, widestMode } from '../questions';
import { expectedPathspecs, limited } from './pathspecs';
import type { Prng } from './prng';
import type { World } from './world';

/** A random word of a command line, and its name among the kinds. */
interface Choice {
  weight: number;
  args: readonly Bytes[];
  kind: string;
}

const formats: readonly Choice[] = [
  { weight: 8, args: ['--porcelain=v2', '-z'], kind: 'v2 -z' },
  { weight: 3, args: ['--porcelain=v2'], kind: 'v2' },
  { weight: 3, args: ['--porcelain'], kind: 'v1' },
  { weight: 2, args: ['--porcelain=v1', '-z'], kind: 'v1 -z' },
  { weight: 4, args: ['-s'], kind: 'short' },
  { weight: 2, args: ['-s', '-z'], kind: 'short -z' },
  { weight: 1, args: ['-z'], kind: '-z alone' },
  { weight: 4, args: [], kind: 'no format' },
  { weight: 2, args: ['--long'], kind: 'long' },
];

const headers: readonly Choice[] = [
  { weight: 8, args: [], kind: '' },
  { weight: 8, args: ['-b'], kind: '-b' },
  { weight: 1, args: ['--no-branch'], kind: '--no-branch' },
];

const stashes: readonly Choice[] = [
  { weight: 14, args: [], kind: '' },
  { weight: 4, args: ['--show-stash'], kind: '--show-stash' },
  { weight: 1, args: ['--no-show-stash'], kind: '--no-show-stash' },
];

const distances: readonly Choice[] = [
  { weight: 10, args: [], kind: '' },
  { weight: 2, args: ['--ahead-behind'], kind: '--ahead-behind' },
  { weight: 3, args: ['--no-ahead-behind'], kind: '--no-ahead-behind' },
];

const submodules: readonly Choice[] = [
  { weight: 22, args: [], kind: '' },
  ...['none', 'untracked', 'dirty', 'all'].map((when) => ({
    weight: 2,
    args: [`--ignore-submodules=${when}`],
    kind: `--ignore-submodules=${when}`,
  })),
  { weight: 1, args: ['--ignore-submodules'], kind: '--ignore-submodules' },
];

const renames: readonly Choice[] = [
  { weight: 20, args: [], kind: '' },
  { weight: 2, args: ['--no-renames'], kind: '--no-renames' },
  { weight: 2, args: ['--renames'], kind: '--renames' },
  { weight: 1, args: ['--find-renames'], kind: '--find-renames' },
  ...['20', '50%', '90', '100%'].map((score) => ({
    weight: 1,
    args: [`--find-renames=${score}`],
    kind: '--find-renames=<n>',
  })),
];

const untracked: readonly Choice[] = [
  { weight: 3, args: [], kind: 'default' },
  ...untrackedModes.map((mode) => ({ weight: 3, args: [`--untracked-files=${mode}`], kind: mode })),
  { weight: 1, args: ['-u'], kind: '-u' },
];

const ignored: readonly Choice[] = [
  { weight: 3, args: [], kind: 'default' },
  ...ignoredModes.map((mode) => ({ weight: 3, args: [`--ignored=${mode}`], kind: mode })),
  { weight: 1, args: ['--ignored'], kind: '--ignored' },
];

/** Variables in a client's environment that differ from the server's: git answers then. */
const surroundings: readonly { weight: number; env?: Record<string, string>; kind: string }[] = [
  { weight: 40, kind: '' },
  { weight: 1, env: parameter('color.status', 'always'), kind: 'color.status from the environment' },
  { weight: 1, env: parameter('core.quotePath', 'false'), kind: 'core.quotePath from the environment' },
  { weight: 1, env: parameter('status.relativePaths', 'false'), kind: 'relativePaths from the environment' },
];

function parameter(name: string, value: string): Record<string, string> {
  return { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: name, GIT_CONFIG_VALUE_0: value };
}

const namedChoices: readonly (readonly Choice[])[] = [
  formats,
  headers,
  stashes,
  distances,
  submodules,
  renames,
];

/** Every kind of question that a run of many seeds must ask. */
export const expectedQuestions: readonly string[] = [
  ...namedChoices.flat().flatMap(({ kind }) => (kind === '' ? [] : [`asked ${kind}`])),
  ...untracked.flatMap((left) => ignored.map((right) => `asked ${left.kind}, ignored ${right.kind}`)),
  ...surroundings.flatMap(({ kind }) => (kind === '' ? [] : [`asked with ${kind}`])),
  'asked below the root',
  ...expectedPathspecs,
];

export interface Asked {
  question: Question;
  kinds: readonly string[];
  /** True: this worktree's server refuses the question, because the environment or the repository differs. */
  elsewhere: boolean;
}

function draw(prng: Prng, world: World): Asked {
  const kinds: string[] = [];
  const args = namedChoices.flatMap((choices) => {
    const choice = prng.weighted(choices);
    if (choice.kind !== '') kinds.push(`asked ${choice.kind}`);
    return choice.args;
  });
  const [left, right] = [prng.weighted(untracked), prng.weighted(ignored)];
  kinds.push(`asked ${left.kind}, ignored ${right.kind}`);
  const asked: Question = question(...args, ...left.args, ...right.args);
  const { env, kind } = prng.weighted(surroundings);
  if (env) {
    asked.env = env;
    kinds.push(`asked with ${kind}`);
  }
  const drawn = prng.chance(30) ? world.pick('directory') : undefined;
  // git reports the objects of a sparse index (native/DIFFERENCES.md); an inner repository does not have
  // these objects.
  const hasObjects = world.repo.sandbox.env.GIT_INDEX_FILE === undefined;
  const directory =
    drawn !== undefined && !hasObjects && inNestedRepository(world, drawn) ? undefined : drawn;
  if (directory !== undefined) {
    asked.directory = directory;
    kinds.push('asked below the root');
  }
  const elsewhere = env !== undefined || (directory !== undefined && inNestedRepository(world, directory));
  return { question: asked, kinds, elsewhere };
}

function inNestedRepository({ repo }: World, directory: Bytes): boolean {
  const parts = directory.split('/');
  return parts.some((_, i) => {
    const above = parts.slice(0, i + 1).join('/');
    return repo.exists(`${above}/.git`) || (repo.exists(`${above}/HEAD`) && repo.exists(`${above}/objects`));
  });
}

/** The widest question, one or two others, and one or two with pathspecs. */
export function drawQuestions(prng: Prng, world: World): Asked[] {
  const others = 1 + prng.below(2);
  return [
    { question: widestMode, kinds: [], elsewhere: false },
    ...Array.from({ length: others }, () => draw(prng, world)),
    ...Array.from({ length: 1 + prng.below(2) }, () => limited(prng, world, draw(prng, world))),
  ];
}
