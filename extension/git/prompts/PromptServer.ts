/**
 * Where the questions of a running git arrive. Does not know `vscode`.
 *
 * Invariants:
 *  - The socket lies in a directory of mode 0700 that is new, and a question counts only with the token of a run that is
 *    under way: who has neither started this git nor is run by it asks nobody.
 *  - A question ends with whoever asks it, and with its run; the handler's signal tells that.
 *  - A line is bounded, and so are the time that it may take and the connections that are open.
 */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, Server, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  kMostBytes,
  kSocketVariable,
  kTokenVariable,
  parseMessage,
  PromptAnswer,
  PromptRequest,
} from './wire';

/** Undefined where nobody wants to answer. `signal`: nobody waits for the answer any more. */
export type PromptHandler = (
  request: PromptRequest,
  signal: AbortSignal,
) => Promise<{ text?: string } | undefined>;

export interface PromptRun {
  /** For the git whose questions are meant. */
  readonly env: NodeJS.ProcessEnv;
  /** From now on its questions count no more. */
  end(): void;
}

/** Git puts one question after the other; hooks and filters may add some. */
const kMostConnections = 8;
/** How long a connection may say nothing. */
const kSilenceMs = 10_000;
/** The kernel takes 107 bytes for a socket's path. */
const kLongestPath = 100;

interface Run {
  handler: PromptHandler;
  ended: AbortController;
}

export class PromptServer {
  private readonly runs = new Map<string, Run>();
  private readonly sockets = new Set<Socket>();
  private listening: Promise<string> | undefined;
  private server: Server | undefined;
  private folder: string | undefined;

  constructor(
    /** Directories for the socket, the best one first. */
    private readonly places: readonly (string | undefined)[] = [
      process.env.XDG_RUNTIME_DIR,
      tmpdir(),
      '/tmp',
    ],
    private readonly silenceMs = kSilenceMs,
  ) {}

  /** Rejects where there is no place for the socket. */
  async begin(handler: PromptHandler): Promise<PromptRun> {
    this.listening ??= this.listen();
    const socket = await this.listening;
    const token = randomBytes(32).toString('hex');
    const ended = new AbortController();
    this.runs.set(token, { handler, ended });
    return {
      env: { [kSocketVariable]: socket, [kTokenVariable]: token },
      end: () => {
        this.runs.delete(token);
        ended.abort();
      },
    };
  }

  async dispose(): Promise<void> {
    for (const { ended } of this.runs.values()) ended.abort();
    this.runs.clear();
    for (const socket of this.sockets) socket.destroy();
    this.server?.close();
    if (this.folder !== undefined) await rm(this.folder, { recursive: true, force: true });
  }

  private async listen(): Promise<string> {
    const fits = (place: string) =>
      existsSync(place) && join(place, 'rg-prompt-XXXXXX', 's').length <= kLongestPath;
    const place = this.places.find((each) => each !== undefined && fits(each));
    if (place === undefined) throw new Error('there is no directory for a socket');
    this.folder = await mkdtemp(join(place, 'rg-prompt-'));
    const path = join(this.folder, 's');
    // Half-open: whoever asks says all it has to say, and waits.
    const server = createServer({ allowHalfOpen: true }, (socket) => {
      this.serve(socket);
    });
    server.maxConnections = kMostConnections;
    this.server = server;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(path, resolve);
    });
    return path;
  }

  private serve(socket: Socket): void {
    this.sockets.add(socket);
    const gone = new AbortController();
    socket.once('close', () => {
      this.sockets.delete(socket);
      gone.abort();
    });
    socket.on('error', () => socket.destroy());
    socket.setEncoding('utf8');
    socket.setTimeout(this.silenceMs, () => socket.destroy());
    let said = '';
    const take = (chunk: string) => {
      said += chunk;
      const end = said.indexOf('\n');
      if (Buffer.byteLength(said) > kMostBytes) socket.destroy();
      else if (end >= 0) {
        socket.off('data', take);
        // Read on: only so its end is noticed.
        socket.resume();
        socket.once('end', () => socket.destroy());
        socket.setTimeout(0);
        void this.answer(socket, said.slice(0, end), gone.signal);
      }
    };
    socket.on('data', take);
  }

  private async answer(socket: Socket, line: string, gone: AbortSignal): Promise<void> {
    const message = parseMessage(line);
    const run = message && this.runs.get(message.token);
    if (message === undefined || run === undefined) {
      socket.destroy();
      return;
    }
    const signal = AbortSignal.any([gone, run.ended.signal]);
    let answer: PromptAnswer = { isAnswered: false };
    try {
      const given = await run.handler(message, signal);
      if (given !== undefined) answer = { isAnswered: true, ...given };
    } catch {
      // Whoever asks is not told why.
    }
    if (signal.aborted) socket.destroy();
    else socket.end(`${JSON.stringify(answer)}\n`, () => socket.destroy());
  }
}
