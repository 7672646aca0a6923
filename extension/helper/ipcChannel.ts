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

class IpcWriter extends AbstractMessageWriter implements MessageWriter {
  write(message: Message): Promise<void> {
    return new Promise((resolve, reject) => {
      if (process.send === undefined || !process.connected) {
        reject(new Error('the channel to the parent process is closed'));
        return;
      }
      process.send(message, undefined, undefined, (error) => {
        if (error === null) {
          resolve();
        } else {
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

export function connectToParent(logger: Logger): MessageConnection {
  return createMessageConnection(new IPCMessageReader(process), new IpcWriter(), logger);
}
