/**
 * The files around worktrees of whose change no native watch tells, watched once for all worktrees of this process:
 * what they have in common, as the user's config behind a symbolic link, has one watch.
 */
import { MetadataWatcher } from './MetadataWatcher';

export interface FilesUser {
  /** One of its files may have changed. */
  metadataChanged(): void;
}

export class SharedFiles {
  private readonly users = new Map<FilesUser, readonly string[]>();
  private readonly watcher: MetadataWatcher;
  private watched = '';
  private isScheduled = false;

  constructor(problem: (message: string) => void) {
    this.watcher = new MetadataWatcher({
      changed: () => {
        for (const user of this.users.keys()) user.metadataChanged();
      },
      problem,
    });
  }

  /** These files and no others are the user's from now on. */
  set(user: FilesUser, files: readonly string[]): void {
    const known = this.users.get(user);
    if (files.length === 0) this.users.delete(user);
    else this.users.set(user, files);
    if ((known ?? []).join('\0') !== files.join('\0')) this.watchSoon();
  }

  delete(user: FilesUser): void {
    this.set(user, []);
  }

  close(): Promise<void> {
    return this.watcher.close();
  }

  /** Many users that change at once are one change. */
  private watchSoon(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    setImmediate(() => {
      this.isScheduled = false;
      const files = [...new Set([...this.users.values()].flat())].sort();
      const wanted = files.join('\0');
      if (wanted === this.watched) return;
      this.watched = wanted;
      void this.watcher.watch(files);
    });
  }
}
