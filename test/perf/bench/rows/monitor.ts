/** git's usual commands with each accelerator: its caches, our monitor, its own daemon. */
import assert from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
import { type Context, Rounds } from '../context';
import { FileEdits } from '../fileEdits';
import { configOf, type Help, helpNames, helpsOf, replaceFile, stampOf } from '../monitors';
import { withoutCaches } from '../../../support/oracle';
import { againstFloor, figure, type Row, type Verdict } from '../result';

const amounts = [0, 1, 100, 10_000];

interface Command {
  id: string;
  words: string[];
}

const commands: Command[] = [
  { id: 'status', words: ['status'] },
  { id: 'diff', words: ['diff'] },
  { id: 'add', words: ['add', '.'] },
  { id: 'commit', words: ['commit', '-a', '--allow-empty', '-m', 'edited'] },
  { id: 'stash', words: ['stash'] },
];

/**
 * A warm git no longer writes its index. It needs three statuses with a monitor. After a directory changed,
 * its untracked cache stays racy for a second.
 */
const leastStatuses = 8;
const settleMs = 10_000;
const firstAfterEdits = 'The first command after the edits: the index has not been written since.';

/** One accelerator with its own index, which is the worktree's index during its turn. */
class Helped {
  private readonly index: string;
  private readonly config: string[];

  constructor(
    private readonly context: Context,
    readonly help: Help,
    number: number,
  ) {
    const { subject } = context;
    this.config = configOf(help.settings);
    this.index = subject.scratch(`index.help-${number}`);
    copyFileSync(subject.indexPath, this.index);
    const version = String(help.indexVersion);
    const words = ['-c', 'core.fsmonitor=false', 'update-index', '--index-version', version];
    subject.git([...words, '--force-write-index'], { GIT_INDEX_FILE: this.index });
  }

  command(words: readonly string[]): string[] {
    return ['git', ...this.config, ...words];
  }

  /** git uses this accelerator while `act` runs. */
  async during(act: () => void): Promise<void> {
    replaceFile(this.context.subject.indexPath, this.index);
    const stop = await this.help.start?.();
    try {
      act();
    } finally {
      await stop?.();
    }
  }

  /** Runs git until its caches are as full as possible before an edit. */
  settle(): void {
    const { subject } = this.context;
    const began = performance.now();
    for (let i = 0; i < leastStatuses || performance.now() - began < settleMs; i += 1) {
      const before = stampOf(subject.indexPath);
      subject.git(this.command(['status', '--porcelain']).slice(1));
      if (stampOf(subject.indexPath) !== before) continue;
      copyFileSync(subject.indexPath, this.index);
      return;
    }
    throw new Error(`${this.help.name}: git writes its index with each status`);
  }

  putBack(): void {
    replaceFile(this.context.subject.indexPath, this.index);
  }

  /** Fails if git's answer with this accelerator differs from its answer without. */
  assertRight(): void {
    const { subject } = this.context;
    const status = ['status', '--porcelain=v2', '--branch'];
    const env = { GIT_OPTIONAL_LOCKS: '0' };
    const told = subject.git(this.command(status).slice(1), env);
    assert.equal(told, subject.git([...withoutCaches, ...status], env), `${this.help.name} differs from git`);
  }

  /** Fails if git ignores the monitor: the measurement would be wrong. */
  assertHeard(): void {
    if (!this.help.isMonitor) return;
    const marks = this.context.subject.git(this.command(['ls-files', '-f']).slice(1));
    assert.ok(!/^[A-Z?]/m.test(marks), `${this.help.name}: git does not believe it`);
  }
}

function isMeasured({ isIdle }: Help, amount: number, { id }: Command): boolean {
  return !isIdle || (amount === 0 && id === 'status');
}

