/** The built helper (dist/helper.js) as the extension runs it: forked, messages over node's IPC. */
import { type ChildProcess, fork } from 'node:child_process';
import { resolve } from 'node:path';
import {
  createProtocolConnection,
  IPCMessageReader,
  IPCMessageWriter,
  type ProtocolConnection,
} from 'vscode-languageserver/node';
import { clientRequests, type DidChangeParams, type OpenResult, requests } from '../../extension/protocol';

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
    connection.onRequest(clientRequests.didChange, (delta: DidChangeParams) => {
      didChange(delta);
      return null;
    });
    connection.listen();
    const capabilities = { processId: process.pid, rootUri: null, capabilities: {} };
    await connection.sendRequest('initialize', capabilities);
    await connection.sendNotification('initialized', {});
    return new HelperProcess(child, connection);
  }

  open(root: string): Promise<OpenResult> {
    return this.connection.sendRequest(requests.open, { root, trusted: true });
  }

  async stop(): Promise<void> {
    const ended = new Promise((done) => this.child.once('exit', done));
    await this.connection.sendRequest('shutdown');
    await this.connection.sendNotification('exit');
    await ended;
    this.connection.dispose();
  }
}
