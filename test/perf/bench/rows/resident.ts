/**
 * The resident model: first answer with every directory watched, a rescan, memory, and answers without
 * changes.
 */
import assert from 'node:assert/strict';
import { ResidentServer } from '../../../support/server';
import { type Context, Rounds } from '../context';
import { countSystemCalls, systemCallsDuring, toMb, toMilliseconds } from '../programs';
import { againstFloor, againstValue, type Figure, figure, type Row } from '../result';
import { sum } from '../statistics';

const rescansPerRun = 2;
const idleQuestions = 1000;
const commandsPerRun = 20;
const straceQuestions = 20;

/** Memory goal in MB. */
function memoryGoal(files: number): { words: string; value: number } | undefined {
  if (files <= 400_000) return { words: 'at most 64 MB at 400,000 files', value: 64 };
  if (files <= 1_000_000) return { words: 'at most 150 MB at 1,000,000 files', value: 150 };
  return undefined;
}

export async function measureResident(context: Context, files: number): Promise<Row[]> {
  const { subject, programs, threads } = context;
  const rounds = new Rounds();
  for (let round = 0; round < context.runs; round += 1) {
    rounds.add('hot', toMilliseconds(programs.floor('hot', subject.worktree, threads).ns));
    rounds.add('cold', toMilliseconds(programs.floor('cold', subject.worktree, threads).ns));
    rounds.add('watch', toMilliseconds(programs.floor('watch', subject.worktree, threads).ns));
    rounds.add('watch 1', toMilliseconds(programs.floor('watch', subject.worktree, 1).ns));
    // The first load of a process allocates its memory, like a server's first load.
    rounds.add('index', toMilliseconds(programs.floor('index', subject.indexPath, 1).ns));
    const served = programs.ready([context.binary, 'serve', subject.worktree], { cwd: subject.worktree });
    rounds.add('served', served.milliseconds);
    rounds.add('served, memory', [served.residentMb]);
    rounds.add('served, peak', [served.peakMb]);
    const core = programs.core('resident', subject.worktree, threads, rescansPerRun, idleQuestions);
    rounds.add('core', toMilliseconds(core.ns));
    rounds.add('rescan', [Math.min(...toMilliseconds(core.rescanNs))]);
    rounds.add('idle', toMilliseconds(core.idleNs));
    rounds.add('rescanned, memory', [toMb(core.rescannedKb)]);
  }
  return [
    watched(context, rounds),
    rescanned(context, rounds),
    await idle(context, rounds),
    memory(rounds, files),
  ];
}

function watched({ threads }: Context, rounds: Rounds): Row {
  const served = figure('git-resident serve: start to first answer', 'ms', rounds.of('served'), {
    peakMb: rounds.most('served, peak'),
  });
  const floor = sum(rounds.of('cold'), rounds.of('watch'), rounds.of('index'));
  return {
    id: 'watched',
    title: 'First answer with every directory watched',
    figures: [
      figure(`floor, cold, ${threads} threads`, 'ms', rounds.of('cold')),
      figure(`floor, watches, ${threads} threads`, 'ms', rounds.of('watch')),
      figure('floor, watches, 1 thread', 'ms', rounds.of('watch 1')),
      figure('floor, index, first load of a process', 'ms', rounds.of('index')),
      figure('the three floors together', 'ms', floor),
      served,
      figure('in the core', 'ms', rounds.of('core')),
    ],
    verdicts: [
      againstFloor(served, floor, { words: 'at most 1.25 x the three floors together', factor: 1.25 }),
    ],
    remarks: [],
  };
}

function rescanned({ threads }: Context, rounds: Rounds): Row {
  const rescan = figure('rescan, in the core', 'ms', rounds.of('rescan'));
  return {
    id: 'rescan',
    title: 'Everything verified again, nothing changed',
    figures: [figure(`floor, hot, ${threads} threads`, 'ms', rounds.of('hot')), rescan],
    verdicts: [
      againstFloor(rescan, rounds.of('hot'), { words: 'at most 1.10 x the hot floor', factor: 1.1 }),
    ],
    remarks: [],
  };
}

function memory(rounds: Rounds, files: number): Row {
  const served = figure('git-resident serve, at its first answer', 'MB', rounds.of('served, memory'), {
    peakMb: rounds.most('served, peak'),
  });
  const goal = memoryGoal(files);
  return {
    id: 'memory',
    title: 'Memory, resident and watched (RSS)',
    figures: [served, figure('in the core, after rescans', 'MB', rounds.of('rescanned, memory'))],
    verdicts: goal === undefined ? [] : [againstValue(served, goal)],
    remarks: [],
  };
}

async function idle(context: Context, rounds: Rounds): Promise<Row> {
  const { subject, programs } = context;
  const command = [context.binary, 'status', '--source=resident', '--porcelain'];
  const server = await ResidentServer.start(context.binary, subject.worktree, {
    env: subject.env,
    cwd: subject.worktree,
    logPath: subject.scratch('server.log'),
  });
  const remarks: string[] = [];
  const more: Partial<Figure> = {};
  try {
    for (let round = 0; round < context.runs; round += 1) {
      const options = { cwd: subject.worktree, repeat: commandsPerRun };
      rounds.add('spawn', programs.once([context.binary, 'version'], options).milliseconds);
      const asked = programs.once(command, options);
      rounds.add('command', asked.milliseconds);
      rounds.add('command, peak', [asked.peakMb]);
    }
    if (context.strace) {
      const scratch = subject.scratch('strace.txt');
      const inServer = await systemCallsDuring(server.pid, scratch, () => {
        programs.once(command, { cwd: subject.worktree, repeat: straceQuestions });
      });
      const inCommand = countSystemCalls(command, { cwd: subject.worktree, env: subject.env, scratch });
      if (inCommand !== undefined) more.systemCalls = inCommand;
      if (inServer !== undefined) {
        const names = Object.entries(inServer.byName).map(
          ([name, count]) => `${name} ${(count / straceQuestions).toFixed(1)}`,
        );
        const total = (inServer.total / straceQuestions).toFixed(1);
        remarks.push(`System calls of the server for one question: ${total} (${names.join(', ')}).`);
      }
    }
  } finally {
    await server.stop();
  }
  const core = figure('in the core', 'ms', rounds.of('idle'));
  const asked = figure('git-resident status, whole process', 'ms', rounds.of('command'), {
    peakMb: rounds.most('command, peak'),
    ...more,
  });
  assert.ok(core.samples.length > 0);
  return {
    id: 'idle',
    title: 'A resident answer, nothing changed',
    figures: [
      core,
      figure('git-resident version: a process and nothing else', 'ms', rounds.of('spawn')),
      asked,
    ],
    verdicts: [
      againstValue(core, { words: 'below 20 µs in the core', value: 0.02 }),
      againstValue(asked, { words: "below 1 ms through the CLI's whole process", value: 1 }),
    ],
    remarks,
  };
}
