/**
 * Serves the real workbench in a browser with the packaged extension installed.
 *
 *     npm run vscode [-- <worktree>]
 */
import fs from 'node:fs';
import path from 'node:path';
import { build } from './build.mjs';
import { packageExtension } from './package.mjs';
import { setup } from './setup.mjs';
import { Failure, inRoot, main, npmBinary, root, run, testVsixPath } from './shell.mjs';

await main(async () => {
  // npm changes to the clone before it runs us; INIT_CWD is the user's directory.
  const worktree = path.resolve(process.env.INIT_CWD ?? '.', process.argv[2] ?? root);
  if (!fs.statSync(worktree, { throwIfNoEntry: false })?.isDirectory()) {
    throw new Failure(`${worktree} is not a folder`);
  }
  setup({ workbench: true });
  await build();
  packageExtension(testVsixPath());
  run(npmBinary('tsx'), [inRoot('test', 'vscode', 'serve.ts'), worktree], { explain: 'the workbench' });
});
