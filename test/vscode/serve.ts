/** Serves a workbench with the packaged extension until Ctrl-C: `npm run vscode -- <worktree>`. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { installWorkbench } from './support/install';
import { WorkbenchServer } from './support/server';
import { packagedExtension } from './support/session';

async function serve(worktree: string): Promise<void> {
  const profile = mkdtempSync(join(tmpdir(), 'rgv-'));
  process.once('exit', () => rmSync(profile, { recursive: true, force: true, maxRetries: 3 }));
  const server = await WorkbenchServer.start({
    installation: installWorkbench(),
    profile,
    vsix: packagedExtension(),
    // Two providers for the same repository would show every row twice.
    settings: { 'git.enabled': false, 'git.decorations.enabled': false },
    env: process.env,
  });
  console.log(`${worktree} is open at:\n\n  ${server.url({ folder: worktree })}\n\nCtrl-C ends it.`);
  const ended = new Promise<void>((done) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => done());
  });
  await ended;
  await server.stop();
}

serve(resolve(process.argv[2] ?? '.')).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
