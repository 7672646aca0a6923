/**
 * The same repository with refs in files and in reftables: answers without changes, and after a moved ref.
 */
import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { atLeast, oracleVersion } from '../../../support/oracle';
import { type Context, Rounds } from '../context';
import { toMilliseconds } from '../programs';
import { againstFloor, figure, type Row } from '../result';

const idleQuestions = 1000;
const movesPerRun = 10;
const formats = ['files', 'reftable'] as const;

/** `git refs migrate` converts refs to reftables; since git 2.48. */
export const canMigrateRefs = (): boolean => atLeast(2, 48);

/** Makes a git directory for the same worktree and objects. Returns the variables for it. */
function gitDirectoryWith({ subject }: Context, format: (typeof formats)[number]): NodeJS.ProcessEnv {
  const directory = subject.scratch(`${format}.git`);
  const original = join(subject.worktree, '.git');
  mkdirSync(directory);
  // Copies neither the objects nor the socket of git's fsmonitor.
  const isCopied = (name: string): boolean => name !== 'objects' && !name.startsWith('fsmonitor--daemon');
  for (const name of readdirSync(original).filter(isCopied)) {
    cpSync(join(original, name), join(directory, name), { recursive: true });
  }
  // New objects stay in the copy.
  for (const name of ['info', 'pack']) mkdirSync(join(directory, 'objects', name), { recursive: true });
  writeFileSync(join(directory, 'objects/info/alternates'), `${join(original, 'objects')}\n`);
  const env = { GIT_DIR: directory, GIT_WORK_TREE: subject.worktree };
  if (format === 'reftable') subject.git(['refs', 'migrate', '--ref-format=reftable'], env);
  return env;
}

export function measureRefs(context: Context): Row {
  const row = { id: 'refs', title: 'Refs as reftables beside refs in files' };
  if (!canMigrateRefs()) {
    const remarks = [`Not measured: git ${oracleVersion()} makes no reftables of refs; 2.48 does.`];
    return { ...row, figures: [], verdicts: [], remarks };
  }
  const { subject, programs, threads } = context;
  const rounds = new Rounds();
  const envs = formats.map((format) => ({ format, env: gitDirectoryWith(context, format) }));
  for (let round = 0; round < context.runs; round += 1) {
    for (const { format, env } of envs) {
      const said = programs.coreIn(env, 'refs', subject.worktree, threads, idleQuestions, movesPerRun);
      rounds.add(`${format} idle`, toMilliseconds(said.idleNs));
      rounds.add(`${format} moved`, toMilliseconds(said.ns));
    }
  }
  const idle = figure('reftable: a resident answer, nothing changed', 'ms', rounds.of('reftable idle'));
  const moved = figure('reftable: after HEAD moved', 'ms', rounds.of('reftable moved'));
  return {
    ...row,
    figures: [
      figure('files: a resident answer, nothing changed', 'ms', rounds.of('files idle')),
      idle,
      figure('files: after HEAD moved', 'ms', rounds.of('files moved')),
      moved,
    ],
    verdicts: [
      againstFloor(idle, rounds.of('files idle'), { words: 'at most 1.1 x refs in files', factor: 1.1 }),
      againstFloor(moved, rounds.of('files moved'), { words: 'at most 1.5 x refs in files', factor: 1.5 }),
    ],
    remarks: [],
  };
}
