/**
 * The helper process. The extension forks it over node's IPC. It keeps the state of worktrees up to date and sends
 * their deltas. It ends on request, and when its parent has ended.
 */
import { IpcChannel } from './ipcChannel';
import { loadAddon } from './loadAddon';
import { describe, Log } from './log';
import { lsp } from '../protocol';
import { Server } from './server';

/** Timeout for closing the open worktrees: after it, the process exits anyway. */
const kExitGraceMs = 2000;

function main(): void {
  if (process.send === undefined) {
    process.stderr.write('This program is the helper of the Resident Git extension, which starts it.\n');
    process.exit(2);
  }

  const channel = new IpcChannel({
    error: (message) => {
      log.error(message);
    },
    warn: (message) => {
      log.warn(message);
    },
    info: (message) => {
      log.info(message);
    },
    log: (message) => {
      log.info(message);
    },
  });
  const log = new Log((params) => {
    if (!channel.isOpen) return;
    // A failed send cannot be reported: the channel to the client is broken.
    channel.connection.sendNotification(lsp.logMessage.method, params).catch(() => undefined);
  });

  let isEnding = false;
  const end = (code: number): void => {
    if (isEnding) return;
    isEnding = true;
    setTimeout(() => process.exit(code), kExitGraceMs);
    void server.closeAll().finally(() => process.exit(code));
  };
  const server = new Server(channel.connection, { loadAddon, log, exit: end });

  // The process stays alive: an error in one worktree must not end the others.
  process.on('unhandledRejection', (reason) => {
    log.error(`unhandled rejection: ${trace(reason)}`);
  });
  process.on('uncaughtException', (error) => {
    log.error(`uncaught exception: ${trace(error)}`);
  });
  process.on('disconnect', () => {
    end(0);
  });
  process.on('SIGTERM', () => {
    end(0);
  });
  server.listen();
}

function trace(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : describe(error);
}

main();
