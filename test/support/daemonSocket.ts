/** The socket on which git asks its own daemon (`core.fsmonitor=true`, git 2.55). */
import { createConnection } from 'node:net';
import { setTimeout } from 'node:timers/promises';

/** A socket path may have 107 bytes. */
const socketIn = (gitDir: string): string => `${gitDir}/fsmonitor--daemon.ipc`;

const packet = (text: string): string => (text.length + 4).toString(16).padStart(4, '0') + text;

/** Sends a token or a command, and resolves with the whole reply. Rejects if nobody listens. */
export function saidOnDaemonSocket(gitDir: string, command: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(socketIn(gitDir));
    let said = '';
    socket.on('error', reject);
    socket.on('data', (bytes) => (said += bytes.toString('latin1')));
    socket.on('close', () => {
      resolve(said);
    });
    socket.on('connect', () => {
      socket.write(`${packet(command)}0000`);
    });
  });
}

/** Resolves when a process of ours listens there. */
export async function oursListens(gitDir: string): Promise<void> {
  const end = Date.now() + 20_000;
  for (;;) {
    const said = await saidOnDaemonSocket(gitDir, 'a token').catch(String);
    if (said.startsWith('resident:', 4)) return;
    if (Date.now() > end) throw new Error(`${socketIn(gitDir)}: nobody of ours listens: ${said}`);
    await setTimeout(10);
  }
}
