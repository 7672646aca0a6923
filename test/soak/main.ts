/**
 * Runs the soak by hand.
 *
 *     npm run soak -- [--minutes 30] [--seed N] [--writers 4] [--clients] [worktree]
 *
 * With --clients, git with our hook and a prompt also ask, and must give git's answers. With a worktree, the
 * soak uses a clone of its repository, and leaves the worktree unchanged. Exits with 1 if an answer differs
 * from git's, or if the server's resources grew too much. Then all files are kept.
 */
import { parseArgs } from 'node:util';
import { resolve } from 'node:path';
import { rssLimitKb, type Sample, soak, type SoakResult, thirds } from './soak';

const options = {
  minutes: { type: 'string', default: '30' },
  seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  writers: { type: 'string', default: '4' },
  clients: { type: 'boolean', default: false },
} as const;

function positive(text: string, name: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new Error(`--${name}: not a positive number: ${text}`);
  return value;
}

const megabytes = (kb: number): string => (kb / 1024).toFixed(1);

function line({ seconds, rssKb, watches, descriptors }: Sample, { done, settles }: SoakResult): string {
  const cells = [
    `${(seconds / 60).toFixed(1)} min`,
    `${done} operations`,
    `${settles} settles`,
    `${megabytes(rssKb)} MB`,
    `${watches} watches`,
    `${descriptors} descriptors`,
  ];
  return cells.join(', ');
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const seconds = 60 * positive(values.minutes, 'minutes');
  const seed = positive(values.seed, 'seed');
  const [origin] = positionals;
  console.log(`seed ${seed}`);
  let toldAt = 0;
  const result = await soak({
    seconds,
    seed,
    writers: positive(values.writers, 'writers'),
    roundMs: 3000,
    clients: values.clients,
    ...(origin !== undefined && { origin: resolve(origin) }),
    onSettle: (sample, soFar) => {
      if (sample.seconds < toldAt) return;
      toldAt = sample.seconds + Math.max(10, seconds / 30);
      console.log(line(sample, soFar));
    },
  });
  const { firstKb, lastKb } = thirds(result.samples);
  console.log(
    `${result.done} operations (${result.cutShort} more cut short by each other), ${result.settles} settles, ` +
      `${result.comparisons} answers compared, ${result.asked} asked in between\n` +
      `memory: ${megabytes(firstKb)} MB in the first third, ${megabytes(lastKb)} MB in the last ` +
      `(at most ${megabytes(rssLimitKb(firstKb))})`,
  );
  if (result.fresh) {
    const { rssKb, watches, descriptors } = result.fresh;
    console.log(`a fresh server: ${megabytes(rssKb)} MB, ${watches} watches, ${descriptors} descriptors`);
  }
  if (!result.failure) return 0;
  console.log(`FAILED, seed ${seed}: ${result.failure.reason}\nkept: ${result.failure.kept}`);
  return 1;
}

void main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 2;
  },
);
