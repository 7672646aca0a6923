/**
 * Times `git status --porcelain`, and `git-resident status --porcelain` with each source, in a repository of
 * 50,000 files with a few changes. The programs alternate, so that other work on the machine affects all of
 * them. Every answer is compared with git's.
 *
 *     npx tsx test/perf/compare.ts [--files N] [--rounds N]
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { residentBinary } from '../support/binary';
import { Sandbox } from '../support/sandbox';
import { ResidentServer } from '../support/server';
import { makeLargeRepository, nameOf } from './largeRepository';

const { values } = parseArgs({
  options: {
    files: { type: 'string', default: '50000' },
    rounds: { type: 'string', default: '15' },
  },
});
const fileCount = Number(values.files);
const roundCount = Number(values.rounds);
// git reads a file again until its stat data are older than the index.
const settleMs = 2_000;

interface Contender {
  name: string;
  command: string[];
  milliseconds: number[];
}

async function main(): Promise<void> {
  const sandbox = new Sandbox();
  let server: ResidentServer | undefined;
  try {
    const repository = makeLargeRepository(sandbox, fileCount);
    const { root } = repository;
    await new Promise((resolve) => setTimeout(resolve, settleMs));
    repository.git('update-index', '-q', '--really-refresh');
    for (let i = 0; i < 5; i += 1) repository.append(nameOf(i * 1009), '// edited\n');
    repository.write('src/new.ts', 'new\n');
    await new Promise((resolve) => setTimeout(resolve, settleMs));

    const binary = residentBinary();
    const environment = { env: sandbox.env, cwd: root };
    server = await ResidentServer.start(binary, root, {
      ...environment,
      logPath: sandbox.path('server.log'),
    });
    const contenders: Contender[] = [
      { name: 'git status', command: ['git', 'status', '--porcelain'], milliseconds: [] },
      ...['resident', 'scan'].map((source) => ({
        name: `git-resident status --source=${source}`,
        command: [binary, 'status', `--source=${source}`, '--porcelain'],
        milliseconds: [],
      })),
    ];
    for (let round = 0; round < roundCount; round += 1) {
      let expected: Buffer | undefined;
      for (const { name, command, milliseconds } of contenders) {
        const [program = '', ...args] = command;
        const started = performance.now();
        const result = spawnSync(program, args, environment);
        milliseconds.push(performance.now() - started);
        assert.equal(result.status, 0, `${name}: ${result.stderr.toString('latin1')}`);
        expected ??= result.stdout;
        assert.ok(result.stdout.equals(expected), `${name} differs from git`);
      }
    }
    print(contenders);
  } finally {
    await server?.stop();
    sandbox.remove();
  }
}

function print(contenders: Contender[]): void {
  console.log(`${fileCount} files, ${roundCount} rounds; ratios are git's time over the other's`);
  const figures = contenders.map(({ name, milliseconds }) => {
    const sorted = [...milliseconds].sort((a, b) => a - b);
    return { name, least: sorted[0] ?? NaN, median: sorted[Math.floor(sorted.length / 2)] ?? NaN };
  });
  const [git] = figures;
  for (const { name, least, median } of figures) {
    const ratios =
      git === undefined
        ? ''
        : `   x${(git.least / least).toFixed(1)} (min)   x${(git.median / median).toFixed(1)} (median)`;
    console.log(
      `${name.padEnd(38)} min ${least.toFixed(1).padStart(7)} ms   median ${median.toFixed(1).padStart(7)} ms${ratios}`,
    );
  }
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
