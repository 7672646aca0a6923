/** Answers with insufficient watches: too few of them, and a file system that others may write to. */
import { appendFileSync, mkdirSync, statSync, truncateSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { limitedTo } from '../../../support/limited';
import { fuseCommand } from '../../../support/mounted';
import { run } from '../../../support/run';
import { ResidentServer } from '../../../support/server';
import { type Context, Rounds } from '../context';
import { againstFloor, figure, type Row, type Verdict } from '../result';
import { measureToldUnasked } from '../toldUnasked';

const watchedPercents = [0, 25, 75];
const fuseKeepsSeconds = [0, 1];
/** Positions of the changed files in the list. */
const samplesOf = [0.5, 0.1, 0.3, 0.7, 0.9];
/** Limit of files on FUSE, because polling there is slow. */
const maxFilesOnFuse = 10_000;

const git = 'git';
const scan = 'git-resident status --source=scan';
const resident = 'git-resident status --source=resident';
const first = `${resident}, the first`;
const edited = `${resident}, after an edit`;
const told = 'a write in place, told unasked';
/** CPU use of the process that keeps the worktree. */
const share = 'its share of a core, in percent';

interface Place {
  worktree: string;
  launcher: string[];
  /** Tracked files, by path from the root. */
  files: readonly string[];
  /** Duration of the measurement of polling. */
  seconds: number;
}

/** Each round starts a server, and so includes a first answer. */
async function measurePlace(context: Context, place: Place): Promise<Rounds> {
  const { subject, programs, binary } = context;
  const rounds = new Rounds();
  const { worktree, launcher } = place;
  const options = { cwd: worktree, env: { GIT_OPTIONAL_LOCKS: '0' } };
  const ask = (name: string, command: string[]): void =>
    rounds.add(name, programs.once(command, options).milliseconds);
  const asked = [binary, 'status', '--porcelain', '--source=resident'];
  const path = join(worktree, place.files[0] ?? '');
  for (let round = 0; round < context.runs; round += 1) {
    const server = await ResidentServer.start(binary, worktree, {
      env: subject.env,
      cwd: worktree,
      logPath: subject.scratch('polled.log'),
      launcher,
    });
    try {
      ask(first, asked);
      ask(git, ['git', 'status', '--porcelain']);
      ask(scan, [binary, 'status', '--porcelain', '--source=scan']);
      ask(resident, asked);
      const { size, atimeMs, mtimeMs } = statSync(path);
      appendFileSync(path, 'edited');
      ask(edited, asked);
      truncateSync(path, size);
      utimesSync(path, atimeMs / 1000, mtimeMs / 1000);
      const unasked = await measureToldUnasked(server.pid, place.files, {
        binary,
        worktree,
        writtenBelow: subject.worktree,
        env: subject.env,
        seconds: place.seconds,
      });
      rounds.add(told, unasked.milliseconds);
      rounds.add(share, [unasked.share * 100]);
    } finally {
      await server.stop();
    }
  }
  return rounds;
}

function rowOf(id: string, title: string, rounds: Rounds, remarks: string[] = []): Row {
  const figures = [git, scan, first, resident, edited].map((name) => figure(name, 'ms', rounds.of(name)));
  const goal = { words: 'at most 1.1 x our own scan', factor: 1.1 };
  const ours = figures.filter(({ name }) => name.startsWith(resident));
  const [latest, most] = [rounds.most(told), rounds.most(share)];
  const unasked: Verdict[] = [
    { ours: `${told} after at most ${latest.toFixed(0)} ms`, goal: { words: '3 s' }, met: latest <= 3000 },
    { ours: `${most.toFixed(1)}% of a core`, goal: { words: 'at most 5%' }, met: most <= 5 },
  ];
  return {
    id,
    title,
    figures: [...figures, figure(told, 'ms', rounds.of(told))],
    verdicts: [...ours.map((own) => againstFloor(own, rounds.of(scan), goal)), ...unasked],
    remarks,
  };
}

async function measureOnFuse(context: Context, keptSeconds: number, files: readonly string[]): Promise<Row> {
  const { subject } = context;
  const above = subject.scratch(`fuse-${keptSeconds}`);
  mkdirSync(above);
  const [program = '', ...args] = fuseCommand(subject.worktree, above, keptSeconds);
  const options = { cwd: '/', env: subject.env };
  const mounted = run(program, args, options);
  if (mounted.code !== 0) throw new Error(mounted.stderr.toString('utf8'));
  try {
    const rounds = await measurePlace(context, { worktree: above, launcher: [], files, seconds: 1 });
    const title = `On FUSE, which keeps what it says of a file for ${keptSeconds} s`;
    return rowOf(`fuse-${keptSeconds}`, title, rounds);
  } finally {
    run('umount', ['-l', above], options);
  }
}

export async function measurePolled(context: Context, count: number): Promise<Row[]> {
  const { subject, programs } = context;
  if (process.getuid?.() !== 0) {
    const remarks = ['Not measured: a limit on watches of its own, and a mount, take root.'];
    return [{ id: 'polled', title: 'Where watches tell too little', figures: [], verdicts: [], remarks }];
  }
  const directories = Number(programs.floor('index', subject.indexPath, 1).directories);
  const names = subject.git(['ls-files', '-z']).split('\0');
  const files = samplesOf.map((part) => names[Math.floor(names.length * part)] ?? '');
  const seconds = count > maxFilesOnFuse ? 20 : 1;
  return subject.changing(async () => {
    const rows: Row[] = [];
    for (const percent of watchedPercents) {
      const launcher = limitedTo(Math.round((directories * percent) / 100));
      const rounds = await measurePlace(context, { worktree: subject.worktree, launcher, files, seconds });
      rows.push(rowOf(`polled-${percent}`, `With watches for ${percent}% of the directories`, rounds));
    }
    if (count > maxFilesOnFuse) return rows;
    for (const kept of fuseKeepsSeconds) rows.push(await measureOnFuse(context, kept, files));
    return rows;
  });
}
