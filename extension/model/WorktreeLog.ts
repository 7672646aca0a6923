/**
 * Logs the troubles in a worktree's deltas: why the helper has no answer of its own, and which files cannot be read.
 * Logs each message once. A trouble that ended and returns is logged again.
 */
import { DidChangeParams, ModelState, WorktreeRoot } from '../protocol';
import { Report, Severity } from './HelperApi';

interface Trouble {
  severity: Severity;
  message: string;
}

export class WorktreeLog {
  /** Message of the last logged state; undefined: that state was sound. */
  private trouble: string | undefined;
  private readonly loggedProblems = new Set<string>();

  constructor(
    private readonly root: WorktreeRoot,
    private readonly report: Report,
  ) {}

  note({ state, problems = [] }: Pick<DidChangeParams, 'state' | 'problems'>): void {
    for (const problem of problems) {
      if (this.loggedProblems.has(problem)) continue;
      this.loggedProblems.add(problem);
      this.report('warn', `${this.root}: ${problem}`);
    }
    // During a check, a trouble may persist: nothing is resolved yet.
    if (state === undefined || state.state === 'scanning' || state.state === 'verifying') return;
    const trouble = troubleOf(state);
    if (trouble?.message === this.trouble) return;
    if (trouble === undefined) this.report('info', `${this.root}: resolved: ${this.trouble}`);
    else this.report(trouble.severity, `${this.root}: ${trouble.message}`);
    this.trouble = trouble?.message;
  }
}

function troubleOf(state: ModelState): Trouble | undefined {
  switch (state.state) {
    case 'failed':
      return { severity: 'error', message: state.message };
    case 'delegated':
      return { severity: 'info', message: `git answers here: ${state.reason}` };
    case 'polling':
      if (state.needed === 0) return undefined;
      return {
        severity: 'warn',
        message:
          `out of inotify watches; fs.inotify.max_user_watches should be at least ${state.needed}: ` +
          state.command,
      };
    case 'scanning':
    case 'verifying':
    case 'watching':
      return undefined;
  }
}
