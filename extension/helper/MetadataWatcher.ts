/**
 * Reports that one of a few files may have changed: HEAD, the index, refs, config files. The files and their folders
 * may be missing at first. git replaces these files by renames.
 *
 * The watcher watches folders, not files: a watch of a file is lost when the file is replaced. If a file's folder is
 * missing, it watches the nearest existing folder above. It makes a new plan when the next folder on the way appears.
 *
 * No failure here is fatal: answers to questions are correct without any event.
 */
import { existsSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { FSWatcher, watch } from 'chokidar' with { 'resolution-mode': 'import' };

/** Delay from the creation or removal of a folder to the new plan. */
const kReplanDelayMs = 50;
/**
 * Times at which `changed` is fired after new folders were added. The moment when chokidar's watches are ready is
 * unknown, and earlier changes cause no event.
 */
const kSettleMs = [150, 1_500, 10_000] as const;

export interface MetadataWatcherEvents {
  changed(): void;
  problem(message: string): void;
}

export class MetadataWatcher {
  private files: ReadonlySet<string> = new Set();
  /** The watched folders, each with its identity when its watch began. A different folder can replace it later. */
  private folders = new Map<string, string>();
  /** Paths in the watched folders whose events count: the files, and folders on the way to files. */
  private wanted = new Set<string>();
  private startChokidar: typeof watch | undefined;
  private watcher: FSWatcher | undefined;
  private replanTimer: NodeJS.Timeout | undefined;
  private settleTimers: readonly NodeJS.Timeout[] = [];
  private lastProblem: string | undefined;
  private isClosed = false;

  constructor(private readonly events: MetadataWatcherEvents) {}

  /** From now on, watches exactly these files (absolute paths). */
  async watch(files: readonly string[]): Promise<void> {
    this.files = new Set(files);
    this.startChokidar ??= (await import('chokidar')).watch;
    this.plan();
  }

  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.replanTimer);
    this.settleTimers.forEach(clearTimeout);
    await this.watcher?.close();
  }

  private plan(): void {
    if (this.isClosed || this.startChokidar === undefined) return;
    const folders = new Map<string, string>();
    const wanted = new Set<string>();
    for (const file of this.files) {
      // chokidar accepts text only. A lone surrogate stands for a byte that is not valid UTF-8.
      if (!isText(file)) continue;
      let path = file;
      while (!existsSync(dirname(path)) && dirname(path) !== path) path = dirname(path);
      wanted.add(path);
      folders.set(dirname(path), identityOf(dirname(path)));
    }
    // chokidar ignores a removed path for good, even if the path is added again later. Therefore a new chokidar starts
    // if an existing folder is no longer wanted, or was replaced. A missing folder has no watch anyway.
    const isStale = ([folder, identity]: [string, string]): boolean =>
      identityOf(folder) !== '' && folders.get(folder) !== identity;
    if ([...this.folders].some(isStale)) {
      void this.watcher?.close();
      this.watcher = undefined;
      this.folders.clear();
      this.wanted.clear();
    }
    const added = [...folders.keys()].filter((folder) => !this.folders.has(folder));
    // chokidar does not list an already watched folder again: newly wanted files that exist there are added by path.
    const found = [...wanted].filter((path) => !this.wanted.has(path) && existsSync(path));
    this.folders = folders;
    this.wanted = wanted;
    this.watcher ??= this.start(this.startChokidar);
    const news = [...added, ...found.filter((path) => !added.includes(dirname(path)))];
    if (news.length === 0) return;
    this.watcher.add(news);
    this.settleTimers.forEach(clearTimeout);
    this.settleTimers = kSettleMs.map((ms) =>
      setTimeout(() => {
        this.events.changed();
      }, ms),
    );
  }

  private start(startChokidar: typeof watch): FSWatcher {
    const watcher = startChokidar([], {
      persistent: true,
      ignoreInitial: true,
      depth: 0,
      // Report deletions at once. By default chokidar waits for a file that replaces the deleted one.
      atomic: false,
      ignored: (path) => !this.folders.has(path) && !this.wanted.has(path),
    });
    watcher.on('all', (event, path) => {
      if (watcher === this.watcher) this.onEvent(event, path);
    });
    // The folder itself was moved or removed. If a new folder replaces it at once, no other event reports that.
    watcher.on('raw', (_event, path, details) => {
      const { watchedPath = '' } = details as { watchedPath?: string };
      if (watcher === this.watcher && this.folders.has(watchedPath) && path === basename(watchedPath)) {
        this.replanSoon();
      }
    });
    watcher.on('error', (error) => {
      this.onError(error);
    });
    return watcher;
  }

  private onEvent(event: string, path: string): void {
    if (this.isClosed) return;
    if (this.wanted.has(path) || this.folders.has(path)) this.events.changed();
    // A folder was created or removed: the nearest folder to watch may have changed.
    if (event.endsWith('Dir')) this.replanSoon();
  }

  private replanSoon(): void {
    clearTimeout(this.replanTimer);
    this.replanTimer = setTimeout(() => {
      this.plan();
    }, kReplanDelayMs);
  }

  private onError(error: unknown): void {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason =
      code === 'ENOSPC'
        ? 'no inotify watches are left (raise fs.inotify.max_user_watches)'
        : code === 'EMFILE'
          ? 'no inotify instances or file descriptors are left'
          : message;
    if (reason === this.lastProblem) return;
    this.lastProblem = reason;
    this.events.problem(`changes to git's own files can appear late: ${reason}`);
  }
}

function isText(path: string): boolean {
  return !/\p{Surrogate}/u.test(path);
}

/** Identity of a folder; '' if it is missing. Includes the creation time, because inode numbers are reused. */
function identityOf(folder: string): string {
  try {
    const { dev, ino, birthtimeNs } = statSync(folder, { bigint: true });
    return `${dev}:${ino}:${birthtimeNs}`;
  } catch {
    return '';
  }
}
