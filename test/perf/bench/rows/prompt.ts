/** A prompt in a worktree that a process keeps, and in one that nobody keeps. */
import { PromptProcess } from '../../../support/promptProcess';
import { ResidentServer } from '../../../support/server';
import { type Context, Rounds } from '../context';
import { againstValue, figure, type Row } from '../result';

const questions = 100;
/** Fewer questions, because each polls the directories without watches. */
const ownQuestions = 10;
/** More than the default budget, which is an eighth of the machine's watches. */
const enoughWatches = ['--watch-budget', '1000000'];
const commandsPerRun = 20;

export async function measurePrompt(context: Context): Promise<Row[]> {
  const rounds = new Rounds();
  for (let round = 0; round < context.runs; round += 1) {
    await whileKept(context, rounds);
    await whileNobodyKeeps(context, rounds);
    for (const { name, command, env } of context.subject.gitVariants()) {
      const options = { cwd: context.subject.worktree, env: { ...env, GIT_OPTIONAL_LOCKS: '0' } };
      rounds.add(name, context.programs.once(command, options).milliseconds);
    }
  }
  return [kept(context, rounds), unkept(context, rounds)];
}

/** Milliseconds of each answer, over pipes, by this process's clock. */
async function asked({ subject }: Context, count: number, args: readonly string[] = []): Promise<number[]> {
  const logPath = subject.scratch('prompt.log');
  const options = { env: subject.env, cwd: subject.worktree, logPath };
  const prompt = new PromptProcess(args, options);
  const samples: number[] = [];
  try {
    for (let i = 0; i < count; i += 1) {
      const started = performance.now();
      const told = await prompt.ask(subject.worktree);
      samples.push(performance.now() - started);
      if (told === undefined) throw new Error(`no repository: ${prompt.log}`);
    }
  } finally {
    await prompt.end();
  }
  return samples;
}

async function whileKept(context: Context, rounds: Rounds): Promise<void> {
  const { subject, programs } = context;
  const server = await ResidentServer.start(context.binary, subject.worktree, {
    env: subject.env,
    cwd: subject.worktree,
    logPath: subject.scratch('server.log'),
  });
  try {
    rounds.add('kept', (await asked(context, questions)).slice(1));
    const command = [context.binary, 'prompt', '--format'];
    const options = { cwd: subject.worktree, repeat: commandsPerRun };
    rounds.add('kept, a process', programs.once(command, options).milliseconds);
  } finally {
    await server.stop();
  }
}

async function whileNobodyKeeps(context: Context, rounds: Rounds): Promise<void> {
  const [first = NaN, ...later] = await asked(context, questions, enoughWatches);
  rounds.add('own, first', [first]);
  rounds.add('own', later);
  rounds.add('own, short of watches', (await asked(context, ownQuestions)).slice(1));
  const command = [context.binary, 'prompt', '--format'];
  rounds.add('a scan', context.programs.once(command, { cwd: context.subject.worktree }).milliseconds);
}

function kept({ subject }: Context, rounds: Rounds): Row {
  const ours = figure('gitstatusd’s protocol, one answer', 'ms', rounds.of('kept'));
  return {
    id: 'prompt-kept',
    title: 'A prompt where the worktree is kept',
    figures: [
      ours,
      figure('git-resident prompt --format, whole process', 'ms', rounds.of('kept, a process')),
      ...subject.gitVariants().map(({ name }) => figure(name, 'ms', rounds.of(name))),
    ],
    verdicts: [againstValue(ours, { words: 'under 1 ms', value: 1 })],
    remarks: [],
  };
}

function unkept({ subject }: Context, rounds: Rounds): Row {
  const later = figure('gitstatusd’s protocol, each later answer', 'ms', rounds.of('own'));
  return {
    id: 'prompt-own',
    title: 'A prompt where nobody keeps the worktree',
    figures: [
      figure('gitstatusd’s protocol, the first answer', 'ms', rounds.of('own, first')),
      later,
      figure('the same within the watch budget of this machine', 'ms', rounds.of('own, short of watches')),
      figure('git-resident prompt --format, whole process: a scan', 'ms', rounds.of('a scan')),
      ...subject.gitVariants().map(({ name }) => figure(name, 'ms', rounds.of(name))),
    ],
    verdicts: [againstValue(later, { words: 'later ones under 1 ms', value: 1 })],
    remarks: [],
  };
}
