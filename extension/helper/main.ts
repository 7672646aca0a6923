/**
 * The helper process: forked by the extension over node's IPC, it keeps worktrees right and tells their deltas.
 * It ends when asked, and when its parent is gone.
 */
import { IpcChannel } from './ipcChannel';
import { loadAddon } from './loadAddon';
import { describe, Log } from './log';
import { lsp } from '../protocol';
import { Server } from './server';

/** How long open worktrees may take to be closed before the process ends without that. */
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
    // Whoever could be told why this was not sent is out of reach.
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

  // One worktree's error is no reason to lose the others.
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
