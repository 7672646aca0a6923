/** A life of the fake helper over plain node IPC, as `languageClient.ts` gives one of the real helper. */
import { fork } from 'node:child_process';
import { join } from 'node:path';
import {
  createProtocolConnection,
  IPCMessageReader,
  IPCMessageWriter,
  WorkDoneProgress,
} from 'vscode-languageserver/node';
import {
  HelperConnection,
  HelperExit,
  NotificationHandlers,
} from '../../../extension/client/HelperConnection';
import { clientRequests, DidChangeParams, notifications } from '../../../extension/protocol';

export function connectChild(handlers: NotificationHandlers, env: NodeJS.ProcessEnv = {}): HelperConnection {
  const child = fork(join(__dirname, 'fakeHelper.ts'), ['--node-ipc'], {
    execArgv: ['--require', 'tsx/cjs'],
    env: { ...process.env, ...env },
    silent: true,
  });
  const connection = createProtocolConnection(new IPCMessageReader(child), new IPCMessageWriter(child));
  connection.onRequest(clientRequests.didChange, (params: DidChangeParams) => {
    handlers.didChange(params);
    return null;
  });
  connection.onNotification(notifications.didClose, handlers.didClose);
  connection.onError(() => undefined);
  const exited = new Promise<HelperExit>((resolve) => {
    child.once('exit', (code, signal) => {
      resolve({ code, signal });
    });
  });
  void exited.then(() => {
    connection.dispose();
  });
  return {
    pid: child.pid,
    exited,
    start: async () => {
      connection.listen();
      await connection.sendRequest('initialize', { processId: process.pid, rootUri: null, capabilities: {} });
    },
    request: (method, params, cancellation) => connection.sendRequest(method, params, cancellation),
    onProgress: (token, listener) =>
      connection.onProgress(WorkDoneProgress.type, token, (value) => {
        if (value.kind === 'report')
          listener({ message: value.message ?? '', percentage: value.percentage ?? 0 });
      }),
    stop: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
