/**
 * JSON-RPC over the IPC channel to the parent process. A write completes only after the channel has accepted the
 * message. This lets a sender wait for a slow receiver. vscode-jsonrpc's own IPC writer does not wait.
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
   * False when sending is no longer possible, which can be before node reports the channel as closed. The connection
   * logs each failed send. A logger that sends its messages must therefore check this first.
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
    // Nothing to close: the process owns the channel.
  }
}
