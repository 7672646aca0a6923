/**
 * Shows the questions of a running git to the user at this window. Names and passwords use an input box, host keys use
 * a list. Messages open in an editor, and are finished when its tab is closed.
 *
 * Invariants:
 *  - At most one question is shown at a time, so no question hides another. Files are edited in parallel.
 *  - A question disappears when its answer is no longer needed.
 *  - The user's input goes to git only.
 */
import { CancellationToken, CancellationTokenSource, ProgressLocation, window } from 'vscode';
import { Feature } from '../../lifecycle';
import { t } from '../../l10n';
import { promptQuestion } from './promptQuestion';
import { OwnPrompts } from '../environment';
import { editFile } from './editFile';
import { PromptServer } from './PromptServer';
import { PromptRequest } from './wire';

/** `script`: the program that git runs. `main`: the JavaScript file that the script runs. */
export interface PromptProgram {
  script: string;
  main: string;
}

export interface Asking {
  readonly own: OwnPrompts;
  /** The user declined to answer. A failure caused by that needs no message. */
  readonly isDismissed: boolean;
  end(): void;
}

type Given = { text?: string } | undefined;

export class Prompts extends Feature {
  private readonly server = new PromptServer();
  private turn: Promise<unknown> = Promise.resolve();

  constructor(private readonly program: PromptProgram) {
    super();
    this.store.add({ dispose: () => void this.server.dispose() });
  }

  /** Accepts the questions of one git run in the repository `name`. Rejects if questions cannot be received. */
  async begin(name: string): Promise<Asking> {
    let isDismissed = false;
    const run = await this.server.begin(async (request, signal) => {
      const given = await this.put(name, request, signal);
      if (given === undefined && !signal.aborted) isDismissed = true;
      return given;
    });
    const { script, main } = this.program;
    // VS Code's own Electron runs as Node only with this option.
    const options = process.versions['microsoft-build'] ? '--ms-enable-electron-run-as-node' : '';
    const env = {
      ...run.env,
      RESIDENT_GIT_PROMPT_NODE: process.execPath,
      RESIDENT_GIT_PROMPT_NODE_OPTIONS: process.versions.electron === undefined ? '' : options,
      RESIDENT_GIT_PROMPT_MAIN: main,
    };
    return {
      own: { env, script },
      get isDismissed() {
        return isDismissed;
      },
      end: () => {
        run.end();
      },
    };
  }

  private put(name: string, request: PromptRequest, signal: AbortSignal): Promise<Given> {
    if (request.kind === 'edit') return editFile(request.file, signal);
    const answered = this.turn.then(() => (signal.aborted ? undefined : ask(name, request, signal)));
    this.turn = answered.catch(() => undefined);
    return answered;
  }
}

async function ask(
  name: string,
  { text, hint }: Extract<PromptRequest, { kind: 'ask' }>,
  signal: AbortSignal,
): Promise<Given> {
  const question = promptQuestion(text, hint);
  const title = `Git: ${name}`;
  switch (question.kind) {
    case 'input': {
      const { prompt, isSecret } = question;
      const options = { title, prompt, password: isSecret, ignoreFocusOut: true };
      const typed = await until(signal, (token) => window.showInputBox(options, token));
      return typed === undefined ? undefined : { text: typed };
    }
    case 'yesNo': {
      const items = [{ label: 'yes', detail: question.detail }, { label: 'no' }];
      const options = { title: `${title}: ${question.title}`, placeHolder: kContinue, ignoreFocusOut: true };
      const picked = await until(signal, (token) => window.showQuickPick(items, options, token));
      if (question.byExitCode) return picked?.label === 'yes' ? {} : undefined;
      return picked === undefined ? undefined : { text: picked.label };
    }
    case 'notice':
      await window.withProgress({ location: ProgressLocation.Notification, title: question.message }, () =>
        ends(signal),
      );
      return {};
  }
}

const kContinue = t('Are you sure you want to continue connecting?');

async function until<T>(signal: AbortSignal, show: (token: CancellationToken) => Thenable<T>): Promise<T> {
  const cancellation = new CancellationTokenSource();
  const cancel = () => {
    cancellation.cancel();
  };
  signal.addEventListener('abort', cancel, { once: true });
  try {
    return await show(cancellation.token);
  } finally {
    signal.removeEventListener('abort', cancel);
    cancellation.dispose();
  }
}

function ends(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
