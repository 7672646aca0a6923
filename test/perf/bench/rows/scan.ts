/** First scan with a warm disk cache, without watches: git's variants, ours, and the floor. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type Context, Rounds } from '../context';
import { countSystemCalls, toMilliseconds } from '../programs';
import { againstFloor, type Figure, figure, type Row } from '../result';

const oursName = 'git-resident status --source=scan';

export function measureScan(context: Context): Row {
  const { subject, programs, threads } = context;
  const variants = subject.gitVariants();
  const ours = [context.binary, 'status', '--source=scan', '--porcelain'];
  const contenders = [...variants, { name: oursName, command: ours, env: {} }];
  assertSameAnswers(context, contenders);

  const rounds = new Rounds();
  const floors: [name: string, work: 'hot' | 'cold', threads: number][] = [
    ['floor, hot, 1 thread', 'hot', 1],
    [`floor, hot, ${threads} threads`, 'hot', threads],
    ['floor, cold, 1 thread', 'cold', 1],
    [`floor, cold, ${threads} threads`, 'cold', threads],
  ];
  const inCore = `in the core, ${threads} threads`;
  for (let round = 0; round < context.runs; round += 1) {
    for (const [name, work, count] of floors) {
      rounds.add(name, toMilliseconds(programs.floor(work, subject.worktree, count).ns));
    }
    for (const { name, command, env } of contenders) {
      const { milliseconds, peakMb } = programs.once(command, { cwd: subject.worktree, env });
      rounds.add(name, milliseconds);
      rounds.add(`${name}, peak`, [peakMb]);
    }
    const core = programs.core('scan', subject.worktree, threads);
    rounds.add(inCore, toMilliseconds(core.ns));
    for (const step of ['discoverNs', 'surroundingsNs', 'indexNs', 'worktreeNs', 'headNs']) {
      rounds.add(step, toMilliseconds(core[step]));
    }
  }

  const figures = floors.map(([name]) => figure(name, 'ms', rounds.of(name)));
  for (const { name, command, env } of contenders) {
    const counted = context.strace
      ? countSystemCalls(command, {
          cwd: subject.worktree,
          env: { ...subject.env, ...env },
          scratch: subject.scratch('strace.txt'),
        })
      : undefined;
    const more: Partial<Figure> = { peakMb: rounds.most(`${name}, peak`) };
    if (counted !== undefined) more.systemCalls = counted;
    figures.push(figure(name, 'ms', rounds.of(name), more));
  }
  figures.push(figure(inCore, 'ms', rounds.of(inCore)));
  const steps = {
    discoverNs: 'of it: finding the repository (git is asked)',
    surroundingsNs: 'of it: config (git is asked), HEAD, rules',
    indexNs: 'of it: loading the index',
    worktreeNs: 'of it: looking at the worktree',
    headNs: 'of it: HEAD against the index',
  };
  for (const [step, name] of Object.entries(steps)) figures.push(figure(name, 'ms', rounds.of(step)));

  const coldFloor = rounds.of(`floor, cold, ${threads} threads`);
  const own = figures.find(({ name }) => name === oursName);
  assert.ok(own);
  return {
    id: 'scan',
    title: 'First scan, warm disk cache, without watching',
    figures,
    verdicts: [againstFloor(own, coldFloor, { words: 'at most 1.15 x the cold floor', factor: 1.15 })],
    remarks: [
      ...(context.strace ? [] : ['System calls were not counted: there is no strace, or it was not wanted.']),
      ...(subject.hasFsmonitor() ? [] : ['This git has no fsmonitor of its own on this system.']),
    ],
  };
}

export function assertSameAnswers(
  { programs, subject }: Context,
  contenders: { name: string; command: string[]; env: NodeJS.ProcessEnv }[],
): void {
  let expected: Buffer | undefined;
  for (const { name, command, env } of contenders) {
    const output = subject.scratch('answer.txt');
    programs.once(command, { cwd: subject.worktree, env, output });
    const answer = readFileSync(output);
    expected ??= answer;
    assert.ok(answer.equals(expected), `${name} differs from git`);
  }
}
