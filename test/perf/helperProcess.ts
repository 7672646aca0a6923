/**
 * The built helper (dist/helper.js), started like the extension does: forked, with messages over node's IPC.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { resolve } from 'node:path';
import {
  createProtocolConnection,
  IPCMessageReader,
  IPCMessageWriter,
  type ProtocolConnection,
} from 'vscode-languageserver/node';
import {
  clientRequests,
  type DidChangeParams,
  lsp,
  type OpenResult,
  protocolVersion,
  requests,
} from '../../extension/protocol';

const helper = resolve(__dirname, '../../dist/helper.js');

export class HelperProcess {
  private constructor(
    private readonly child: ChildProcess,
    private readonly connection: ProtocolConnection,
  ) {}

  static async start(
    env: NodeJS.ProcessEnv,
    didChange: (delta: DidChangeParams) => void,
  ): Promise<HelperProcess> {
    const child = fork(helper, ['--node-ipc'], { env, execArgv: [] });
    const connection = createProtocolConnection(new IPCMessageReader(child), new IPCMessageWriter(child));
    connection.onRequest(clientRequests.didChange.method, (delta: DidChangeParams) => {
      didChange(delta);
      return null;
    });
    connection.listen();
    await connection.sendRequest(lsp.requests.initialize.method, {
      initializationOptions: { protocolVersion },
    });
    await connection.sendNotification(lsp.notifications.initialized.method, {});
    return new HelperProcess(child, connection);
  }

  open(root: string): Promise<OpenResult> {
    return this.connection.sendRequest(requests.open.method, { root, trusted: true });
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  close(root: string): Promise<null> {
    return this.connection.sendRequest(requests.close.method, { root });
  }

  async stop(): Promise<void> {
    const ended = new Promise((done) => this.child.once('exit', done));
    await this.connection.sendRequest(lsp.requests.shutdown.method);
    await this.connection.sendNotification(lsp.notifications.exit.method);
    await ended;
    this.connection.dispose();
  }
}
