/** Loading the index, HEAD against the index, a new index after `git add`, a checkout. */
import { type Context, Rounds } from '../context';
import { toMb, toMilliseconds } from '../programs';
import { againstFloor, againstValue, figure, type Row, type Verdict } from '../result';

const loadsPerRun = 3;
const headRuns = 20;

export function measureLoad(context: Context): Row {
  const { subject, programs } = context;
  const rounds = new Rounds();
  const versions = [2, 4].map((version) => ({ version, path: subject.indexCopy(version) }));
  for (let round = 0; round < context.runs; round += 1) {
    for (const { version, path } of versions) {
      const floor = toMilliseconds(programs.floor('index', path, loadsPerRun).ns);
      const core = programs.core('load', path, loadsPerRun);
      rounds.add(`floor ${version}`, [Math.min(...floor)]);
      rounds.add(`core ${version}`, [Math.min(...toMilliseconds(core.ns))]);
      rounds.add(`verified ${version}`, [Math.min(...toMilliseconds(core.verifiedNs))]);
    }
  }
  const verdicts: Verdict[] = versions.map(({ version }) => {
    const ours = figure(`ours, version ${version}`, 'ms', rounds.of(`core ${version}`));
    return againstFloor(ours, rounds.of(`floor ${version}`), {
      words: 'at most 1.3 x read, parse and group by directory',
      factor: 1.3,
    });
  });
  return {
    id: 'load',
    title: 'Loading the index',
    figures: versions.flatMap(({ version }) => [
      figure(`floor, version ${version}`, 'ms', rounds.of(`floor ${version}`)),
      figure(`ours, version ${version}`, 'ms', rounds.of(`core ${version}`)),
      figure(`ours, version ${version}, checksum verified`, 'ms', rounds.of(`verified ${version}`)),
    ]),
    verdicts,
    remarks: ['The best of some loads in one process, round by round.'],
  };
}

export function measureHead(context: Context): Row {
  const { subject, programs } = context;
  const rounds = new Rounds();
  const command = ['git', 'diff-index', '--cached', '--quiet', 'HEAD'];
  for (let round = 0; round < context.runs; round += 1) {
    const core = programs.core('head', subject.worktree, headRuns);
    // The first run of a process reads the objects from the disk.
    rounds.add('core', toMilliseconds(core.ns).slice(0, 1));
    rounds.add('git', programs.once(command, { cwd: subject.worktree }).milliseconds);
  }
  const ours = figure('in the core', 'ms', rounds.of('core'));
  return {
    id: 'head',
    title: 'HEAD against the index',
    figures: [ours, figure('git diff-index --cached, whole process', 'ms', rounds.of('git'))],
    verdicts: [againstValue(ours, { words: 'at most 5 ms by the cache-tree', value: 5 })],
    remarks: [],
  };
}

export function measureAdd(context: Context): Promise<Row> {
  const { subject, programs, threads } = context;
  return subject.changing(() => {
    const said = programs.core('add', subject.worktree, threads, Math.ceil(context.runs / 2));
    const ours = figure('answer after `git add` of one file, in the core', 'ms', toMilliseconds(said.ns));
    const ofNew = figure(
      'answer after `git add` of a new file, and after it is out again',
      'ms',
      toMilliseconds(said.newNs),
    );
    const floor = toMilliseconds(said.floorNs);
    const goal = { words: 'at most 1.5 x reading and parsing the new index', factor: 1.5 };
    return {
      id: 'add',
      title: '`git add` of one file',
      figures: [
        figure('floor: read and parse the new index', 'ms', floor),
        figure('ours: loading the new index', 'ms', toMilliseconds(said.loadNs)),
        ours,
        ofNew,
      ],
      verdicts: [againstFloor(ours, floor, goal), againstFloor(ofNew, toMilliseconds(said.newFloorNs), goal)],
      remarks: [],
    };
  });
}

export function measureCheckout(context: Context): Promise<Row> {
  const { subject, programs, threads } = context;
  return subject.changing(() => {
    const { worktree, otherBranch } = subject;
    const files = subject.git(['diff', '--name-only', 'HEAD', otherBranch]).split('\n').length - 1;
    const said = programs.core('checkout', worktree, otherBranch, threads, Math.ceil(context.runs / 2));
    const ours = figure('right, after its end', 'ms', toMilliseconds(said.ns), { peakMb: toMb(said.peakKb) });
    const rows = figure('rows told meanwhile, at most', 'rows', said.mostRows as number[]);
    const checkout = toMilliseconds(said.checkoutNs);
    return {
      id: 'checkout',
      title: `\`git checkout\` that changes ${files.toLocaleString('en')} files`,
      figures: [
        figure('the checkout, nobody watching', 'ms', toMilliseconds(said.aloneNs)),
        figure('the checkout, while we follow', 'ms', checkout),
        ours,
        rows,
        figure('deltas told meanwhile', 'rows', said.deltas as number[]),
      ],
      verdicts: [
        againstFloor(ours, checkout, {
          words: "right at most 10% of the checkout's time after it",
          factor: 0.1,
        }),
        againstValue(rows, { words: 'no flicker of wrong states: no row is told', value: 0 }),
      ],
      remarks: [],
    };
  });
}
