/**
 * Receives the questions of a running git. Does not know `vscode`.
 *
 * Invariants:
 *  - The socket is in a new directory with mode 0700. A question counts only with the token of a run that is still
 *    active. Only the extension, this git and its child processes know the token.
 *  - A question ends when its process ends, or when its run ends. The handler's signal reports the end.
 *  - The length of a line, the time for it, and the number of open connections are limited.
 */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, Server, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  kMaxBytes,
  kSocketVariable,
  kTokenVariable,
  parseMessage,
  PromptAnswer,
  PromptRequest,
} from './wire';

/** Undefined if the user does not want to answer. `signal`: the answer is no longer needed. */
export type PromptHandler = (
  request: PromptRequest,
  signal: AbortSignal,
) => Promise<{ text?: string } | undefined>;

export interface PromptRun {
  /** Environment for the git of this run. */
  readonly env: NodeJS.ProcessEnv;
  /** Rejects all further questions of this run. */
  end(): void;
}

/** git asks one question at a time. Hooks and filters may ask too. */
const kMaxConnections = 8;
/** Timeout for a silent connection. */
const kSilenceMs = 10_000;
/** Limit for the length of the socket's path. The kernel allows 107 bytes. */
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
    /** Candidate directories for the socket, best first. */
    private readonly places: readonly (string | undefined)[] = [
      process.env.XDG_RUNTIME_DIR,
      tmpdir(),
      '/tmp',
    ],
    private readonly silenceMs = kSilenceMs,
  ) {}

  /** Rejects if no directory is suitable for the socket. */
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
    // Half-open: the asking process sends its whole question, and waits.
    const server = createServer({ allowHalfOpen: true }, (socket) => {
      this.serve(socket);
    });
    server.maxConnections = kMaxConnections;
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
      if (Buffer.byteLength(said) > kMaxBytes) socket.destroy();
      else if (end >= 0) {
        socket.off('data', take);
        // Keep reading: otherwise the end of the connection is not noticed.
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
      // The asking process does not learn the reason.
    }
    if (signal.aborted) socket.destroy();
    else socket.end(`${JSON.stringify(answer)}\n`, () => socket.destroy());
  }
}
