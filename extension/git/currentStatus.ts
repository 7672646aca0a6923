/** Asks the model for the status of this moment: everything written before the question counts. Does not know `vscode`. */
import { t } from '../l10n';
import { HelperApi } from '../model/HelperApi';
import { reasonText } from '../model/helperReasons';
import { messageOf } from '../model/messageOf';
import { StagedPath, StatusEntry, StatusResult } from '../protocol';

export class CurrentStatus {
  constructor(private readonly helper: Pick<HelperApi, 'status'>) {}

  /** Rejects with the reason if the question fails. */
  async ask(root: string, signal: AbortSignal): Promise<StatusEntry[]> {
    return (await this.answer(root, signal)).entries;
  }

  /** The staged paths, with their entries in HEAD. */
  async askStaged(root: string, signal: AbortSignal): Promise<StagedPath[]> {
    return (await this.answer(root, signal)).staged;
  }

  private async answer(root: string, signal: AbortSignal): Promise<StatusResult> {
    signal.throwIfAborted();
    const answer = await this.helper.status({ root }).catch((error: unknown) => {
      throw new Error(t('git status failed: {0}', reasonText(messageOf(error))), { cause: error });
    });
    signal.throwIfAborted();
    return answer;
  }
}
