/** The answer after 1, 100 and 10,000 edited files. */
import { type Context, Rounds } from '../context';
import { FileEdits } from '../fileEdits';
import { toMilliseconds } from '../programs';
import { againstValue, figure, type Row } from '../result';

interface Amount {
  count: number;
  goal: { words: string; value: number };
}

const amounts: Amount[] = [
  { count: 1, goal: { words: 'at most 0.2 ms in the core', value: 0.2 } },
  { count: 100, goal: { words: 'at most 1 ms in the core', value: 1 } },
  { count: 10_000, goal: { words: 'at most 100 ms in the core', value: 100 } },
];

export async function measureEdits(context: Context, files: number): Promise<Row[]> {
  const rows: Row[] = [];
  for (const amount of amounts.filter(({ count }) => count <= files / 2)) {
    rows.push(await context.subject.changing(() => measureAmount(context, amount)));
  }
  return rows;
}

function measureAmount(context: Context, { count, goal }: Amount): Row {
  const { subject, programs, threads, runs } = context;
  const rounds = new Rounds();
  // Drops the first run, which pays for first-time costs.
  const floor = toMilliseconds(programs.core('edits-floor', subject.worktree, count, runs + 1).ns);
  rounds.add('floor', floor.slice(1));
  const core = programs.core('edits', subject.worktree, threads, count, runs + 1);
  rounds.add('core', toMilliseconds(core.ns).slice(1));
  rounds.add('undone', toMilliseconds(core.undoneNs).slice(1));

  const edits = FileEdits.spread(subject, count);
  const variants = subject.gitVariants();
  edits.make();
  try {
    for (let round = 0; round < runs; round += 1) {
      for (const { name, command, env } of variants) {
        // Without a rewritten index, git does the same work in every round.
        const options = { cwd: subject.worktree, env: { ...env, GIT_OPTIONAL_LOCKS: '0' } };
        rounds.add(name, programs.once(command, options).milliseconds);
      }
    }
  } finally {
    edits.takeBack();
  }
  const ours = figure('in the core', 'ms', rounds.of('core'));
  return {
    id: `edits-${count}`,
    title: `After ${count.toLocaleString('en')} ${count === 1 ? 'edit' : 'edits'}`,
    figures: [
      figure('floor: the events, an lstat each', 'ms', rounds.of('floor')),
      ours,
      figure('in the core, after they were taken back (contents are compared)', 'ms', rounds.of('undone')),
      ...variants.map(({ name }) => figure(name, 'ms', rounds.of(name))),
    ],
    verdicts: [againstValue(ours, goal)],
    remarks: [],
  };
}
