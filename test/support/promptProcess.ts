/** `git-resident prompt` as a child process that speaks gitstatusd's protocol. */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { residentBinary } from './binary';

const answerTimeoutMs = 30_000;
const endTimeoutMs = 20_000;
const recordSeparator = '\x1e';
const unitSeparator = '\x1f';

/** Field names of a response in protocol order, after the id. */
export const fieldNames = [
  'isRepository',
  'worktree',
  'commit',
  'branch',
  'upstream',
  'remote',
  'remoteUrl',
  'action',
  'indexSize',
  'staged',
  'unstaged',
  'conflicted',
  'untracked',
  'ahead',
  'behind',
  'stashes',
  'tag',
  'unstagedDeleted',
  'stagedNew',
  'stagedDeleted',
  'pushRemote',
  'pushUrl',
  'pushAhead',
  'pushBehind',
  'skipWorktree',
  'assumeUnchanged',
  'encoding',
  'summary',
] as const;
export type PromptFields = Record<(typeof fieldNames)[number], string>;

export class PromptProcess {
  private readonly child: ChildProcess;
  private received = '';
  private next = 0;
  private readonly waiting: ((record: string) => void)[] = [];

  /** Bytes are latin1 in both directions. Its stderr goes to `logPath`. */
  constructor(
    args: readonly string[],
    options: { env: NodeJS.ProcessEnv; cwd: string; logPath: string; stdio?: readonly number[] },
  ) {
    const log = openSync(options.logPath, 'a');
    this.logPath = options.logPath;
    this.child = spawn(residentBinary(), ['prompt', ...args], {
      env: options.env,
      cwd: options.cwd,
      stdio: ['pipe', 'pipe', log, ...(options.stdio ?? [])],
    });
    closeSync(log);
    this.child.stdin?.on('error', () => undefined);
    this.child.stdout?.setEncoding('latin1').on('data', (chunk: string) => this.receive(chunk));
  }

  private readonly logPath: string;

  get log(): string {
    return readFileSync(this.logPath, 'utf8');
  }
  get pid(): number {
    return this.child.pid ?? 0;
  }

  send(bytes: string): void {
    this.child.stdin?.write(Buffer.from(bytes, 'latin1'));
  }

  /** The next record. */
  record(): Promise<string> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`no answer within ${answerTimeoutMs} ms\n${this.log}`)),
        answerTimeoutMs,
      );
      this.waiting.push((record) => {
        clearTimeout(timer);
        resolve(record);
      });
      this.deliver();
    });
  }

  /** Undefined: the answer is "no repository". */
  async ask(directory: string, flag?: '0' | '1'): Promise<PromptFields | undefined> {
    const id = `request ${++this.next}`;
    this.send([id, directory, ...(flag === undefined ? [] : [flag])].join(unitSeparator) + recordSeparator);
    const [told, ...fields] = (await this.record()).split(unitSeparator);
    if (told !== id) throw new Error(`an answer to ${told}, not to ${id}`);
    if (fields.length === 1 && fields[0] === '0') return undefined;
    if (fields.length !== fieldNames.length) throw new Error(`${fields.length} fields`);
    return Object.fromEntries(fieldNames.map((name, i) => [name, fields[i]])) as PromptFields;
  }

  /** Resolves with the exit code. Closes its input, unless `ending`: the process ends by itself. */
  end(ending = false): Promise<number | null> {
    return new Promise((resolve, reject) => {
      if (this.child.exitCode !== null) {
        resolve(this.child.exitCode);
        return;
      }
      const timer = setTimeout(() => {
        this.child.kill('SIGKILL');
        reject(new Error('did not end'));
      }, endTimeoutMs);
      this.child.once('exit', (code) => {
        clearTimeout(timer);
        resolve(code);
      });
      if (!ending) this.child.stdin?.end();
    });
  }

  kill(): void {
    if (this.child.exitCode === null) this.child.kill('SIGKILL');
  }

  private receive(chunk: string): void {
    this.received += chunk;
    this.deliver();
  }

  private deliver(): void {
    for (;;) {
      const end = this.received.indexOf(recordSeparator);
      if (end < 0 || this.waiting.length === 0) return;
      const record = this.received.slice(0, end);
      this.received = this.received.slice(end + 1);
      this.waiting.shift()?.(record);
    }
  }
}
