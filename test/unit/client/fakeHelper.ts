/**
 * A helper without a core. Runs as a child process over IPC. Its environment and the requested path choose its
 * answers.
 *  - FAKE_HELPER=exit: ends with code 7 before its first answer. =hang: never answers. =refuse: refuses to start.
 *    =stranger: speaks another version of the protocol. =old: speaks a version from before versions existed.
 *  - FAKE_HELPER_LOG: a file to which each process adds a line. "beside": an earlier process is still alive; else "alone".
 *  - discover of "crash": ends with code 3.
 *  - discover of "die": ends by SIGKILL. A child process survives and holds its pipes.
 *  - discover of "once <file>": ends by SIGKILL unless <file> exists.
 */
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import {
  type CancellationToken,
  createConnection,
  ProposedFeatures,
  ResponseError,
} from 'vscode-languageserver/node';
import {
  clientRequests,
  type DidChangeParams,
  type DiscoverParams,
  errorCodes,
  type OpenParams,
  protocolVersion,
  requests,
  type RescanParams,
} from '../../../extension/protocol';

const guise = process.env.FAKE_HELPER;
const log = process.env.FAKE_HELPER_LOG;

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

if (log !== undefined) {
  const earlier = existsSync(log) ? readFileSync(log, 'utf8').split('\n').filter(Boolean) : [];
  const isBeside = earlier.some((line) => isAlive(Number(line.split(' ')[1])));
  appendFileSync(log, `${isBeside ? 'beside' : 'alone'} ${process.pid}\n`);
}

if (guise === 'exit') process.exit(7);

if (guise === 'hang') for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);

const connection = createConnection(ProposedFeatures.all);
connection.onInitialize(() => {
  if (guise === 'refuse') return new ResponseError(errorCodes.requestFailed, 'the native part is missing');
  const version = { stranger: protocolVersion + 1, old: undefined }[guise ?? ''] ?? protocolVersion;
  const helper = { version: '0', pid: process.pid, ...(guise !== 'old' && { protocolVersion: version }) };
  return { capabilities: {}, helper };
});
connection.onRequest(requests.discover.method, ({ path }: DiscoverParams) => {
  if (path === 'crash') process.exit(3);
  if (path === 'die') {
    const untilTheTestEnds = `while kill -0 ${process.ppid} 2>/dev/null; do sleep 0.1; done`;
    spawn('sh', ['-c', untilTheTestEnds], { stdio: 'inherit' });
    process.kill(process.pid, 'SIGKILL');
  }
  const once = /^once (.*)$/.exec(path)?.[1];
  if (once !== undefined && !existsSync(once)) {
    writeFileSync(once, '');
    process.kill(process.pid, 'SIGKILL');
  }
  return { roots: [path], problems: [] };
});
connection.onRequest(requests.open.method, ({ root }: OpenParams) => {
  const delta: DidChangeParams = {
    root,
    baseVersion: 0,
    version: 1,
    upserted: [{ kind: 'untracked', path: `of ${process.pid}` }],
    removed: [],
    removedUntracked: [],
    state: { state: 'watching', directories: 1 },
  };
  void connection.sendRequest(clientRequests.didChange.method, delta);
  return { root, gitDir: `${root}/.git`, commonDir: `${root}/.git` };
});
connection.onRequest(
  requests.rescan.method,
  async ({ workDoneToken }: RescanParams, token: CancellationToken) => {
    const progress = connection.window.attachWorkDoneProgress(workDoneToken);
    for (let seen = 1; seen <= 3; seen++) {
      progress.report(seen * 25, `${seen} of 4 files`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    while (!token.isCancellationRequested) await new Promise((resolve) => setTimeout(resolve, 5));
    throw new Error('cancelled as asked');
  },
);
connection.listen();
