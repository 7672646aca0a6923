/** A terminal with a readable screen and keys to press: a pane of a private tmux server. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './run';

const patienceMs = 30_000;
let servers = 0;

export class Terminal {
  private readonly args: string[];

  /** Starts an interactive bash with the prompt "$ ". Server and files are in `directory`. */
  constructor(
    directory: string,
    private readonly cwd: string,
    private readonly env: NodeJS.ProcessEnv,
    { columns, rows }: { columns: number; rows: number },
  ) {
    const conf = join(directory, 'terminal.conf');
    writeFileSync(conf, 'set -g status off\nset -g default-terminal screen-256color\n');
    // A server that is ending may still use its socket name.
    this.args = ['-S', join(directory, `terminal${++servers}.socket`), '-f', conf];
    const size = ['-x', String(columns), '-y', String(rows)];
    this.tmux('new-session', '-d', ...size, "env PS1='$ ' bash --norc --noprofile");
  }

  private tmux(...args: string[]): string {
    const told = run('tmux', [...this.args, ...args], { cwd: this.cwd, env: this.env });
    if (told.code !== 0) throw new Error(`tmux ${args.join(' ')}: ${String(told.stderr)}`);
    return told.stdout.toString('utf8');
  }

  /** The visible text, without trailing spaces; `colors` adds the escapes. */
  screen({ colors = false } = {}): string {
    const lines = this.tmux('capture-pane', '-p', ...(colors ? ['-e'] : [])).split('\n');
    return lines.map((line) => line.trimEnd()).join('\n');
  }

  press(...keys: string[]): void {
    this.tmux('send-keys', ...keys);
  }
  type(text: string): void {
    this.tmux('send-keys', '-l', text);
    this.press('Enter');
  }
  resize(columns: number, rows: number): void {
    this.tmux('resize-window', '-x', String(columns), '-y', String(rows));
  }

  /** The modes: alternate screen, visible cursor, line wrap. */
  get modes(): { alternate: boolean; cursor: boolean; wraps: boolean } {
    const told = this.tmux('display', '-p', '#{alternate_on} #{cursor_flag} #{wrap_flag}').trim();
    const [alternate, cursor, wraps] = told.split(' ').map((flag) => flag === '1');
    return { alternate: alternate === true, cursor: cursor === true, wraps: wraps === true };
  }

  /** Appends all later output of the terminal to that file. */
  record(path: string): void {
    this.tmux('pipe-pane', '-o', `exec cat >> '${path}'`);
  }

  /** Process id of the shell's child. */
  get child(): number {
    const shell = this.tmux('display', '-p', '#{pane_pid}').trim();
    const children = readFileSync(`/proc/${shell}/task/${shell}/children`, 'utf8').trim();
    if (!/^\d+$/.test(children)) throw new Error(`not one child: "${children}"`);
    return Number(children);
  }

  /** Waits until `holds` accepts the screen. */
  async until(holds: (screen: string) => boolean): Promise<string> {
    const end = Date.now() + patienceMs;
    for (;;) {
      const screen = this.screen();
      if (holds(screen)) return screen;
      if (Date.now() > end) throw new Error(`the screen never was as wanted:\n${screen}`);
      await new Promise((next) => setTimeout(next, 30));
    }
  }
  shows(text: string): Promise<string> {
    return this.until((screen) => screen.includes(text));
  }

  end(): void {
    this.tmux('kill-server');
  }
}
