/** Questions about a generated history: ahead and behind, the nearest tag, single objects. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type Context, Rounds } from '../context';
import { type Aid, aids, type History, historyIn } from '../histories';
import { toMilliseconds } from '../programs';
import { againstFloor, againstValue, figure, type Row } from '../result';

/** A smaller worktree gets the small history. */
const fewFiles = 10_000;
const objectReads = 20;
const describeAids = ['a commit-graph', 'neither'] as const;
const bare =
  'git: a whole process; in the core: nothing of the history read before, git already asked for its config.';

function gitIn(context: Context, worktree: string, args: string[]): string {
  const output = context.subject.scratch('said.txt');
  context.programs.once(['git', ...args], { cwd: worktree, output });
  return readFileSync(output, 'utf8').trim();
}

/** Measures core and git in each round with each aid. Verdict: no slower than git with the same aid. */
function besideGit(rounds: Rounds, own: string, measured: readonly Aid[]): Pick<Row, 'figures' | 'verdicts'> {
  const ours = measured.map((aid) => figure(`${own}, with ${aid}`, 'ms', rounds.of(`core ${aid}`)));
  return {
    figures: [...measured.map((aid) => figure(`git, with ${aid}`, 'ms', rounds.of(`git ${aid}`))), ...ours],
    verdicts: measured.flatMap((aid, i) =>
      ours
        .slice(i, i + 1)
        .map((one) =>
          againstFloor(one, rounds.of(`git ${aid}`), { words: `no slower than git, with ${aid}`, factor: 1 }),
        ),
    ),
  };
}

function aheadBehind(context: Context, { worktrees, otherBranch, ahead, behind }: History): Row {
  const { programs, runs } = context;
  const rounds = new Rounds();
  const args = ['rev-list', '--left-right', '--count', `main...${otherBranch}`];
  for (let round = 0; round < runs; round += 1) {
    for (const aid of aids) {
      const cwd = worktrees[aid];
      rounds.add(`git ${aid}`, programs.once(['git', ...args], { cwd }).milliseconds);
      const said = programs.core('ahead-behind', cwd, otherBranch, 1);
      assert.equal(gitIn(context, cwd, args), `${Number(said.ahead)}\t${Number(said.behind)}`);
      rounds.add(`core ${aid}`, toMilliseconds(said.ns));
    }
  }
  return {
    id: 'history-ahead-behind',
    title: `${ahead.toLocaleString('en')} commits ahead, ${behind.toLocaleString('en')} behind`,
    ...besideGit(rounds, 'ahead and behind in the core', aids),
    remarks: [bare],
  };
}

function nearestTag(context: Context, { worktrees, shared, ahead, behind }: History): Row {
  const { programs, runs } = context;
  const rounds = new Rounds();
  for (let round = 0; round < runs; round += 1) {
    for (const aid of describeAids) {
      const cwd = worktrees[aid];
      rounds.add(`git ${aid}`, programs.once(['git', 'describe', 'HEAD'], { cwd }).milliseconds);
      const said = programs.core('describe', cwd, 1);
      assert.match(gitIn(context, cwd, ['describe', '--long']), new RegExp(`-${Number(said.depth)}-g`));
      rounds.add(`core ${aid}`, toMilliseconds(said.ns));
    }
  }
  const tags = (shared + ahead + behind) / 10;
  return {
    id: 'history-describe',
    title: `The nearest of ${tags.toLocaleString('en')} tags, ${ahead.toLocaleString('en')} commits away`,
    ...besideGit(rounds, 'describe in the core', describeAids),
    remarks: [bare],
  };
}

/** File contents at commits far from each other. */
function fourObjects(context: Context, { worktrees, otherBranch, ahead, behind }: History): string[] {
  const commits = ['main', `main~${ahead / 2}`, `${otherBranch}~${behind / 2}`, otherBranch];
  const names = commits.map((commit, i) => `${commit}:d${i}/f${i}`);
  return gitIn(context, worktrees.neither, ['rev-parse', ...names]).split('\n');
}

function singleObjects(context: Context, history: History, small: History): Row {
  const { programs, runs } = context;
  const rounds = new Rounds();
  const packs = [
    { name: 'large', history },
    { name: 'small', history: small },
  ].map(({ name, history: one }) => ({
    name,
    ids: fourObjects(context, one),
    cwd: one.worktrees.neither,
  }));
  for (let round = 0; round < runs; round += 1) {
    for (const { name, ids, cwd } of packs) {
      const said = programs.core('objects', cwd, ids.join(','), objectReads);
      rounds.add(`${name}, first`, toMilliseconds(said.firstNs));
      rounds.add(name, [Math.min(...toMilliseconds(said.ns))]);
      rounds.add(`git ${name}`, programs.once(['git', 'show', ...ids], { cwd }).milliseconds);
    }
  }
  const ours = figure('in the core, of the large pack', 'ms', rounds.of('large'));
  return {
    id: 'history-objects',
    title: 'Four objects of a large pack, warm',
    figures: [
      ours,
      figure('in the core, of a small pack', 'ms', rounds.of('small')),
      figure('in the core, of the large pack, the first time', 'ms', rounds.of('large, first')),
      figure('git, show of the four: a whole process', 'ms', rounds.of('git large')),
    ],
    verdicts: [againstValue(ours, { words: 'at most 0.1 ms', value: 0.1 })],
    remarks: ['The best of some readings in one process, round by round.'],
  };
}

export function measureHistory(context: Context, files: number): Row[] {
  const { subject, cache } = context;
  const small = historyIn(cache, 'small', subject.env);
  const history = files < fewFiles ? small : historyIn(cache, 'large', subject.env);
  return [
    aheadBehind(context, history),
    nearestTag(context, history),
    singleObjects(context, history, small),
  ];
}
