/**
 * Builds missing parts and runs the bench. Its options: test/perf/bench/main.ts.
 *
 *     npm run bench [-- options]
 */
import { build, kBench, kShipped } from './build.mjs';
import { setup } from './setup.mjs';
import { inRoot, main, npmBinary, tryRun } from './shell.mjs';

await main(async () => {
  setup();
  await build([...kShipped, kBench]);
  const script = inRoot('test', 'perf', 'bench', 'main.ts');
  process.exitCode = tryRun(npmBinary('tsx'), [script, ...process.argv.slice(2)]).status ?? 1;
});
