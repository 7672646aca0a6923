/**
 * Watches the metadata files without a native watch, once for all worktrees of this process. Worktrees share some of
 * these files, for example the user's config behind a symbolic link. A shared file has one watch.
 */
import { MetadataWatcher } from './MetadataWatcher';

export interface FilesUser {
  /** One of the user's files may have changed. */
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

  /** From now on, exactly these files belong to the user. */
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

  /** Batches changes of many users into one. */
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
