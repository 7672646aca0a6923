/** The socket on which git asks its own daemon (`core.fsmonitor=true`, git 2.55). */
import { createConnection } from 'node:net';
import { setTimeout } from 'node:timers/promises';

/** A path for a socket may have 107 bytes. */
const socketIn = (gitDir: string): string => `${gitDir}/fsmonitor--daemon.ipc`;

const packet = (text: string): string => (text.length + 4).toString(16).padStart(4, '0') + text;

/** What whoever listens there says to a token, or to a command: all that comes up to the end. Rejects where nobody does. */
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

/** Comes back once a process of ours listens there. */
export async function oursListens(gitDir: string): Promise<void> {
  const end = Date.now() + 20_000;
  for (;;) {
    const said = await saidOnDaemonSocket(gitDir, 'a token').catch(String);
    if (said.startsWith('resident:', 4)) return;
    if (Date.now() > end) throw new Error(`${socketIn(gitDir)}: nobody of ours listens: ${said}`);
    await setTimeout(10);
  }
}
