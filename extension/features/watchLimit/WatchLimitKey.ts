/** Context key: a worktree lacks inotify watches. A button then explains how to raise the limit. */
import { setContextKey } from '../../contextKeys';
import { Feature } from '../../lifecycle';
import { RepositoryRegistry } from '../../model/RepositoryRegistry';
import { watchLimit } from './plan';

export class WatchLimitKey extends Feature {
  constructor(registry: RepositoryRegistry) {
    super();
    const tell = () => {
      const states = registry.repositories.map(({ state }) => state);
      setContextKey('residentGit.isShortOfWatches', watchLimit(states) !== undefined);
    };
    this.store.add(
      registry.onDidOpen((repository) => {
        tell();
        repository.onDidChange(({ state }) => {
          if (state) tell();
        });
      }),
    );
    this.store.add(registry.onDidClose(tell));
  }
}
