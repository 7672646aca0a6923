/** Questions with pathspecs: built from paths of the worktree, with every magic. */
import { type Bytes, utf8 } from '../../support/bytes';
import { type Question, question } from '../questions';
import type { Asked } from './asking';
import { directoryName, fileName } from './names';
import type { Prng } from './prng';
import type { World } from './world';

interface Choice<T> {
  weight: number;
  kind: string;
  value: T;
}

const magics: readonly Choice<Bytes>[] = [
  { weight: 20, kind: 'without magic', value: '' },
  { weight: 4, kind: 'magic literal', value: ':(literal)' },
  { weight: 5, kind: 'magic glob', value: ':(glob)' },
  { weight: 4, kind: 'magic icase', value: ':(icase)' },
  { weight: 5, kind: 'magic exclude', value: ':!' },
  { weight: 3, kind: 'magic top', value: ':/' },
  { weight: 1, kind: 'magic exclude and icase', value: ':(exclude,icase)' },
  { weight: 1, kind: 'magic exclude and glob', value: ':(exclude,glob)' },
  { weight: 1, kind: 'magic top and icase', value: ':(top,icase)' },
  { weight: 2, kind: 'magic attr', value: ':(attr:text)' },
  { weight: 1, kind: 'magic attr for a value', value: ':(attr:eol=lf)' },
  { weight: 1, kind: 'magic attr for none', value: ':(attr:!text)' },
  { weight: 1, kind: 'magic attr and exclude', value: ':(exclude,attr:-text)' },
];

const globs: readonly Bytes[] = ['*', '*.c', '*.o', '?', '**', '**/a', '[a-m]*', '*/', 'd*', '*/*', 's*/*.c'];

/** Transformations of a worktree path. */
const shapes: readonly Choice<(prng: Prng, path: Bytes) => Bytes>[] = [
  { weight: 8, kind: 'a path', value: (_, path) => path },
  { weight: 5, kind: 'a path and a slash', value: (_, path) => `${path}/` },
  { weight: 4, kind: 'a directory above', value: (_, path) => path.split('/').slice(0, -1).join('/') || '.' },
  { weight: 4, kind: 'a glob beside', value: (prng, path) => beside(path) + prng.pick(globs) },
  { weight: 3, kind: 'a glob below', value: (prng, path) => `${path}/${prng.pick(globs)}` },
  { weight: 3, kind: 'a glob alone', value: (prng) => prng.pick(globs) },
  { weight: 3, kind: 'a path with a glob in it', value: (prng, path) => withGlob(prng, path) },
  { weight: 2, kind: 'something below', value: (prng, path) => `${path}/${fileName(prng)}` },
  { weight: 2, kind: 'the other case', value: (prng, path) => (prng.chance(50) ? upper(path) : lower(path)) },
  {
    weight: 1,
    kind: 'a name that may not be there',
    value: (prng) => `${directoryName(prng)}/${fileName(prng)}`,
  },
  { weight: 1, kind: 'the directory itself', value: () => '.' },
];

const beside = (path: Bytes): Bytes => path.slice(0, path.lastIndexOf('/') + 1);
const upper = (path: Bytes): Bytes => path.replace(/[a-z]/g, (letter) => letter.toUpperCase());
const lower = (path: Bytes): Bytes => path.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

function withGlob(prng: Prng, path: Bytes): Bytes {
  const at = prng.below(path.length);
  return path.slice(0, at) + prng.pick(['*', '?', '[!x]', '\\']) + path.slice(at + prng.below(2));
}

const settings: readonly Choice<Record<string, string> | undefined>[] = [
  { weight: 36, kind: '', value: undefined },
  ...['LITERAL', 'GLOB', 'NOGLOB', 'ICASE'].map((word) => ({
    weight: 1,
    kind: `GIT_${word}_PATHSPECS`,
    value: { [`GIT_${word}_PATHSPECS`]: '1' },
  })),
];

/** Every kind of pathspec that a run of many seeds must ask about. */
export const expectedPathspecs: readonly string[] = [...magics, ...shapes, ...settings].flatMap(({ kind }) =>
  kind === '' ? [] : [`pathspec: ${kind}`],
);

/** A path of the worktree or the index, relative to the directory of the question. */
function pathOf(prng: Prng, world: World, directory: Bytes | undefined): Bytes {
  const path = (prng.chance(40) ? world.pickTracked() : world.pick('any')) ?? 'a';
  if (directory === undefined) return path;
  if (path.startsWith(`${directory}/`)) return path.slice(directory.length + 1);
  if (prng.chance(10)) return `${utf8(world.repo.root)}/${path}`;
  return prng.chance(50) ? path : `${'..'.repeat(directory.split('/').length)}${path}`;
}

/** The question with one to three pathspecs. */
export function limited(prng: Prng, world: World, asked: Asked): Asked {
  const kinds = [...asked.kinds];
  const pathspecs = Array.from({ length: 1 + prng.below(3) }, () => {
    const magic = prng.weighted(magics);
    const shape = prng.weighted(shapes);
    kinds.push(`pathspec: ${magic.kind}`, `pathspec: ${shape.kind}`);
    return magic.value + shape.value(prng, pathOf(prng, world, asked.question.directory));
  });
  const limitedQuestion: Question = {
    ...asked.question,
    ...question(...asked.question.args, '--', ...pathspecs),
  };
  const setting = prng.weighted(settings);
  if (setting.value) {
    limitedQuestion.env = { ...asked.question.env, ...setting.value };
    kinds.push(`pathspec: ${setting.kind}`);
  }
  return { ...asked, question: limitedQuestion, kinds };
}
