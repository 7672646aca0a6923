/**
 * JSON-RPC over the IPC channel to the parent process. Unlike vscode-jsonrpc's own writer for it, a write is over
 * only when the channel has taken the message: that is what lets a sender wait for a slow receiver.
 */
import {
  AbstractMessageWriter,
  createMessageConnection,
  IPCMessageReader,
  type Logger,
  type Message,
  type MessageConnection,
  type MessageWriter,
} from 'vscode-jsonrpc/node';

export class IpcChannel {
  readonly connection: MessageConnection;
  private readonly writer = new IpcWriter();

  constructor(logger: Logger) {
    this.connection = createMessageConnection(new IPCMessageReader(process), this.writer, logger);
  }

  /**
   * False once nothing can be sent any more, which can be before node says that the channel is closed. The connection
   * logs each message that it could not send: what is logged by sending must end here.
   */
  get isOpen(): boolean {
    return process.connected && !this.writer.isBroken;
  }
}

class IpcWriter extends AbstractMessageWriter implements MessageWriter {
  isBroken = false;

  write(message: Message): Promise<void> {
    return new Promise((resolve, reject) => {
      if (process.send === undefined || !process.connected || this.isBroken) {
        reject(new Error('the channel to the parent process is closed'));
        return;
      }
      process.send(message, undefined, undefined, (error) => {
        if (error === null) {
          resolve();
        } else {
          this.isBroken = true;
          this.fireError(error, message, 1);
          reject(error);
        }
      });
    });
  }

  end(): void {
    // The channel is the process's own.
  }
}
