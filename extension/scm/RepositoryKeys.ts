/**
 * Whether git runs or is in the middle of something: in any repository for the palette and for the title of a single one, in
 * each for its own title. In a remote window `scmProviderRootUri` has an authority that no extension learns, so that only
 * what also stands elsewhere may hang on the list of roots.
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

  /** Also where another workspace folder has given repositories another name, and another title. */
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
