/**
 * Builds missing parts and runs the soak. Its options: test/soak/main.ts.
 *
 *     npm run soak -- [--minutes 30] [--seed N] [--writers 4] [--clients] [worktree]
 */
import { build, kShipped } from './build.mjs';
import { setup } from './setup.mjs';
import { inRoot, main, npmBinary, tryRun } from './shell.mjs';

await main(async () => {
  setup();
  await build(kShipped);
  const script = inRoot('test', 'soak', 'main.ts');
  process.exitCode = tryRun(npmBinary('tsx'), [script, ...process.argv.slice(2)]).status ?? 1;
});
