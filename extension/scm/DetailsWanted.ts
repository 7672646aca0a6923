/** Asks the helper for branch details. Only one repository is shown, and only its details are wanted. */
import { HelperApi, Report } from '../model/HelperApi';
import { Repository } from '../model/Repository';
import { messageOf } from '../model/messageOf';

export class DetailsWanted {
  private shown: Repository | undefined;

  constructor(
    private readonly helper: Pick<HelperApi, 'wantDetails'>,
    private readonly report: Report,
  ) {}

  /**
   * Call after each change of the shown repository. The request is repeated while the details are missing: a new helper
   * process or a reopened worktree has forgotten it.
   */
  follow(repository: Repository | undefined): void {
    if (this.shown !== undefined && this.shown !== repository) this.want(this.shown, false);
    this.shown = repository;
    if (repository !== undefined && repository.details === undefined) this.want(repository, true);
  }

  private want({ root, state }: Repository, wanted: boolean): void {
    // In these states the worktree may not be open in the helper. `follow` is called again after a change of state.
    if (wanted && (state.state === 'scanning' || state.state === 'failed')) return;
    this.helper.wantDetails({ root, wanted }).catch((error: unknown) => {
      // A failed withdrawal does no harm: a closed worktree sends no details anyway.
      if (wanted) this.report('info', `${root}: ${messageOf(error)}`);
    });
  }
}
