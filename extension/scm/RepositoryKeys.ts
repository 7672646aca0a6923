/**
 * In which repositories git runs or is in the middle of something, for the buttons of their own titles, and whether it is
 * so in any, for the palette. Each is named as `scmProviderRootUri` names it.
 */
import { setContextKey } from '../contextKeys';
import { Feature } from '../lifecycle';
import { Emitter } from '../model/Emitter';
import { Repository } from '../model/Repository';
import { RepositoryRegistry } from '../model/RepositoryRegistry';
import { Operation } from '../protocol';
import { worktreeUri } from './uris';

interface Runner {
  isBusy(repository: Repository): boolean;
  readonly onDidChangeBusy: Emitter<void>['event'];
}

export class RepositoryKeys extends Feature {
  constructor(
    private readonly registry: RepositoryRegistry,
    private readonly git: Runner,
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

  /** Also where another workspace folder has given repositories another name. */
  update(): void {
    const running = this.rootsOf((repository) => this.git.isBusy(repository));
    setContextKey('residentGit.isGitRunning', running.length > 0);
    setContextKey('residentGit.rootsWhereGitRuns', running);
    const inOperation = this.rootsOf(({ operation }) => operation !== undefined);
    setContextKey('residentGit.isOperationUnderWay', inOperation.length > 0);
    setContextKey('residentGit.rootsInOperation', inOperation);
    const isAny = (kind: Operation) => this.registry.repositories.some(({ operation }) => operation === kind);
    setContextKey('residentGit.isMerging', isAny('merge'));
    setContextKey('residentGit.isRebasing', isAny('rebase'));
    setContextKey('residentGit.isCherryPicking', isAny('cherry-pick'));
  }

  private rootsOf(isMeant: (repository: Repository) => boolean): string[] {
    const { repositories, paths } = this.registry;
    return repositories.filter(isMeant).map((repository) => worktreeUri(paths, repository, '').toString());
  }
}
