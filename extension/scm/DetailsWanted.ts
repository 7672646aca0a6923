/** Requests branch details from the helper. Only one repository is shown, and only its details are requested. */
import { Repository } from '../model/Repository';
import { RepositoryRegistry } from '../model/RepositoryRegistry';

export class DetailsWanted {
  private shown: Repository | undefined;

  constructor(private readonly registry: Pick<RepositoryRegistry, 'configure'>) {}

  /** Call after each change of the shown repository. */
  follow(repository: Repository | undefined): void {
    if (repository === this.shown) return;
    if (this.shown !== undefined) this.registry.configure(this.shown.root, { details: false });
    this.shown = repository;
    if (repository !== undefined) this.registry.configure(repository.root, { details: true });
  }
}
