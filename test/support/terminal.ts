/** A terminal whose screen can be read and whose keys can be pressed: a pane of a tmux server of its own. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './run';

const patienceMs = 30_000;
let servers = 0;

export class Terminal {
  private readonly args: string[];

  /** An interactive bash in it, whose prompt is "$ ". Server and files live in `directory`. */
  constructor(
    directory: string,
    private readonly cwd: string,
    private readonly env: NodeJS.ProcessEnv,
    { columns, rows }: { columns: number; rows: number },
  ) {
    const conf = join(directory, 'terminal.conf');
    writeFileSync(conf, 'set -g status off\nset -g default-terminal screen-256color\n');
    // One that is ending may still hold the name of its socket.
    this.args = ['-S', join(directory, `terminal${++servers}.socket`), '-f', conf];
    const size = ['-x', String(columns), '-y', String(rows)];
    this.tmux('new-session', '-d', ...size, "env PS1='$ ' bash --norc --noprofile");
  }

  private tmux(...args: string[]): string {
    const told = run('tmux', [...this.args, ...args], { cwd: this.cwd, env: this.env });
    if (told.code !== 0) throw new Error(`tmux ${args.join(' ')}: ${String(told.stderr)}`);
    return told.stdout.toString('utf8');
  }

  /** What a person sees, without spaces at the ends of lines; with `colors` and their escapes. */
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

  /** The second screen is shown; the cursor is; lines wrap. */
  get modes(): { alternate: boolean; cursor: boolean; wraps: boolean } {
    const told = this.tmux('display', '-p', '#{alternate_on} #{cursor_flag} #{wrap_flag}').trim();
    const [alternate, cursor, wraps] = told.split(' ').map((flag) => flag === '1');
    return { alternate: alternate === true, cursor: cursor === true, wraps: wraps === true };
  }

  /** What is written to it from now on is written to that file too. */
  record(path: string): void {
    this.tmux('pipe-pane', '-o', `exec cat >> '${path}'`);
  }

  /** The program that the shell runs. */
  get child(): number {
    const shell = this.tmux('display', '-p', '#{pane_pid}').trim();
    const children = readFileSync(`/proc/${shell}/task/${shell}/children`, 'utf8').trim();
    if (!/^\d+$/.test(children)) throw new Error(`not one child: "${children}"`);
    return Number(children);
  }

  /** Waits until `holds` of what is on the screen. */
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
