/** Asks the helper for the branch's details of the one repository whose details are shown. */
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
   * Whenever something of it changed: a helper that was started again, or a worktree that was opened again, tells no
   * details before it is asked once more.
   */
  follow(repository: Repository | undefined): void {
    if (this.shown !== undefined && this.shown !== repository) this.want(this.shown, false);
    this.shown = repository;
    if (repository !== undefined && repository.details === undefined) this.want(repository, true);
  }

  private want({ root, state }: Repository, wanted: boolean): void {
    // It is told first what stands in its place.
    if (wanted && (state.state === 'scanning' || state.state === 'failed')) return;
    this.helper.wantDetails({ root, wanted }).catch((error: unknown) => {
      // Of a worktree that was closed nothing is told anyway.
      if (wanted) this.report('info', `${root}: ${messageOf(error)}`);
    });
  }
}