/** Runs all commands once, each from the same state. A rehearsal compares answers instead of times. */
function takeTurn(
  context: Context,
  helped: Helped,
  { edits, amount, rounds }: { edits: FileEdits; amount: number; rounds: Rounds | undefined },
): void {
  const { subject, programs } = context;
  const isRehearsal = rounds === undefined;
  const commit = subject.git(['rev-parse', 'HEAD']).trim();
  for (const command of commands) {
    if (!isMeasured(helped.help, amount, command)) continue;
    helped.settle();
    // The state is the same before each command.
    const isFirst = isRehearsal && command === commands[0];
    if (isFirst) helped.assertHeard();
    edits.make();
    try {
      if (isFirst) helped.assertRight();
      const options = { cwd: subject.worktree };
      const { milliseconds } = programs.once(helped.command(command.words), options);
      rounds?.add(`${helped.help.name} ${command.id}`, milliseconds);
      if (isRehearsal) helped.assertRight();
    } finally {
      edits.takeBack();
    }
    if (command.id === 'commit') subject.git(['update-ref', 'HEAD', commit]);
    if (command.id === 'stash') subject.git(['stash', 'clear']);
    helped.putBack();
  }
}

function editsText(amount: number): string {
  return `${amount.toLocaleString('en')} ${amount === 1 ? 'edit' : 'edits'}`;
}

/** Compares with the accelerator of that name: the limit is `factor` times its time. */
type Goal = [name: string, words: string, factor: number];

function rowOf(
  context: Context,
  helps: readonly Help[],
  amount: number,
  command: Command,
  rounds: Rounds,
): Row {
  const measured = helps.filter((help) => isMeasured(help, amount, command));
  const samples = ({ name }: { name: string }): number[] => rounds.of(`${name} ${command.id}`);
  const ofDaemon: Goal = [helpNames.daemon, "at most 1.1 x git's own daemon", 1.1];
  const byHook: Goal[] = [
    [helpNames.manyFiles, 'no slower than with feature.manyFiles alone', 1],
    ofDaemon,
    [helpNames.idle, 'at most 1.1 x a hook that does nothing', 1.1],
  ];
  const edits = editsText(amount);
  const words = `git ${command.words.slice(0, 2).join(' ')}`;
  const isIn = (name: string): boolean => measured.some((help) => help.name === name);
  const verdictsOf = (ours: string, goals: readonly Goal[]): Verdict[] =>
    (isIn(ours) ? goals : [])
      .filter(([name]) => isIn(name))
      .map(([name, goal, factor]) => ({
        ...againstFloor(figure(ours, 'ms', samples({ name: ours })), samples({ name }), {
          words: goal,
          factor,
        }),
        ours: `${words} after ${edits}, ${ours.replace(/^git /, '')}`,
      }));
  return {
    id: `monitor-${command.id}-${amount}`,
    title: `\`${words}\` after ${edits}, by what helps git`,
    figures: measured.map(({ name }) => figure(name, 'ms', samples({ name }))),
    verdicts: [...verdictsOf(helpNames.ours, byHook), ...verdictsOf(helpNames.inPlace, [ofDaemon])],
    remarks: [
      ...(amount === 0 ? [] : [firstAfterEdits]),
      ...(context.subject.hasFsmonitor() ? [] : ['This git has no fsmonitor of its own on this system.']),
    ],
  };
}

export function measureMonitor(context: Context, files: number): Promise<Row[]> {
  const { subject, runs } = context;
  // Each turn starts its own daemon, and no other runs meanwhile.
  subject.stopGit();
  return subject.changing(async () => {
    const helps = helpsOf(context);
    const helped = helps.map((help, number) => new Helped(context, help, number));
    const rows: Row[] = [];
    for (const amount of amounts.filter((count) => count <= files / 2)) {
      const edits = FileEdits.spread(subject, amount);
      const rounds = new Rounds();
      context.say(`  after ${editsText(amount)}`);
      // The first round is a rehearsal: compares answers, and writes objects that later rounds find.
      for (let round = 0; round <= runs; round += 1) {
        for (const one of helped) {
          const turn = { edits, amount, rounds: round === 0 ? undefined : rounds };
          if (commands.some((command) => isMeasured(one.help, amount, command))) {
            await one.during(() => takeTurn(context, one, turn));
          }
        }
      }
      rows.push(...commands.map((command) => rowOf(context, helps, amount, command, rounds)));
    }
    subject.git(['reflog', 'expire', '--expire=now', '--expire-unreachable=now', '--all']);
    subject.git(['prune', '--expire=now']);
    return rows;
  });
}
