/** Context key: the files with conflicts, for the menus of their editors. */
import { setContextKey } from '../../contextKeys';
import { Feature } from '../../lifecycle';
import { isText, join } from '../../model/repoPath';
import { RepositoryRegistry } from '../../model/RepositoryRegistry';
import { Throttle } from '../../model/Throttle';

const kIntervalMs = 100;
/** Maximum number of paths: each update sends the whole list. For files beyond the limit, the user has the view. */
const kMaxPaths = 1000;

export class ConflictKey extends Feature {
  private hadAny = false;
  private readonly telling = this.store.add(
    new Throttle(kIntervalMs, () => {
      this.tell();
    }),
  );

  constructor(private readonly registry: RepositoryRegistry) {
    super();
    this.store.add(
      registry.onDidOpen((repository) => {
        repository.onDidChange(({ groups }) => {
          if (groups.has('merge')) this.telling.schedule();
        });
      }),
    );
    this.store.add(
      registry.onDidClose(() => {
        this.telling.schedule();
      }),
    );
  }

  private tell(): void {
    const paths: string[] = [];
    for (const repository of this.registry.repositories) {
      if (repository.countIn('merge') === 0) continue;
      for (const { path } of repository.entriesIn('merge')) {
        if (paths.length >= kMaxPaths || !isText(path)) continue;
        paths.push(...this.registry.paths.toOpened(join(repository.root, path)));
      }
    }
    if (paths.length === 0 && !this.hadAny) return;
    this.hadAny = paths.length > 0;
    setContextKey('residentGit.conflicts', paths);
  }
}
