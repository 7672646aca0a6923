/**
 * Measures git-resident beside git and beside the floor, and writes a report.
 *
 *     npm run bench [-- options]
 *
 *     --size SIZE,…       400k (the default), 1m, 2m, tiny, or a number of files; several sizes show the growth
 *     --repository PATH   your own repository instead; rows that change files are skipped
 *     --rows NAME,…       all by default: scan, resident, prompt, load, head, refs, history, cold, polled, narrow, edits,
 *                         delta, add, checkout, monitor, many; history and many have repositories of their own:
 *                         `--size tiny --rows many` measures only that row
 *     --runs N            rounds, 7 by default
 *     --threads N         threads of scans and floors; by default the number of cores
 *     --worktrees N       worktrees of the row `many`; 1,000 by default
 *     --no-strace         do not count system calls, which takes minutes with a million files
 *     --cache FOLDER      folder of generated repositories; git-resident-bench in the system's temporary
 *                         folder by default
 *     --output FOLDER     dist/bench by default: bench.md, bench.json, bench.svg
 */
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { hasStrace } from './programs';
import { type BenchOptions, rowGroups, runBench } from './bench';

// npm changes to the clone before it runs us; INIT_CWD is the user's directory.
const here = process.env.INIT_CWD ?? '.';

function positive(text: string, name: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1) throw new Error(`--${name} wants a number`);
  return number;
}

function parse(): BenchOptions {
  const { values } = parseArgs({
    options: {
      size: { type: 'string', default: '400k' },
      repository: { type: 'string' },
      rows: { type: 'string', default: Object.keys(rowGroups).join(',') },
      runs: { type: 'string', default: '7' },
      threads: { type: 'string', default: String(availableParallelism()) },
      worktrees: { type: 'string', default: '1000' },
      'no-strace': { type: 'boolean', default: false },
      cache: { type: 'string', default: join(tmpdir(), 'git-resident-bench') },
      output: { type: 'string' },
    },
  });
  const rows = values.rows.split(',');
  const unknown = rows.find((name) => !(name in rowGroups));
  if (unknown !== undefined) {
    throw new Error(`no row is called ${unknown}; there are: ${Object.keys(rowGroups).join(', ')}`);
  }
  return {
    sizes: values.size.split(','),
    ...(values.repository === undefined ? {} : { repository: resolve(here, values.repository) }),
    rows,
    runs: positive(values.runs, 'runs'),
    threads: positive(values.threads, 'threads'),
    worktrees: positive(values.worktrees, 'worktrees'),
    strace: !values['no-strace'] && hasStrace(),
    cache: resolve(here, values.cache),
    output:
      values.output === undefined ? resolve(__dirname, '../../../dist/bench') : resolve(here, values.output),
    say: (text) => console.log(text),
  };
}

async function main(): Promise<void> {
  const options = parse();
  await runBench(options);
  console.log(`the report: ${join(options.output, 'bench.md')}`);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
