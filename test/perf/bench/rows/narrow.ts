/** Scans for a narrow question: without untracked files, and beside a large untracked directory. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Context, Rounds } from '../context';
import { toMilliseconds } from '../programs';
import { againstFloor, figure, type Row } from '../result';
import type { GitVariant } from '../subject';
import { assertSameAnswers } from './scan';

const maxPackages = 1000;
const filesEach = 50;

/** git with a fast index, and ours. */
function contenders({ subject, binary }: Context, ...options: string[]): GitVariant[] {
  const [git, quick] = subject.gitVariants();
  const theirs = quick ?? git;
  const ours = {
    name: 'git-resident status --source=scan',
    command: [binary, 'status', '--source=scan', '--porcelain'],
    env: {},
  };
  return [...(theirs ? [theirs] : []), ours].map(({ name, command, env }) => ({
    name: [name, ...options].join(' '),
    command: [...command, ...options],
    env: { ...env, GIT_OPTIONAL_LOCKS: '0' },
  }));
}

function ask({ programs, subject }: Context, rounds: Rounds, asked: readonly GitVariant[], note = ''): void {
  for (const { name, command, env } of asked) {
    rounds.add(name + note, programs.once(command, { cwd: subject.worktree, env }).milliseconds);
  }
}

function measureTracked(context: Context): Row {
  const { subject, programs, threads, runs } = context;
  const rounds = new Rounds();
  const asked = contenders(context, '-uno');
  assertSameAnswers(context, asked);
  const floor = `floor, hot, ${threads} threads`;
  for (let round = 0; round < runs; round += 1) {
    rounds.add(floor, toMilliseconds(programs.floor('hot', subject.worktree, threads).ns));
    ask(context, rounds, asked);
  }
  const figures = asked.map(({ name }) => figure(name, 'ms', rounds.of(name)));
  const ours = figures.slice(-1);
  return {
    id: 'scan-uno',
    title: 'A scan without untracked files',
    figures: [figure(floor, 'ms', rounds.of(floor)), ...figures],
    verdicts: ours.map((own) =>
      againstFloor(own, rounds.of(floor), { words: 'at most 1.15 x the hot floor', factor: 1.15 }),
    ),
    remarks: ['The floor lists no directory either, and has read its index before its clock starts.'],
  };
}

function measureUntracked(context: Context, packages: number): Row {
  const { subject, runs } = context;
  const beside = `, beside an untracked directory of ${(packages * filesEach).toLocaleString('en')} files`;
  const rounds = new Rounds();
  const asked = contenders(context);
  for (let round = 0; round < runs; round += 1) ask(context, rounds, asked);
  for (let i = 0; i < packages; i += 1) {
    const folder = join(subject.worktree, 'node_modules', `package-${i}`);
    mkdirSync(folder, { recursive: true });
    for (let j = 0; j < filesEach; j += 1) writeFileSync(join(folder, `${j}.js`), '');
  }
  assertSameAnswers(context, asked);
  for (let round = 0; round < runs; round += 1) ask(context, rounds, asked, beside);
  return {
    id: 'scan-unormal',
    title: 'A scan beside a large untracked directory',
    figures: asked.flatMap(({ name }) => [
      figure(name, 'ms', rounds.of(name)),
      figure(name + beside, 'ms', rounds.of(name + beside)),
    ]),
    verdicts: asked.slice(-1).map(({ name }) =>
      againstFloor(figure(name, 'ms', rounds.of(name + beside)), rounds.of(name), {
        words: 'at most 1.05 x without it',
        factor: 1.05,
      }),
    ),
    remarks: [],
  };
}

export async function measureNarrow(context: Context, files: number): Promise<Row[]> {
  const packages = Math.min(maxPackages, Math.ceil(files / filesEach));
  const untracked = await context.subject.changing(() => measureUntracked(context, packages));
  return [measureTracked(context), untracked];
}
