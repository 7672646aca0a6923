/** Runs the `git status` after which git reads only changed files. */
import { ProgressLocation, window } from 'vscode';
import { t } from '../../l10n';
import { reasonText } from '../../model/helperReasons';
import { messageOf } from '../../model/messageOf';
import { basename, toDisplay } from '../../model/repoPath';
import { Acceleration, Accelerator } from './Accelerator';

/**
 * Shows progress, with Cancel. False: the user cancelled, or it failed, which is told. The speed-up then begins with the
 * next `git status`.
 */
export async function warmUp(
  accelerator: Accelerator,
  root: string,
  acceleration: Acceleration,
): Promise<boolean> {
  const name = toDisplay(basename(root));
  const title = t('Running git status in {0}', name);
  const options = { location: ProgressLocation.Notification, title, cancellable: true };
  return window.withProgress(options, async (_, token) => {
    const stop = new AbortController();
    token.onCancellationRequested(() => stop.abort());
    try {
      await accelerator.warm(root, acceleration, stop.signal);
      return true;
    } catch (error) {
      if (!stop.signal.aborted) {
        const reason = reasonText(messageOf(error));
        void window.showErrorMessage(t('git status in {0} is not fast yet: {1}', name, reason));
      }
      return false;
    }
  });
}
