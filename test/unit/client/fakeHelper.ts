/**
 * A helper without a core, run as a child process over IPC: it answers as its environment and the asked path say.
 *  - FAKE_HELPER=exit: ends with code 7 before it answers anything; =hang: never answers.
 *  - discover of "crash": ends with code 3; of "die": by SIGKILL; of "once <file>": by SIGKILL unless <file> exists.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { CancellationToken, createConnection, ProposedFeatures } from 'vscode-languageserver/node';
import {
  clientRequests,
  DidChangeParams,
  DiscoverParams,
  OpenParams,
  requests,
  RescanParams,
} from '../../../extension/protocol';

if (process.env.FAKE_HELPER === 'exit') process.exit(7);

if (process.env.FAKE_HELPER === 'hang') for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);

const connection = createConnection(ProposedFeatures.all);
connection.onInitialize(() => ({ capabilities: {} }));
connection.onRequest(requests.discover, ({ path }: DiscoverParams) => {
  if (path === 'crash') process.exit(3);
  if (path === 'die') process.kill(process.pid, 'SIGKILL');
  const once = /^once (.*)$/.exec(path)?.[1];
  if (once !== undefined && !existsSync(once)) {
    writeFileSync(once, '');
    process.kill(process.pid, 'SIGKILL');
  }
  return { roots: [path], problems: [] };
});
connection.onRequest(requests.open, ({ root }: OpenParams) => {
  const delta: DidChangeParams = {
    root,
    baseVersion: 0,
    version: 1,
    upserted: [{ kind: 'untracked', path: `of ${process.pid}` }],
    removed: [],
    removedUntracked: [],
    state: { state: 'watching', directories: 1 },
  };
  void connection.sendRequest(clientRequests.didChange, delta);
  return { root, gitDir: `${root}/.git`, commonDir: `${root}/.git` };
});
connection.onRequest(requests.rescan, async ({ workDoneToken }: RescanParams, token: CancellationToken) => {
  const progress = connection.window.attachWorkDoneProgress(workDoneToken);
  for (let seen = 1; seen <= 3; seen++) {
    progress.report(seen * 25, `${seen} of 4 files`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  while (!token.isCancellationRequested) await new Promise((resolve) => setTimeout(resolve, 5));
  throw new Error('cancelled as asked');
});
connection.listen();
