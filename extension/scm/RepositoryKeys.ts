/**
 * Context keys: git is running, or an operation is in progress. The palette and the title of a single repository use the
 * keys for any repository; the titles of several repositories use the list of roots.
 *
 * In a remote window `scmProviderRootUri` has an authority that no extension can read, and the list of roots never matches.
 * Only actions that the user also finds elsewhere may depend on the list.
 */
import { setContextKey } from '../contextKeys';
import { Feature } from '../lifecycle';
import { Emitter } from '../model/Emitter';
import { Repository } from '../model/Repository';
import { RepositoryRegistry } from '../model/RepositoryRegistry';
import { Operation } from '../protocol';
import { worktreeUri } from './uris';

interface Titles {
  showRunning(repository: Repository, isRunning: boolean): void;
}
interface Runner {
  isBusy(repository: Repository): boolean;
  readonly onDidChangeBusy: Emitter<void>['event'];
}

export class RepositoryKeys extends Feature {
  constructor(
    private readonly registry: RepositoryRegistry,
    private readonly git: Runner,
    private readonly titles: Titles,
  ) {
    super();
    const update = () => {
      this.update();
    };
    this.store.add(git.onDidChangeBusy(update));
    this.store.add(registry.onDidClose(update));
    this.store.add(
      registry.onDidOpen((repository) => {
        update();
        repository.onDidChange(({ head, content }) => {
          if (head || content) update();
        });
      }),
    );
  }

  /** Call also after a change of the workspace folders: it can change a repository's path, and recreates its title. */
  update(): void {
    const { repositories, paths } = this.registry;
    const isBusy = (repository: Repository) => this.git.isBusy(repository);
    setContextKey('residentGit.isGitRunning', repositories.some(isBusy));
    for (const repository of repositories) this.titles.showRunning(repository, isBusy(repository));
    const inOperation = repositories.filter(({ operation }) => operation !== undefined);
    setContextKey('residentGit.isOperationUnderWay', inOperation.length > 0);
    const roots = inOperation.map((repository) => worktreeUri(paths, repository, '').toString());
    setContextKey('residentGit.rootsInOperation', roots);
    const isAny = (kind: Operation) => inOperation.some(({ operation }) => operation === kind);
    setContextKey('residentGit.isMerging', isAny('merge'));
    setContextKey('residentGit.isRebasing', isAny('rebase'));
    setContextKey('residentGit.isCherryPicking', isAny('cherry-pick'));
  }
}
