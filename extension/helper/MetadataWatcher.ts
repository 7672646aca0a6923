/**
 * Tells that one of a few files may have changed: HEAD, the index, refs, config files, ... Files may not exist yet,
 * nor the folders that they are in, and git replaces them by renames.
 *
 * Folders are watched, not files: a watch of a file is lost with the file. Where a file's folder does not exist, the
 * nearest folder above that does is watched for the next one on the way, and the plan is made again when it appears.
 *
 * Nothing that goes wrong here is fatal: whoever asks a question is answered right without any event.
 */
import { existsSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { FSWatcher, watch } from 'chokidar' with { 'resolution-mode': 'import' };

/** How long after a folder came or went the plan is made again. */
const kReplanDelayMs = 50;
/** How long chokidar may take to watch what it is told to, which it does not tell: what happens meanwhile gives no event. */
const kSettleMs = [150, 1_500, 10_000] as const;

export interface MetadataWatcherEvents {
  changed(): void;
  problem(message: string): void;
}

export class MetadataWatcher {
  private files: ReadonlySet<string> = new Set();
  /** What is watched, and which folder that was when it was: another can take its place. */
  private folders = new Map<string, string>();
  /** Paths in those folders whose events count: the files, and folders on the way to files. */
  private wanted = new Set<string>();
  private startChokidar: typeof watch | undefined;
  private watcher: FSWatcher | undefined;
  private replanTimer: NodeJS.Timeout | undefined;
  private settleTimers: readonly NodeJS.Timeout[] = [];
  private lastProblem: string | undefined;
  private isClosed = false;

  constructor(private readonly events: MetadataWatcherEvents) {}

  /** Watches these files (absolute paths) and no others from now on. */
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
      // chokidar takes text only, and a lone surrogate stands for a byte that no text has.
      if (!isText(file)) continue;
      let path = file;
      while (!existsSync(dirname(path)) && dirname(path) !== path) path = dirname(path);
      wanted.add(path);
      folders.set(dirname(path), identityOf(dirname(path)));
    }
    // What chokidar is told to unwatch it ignores for good, should it come back. So it starts anew where a folder that
    // exists is not wanted any more, or is another one; one that does not exist is watched no more anyway.
    const isStale = ([folder, identity]: [string, string]): boolean =>
      identityOf(folder) !== '' && folders.get(folder) !== identity;
    if ([...this.folders].some(isStale)) {
      void this.watcher?.close();
      this.watcher = undefined;
      this.folders.clear();
      this.wanted.clear();
    }
    const added = [...folders.keys()].filter((folder) => !this.folders.has(folder));
    // What exists in a folder that is watched already is not looked for again.
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
      // Deletions are told at once, not after a wait for a file that could take the place.
      atomic: false,
      ignored: (path) => !this.folders.has(path) && !this.wanted.has(path),
    });
    watcher.on('all', (event, path) => {
      if (watcher === this.watcher) this.onEvent(event, path);
    });
    // The folder itself was moved or removed. When another one takes its place at once, there is no other sign of it.
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
    // A folder came or went, so that files can be watched nearer, or only farther.
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

/** Which folder it is, though inode numbers are used again; '' where there is none. */
function identityOf(folder: string): string {
  try {
    const { dev, ino, birthtimeNs } = statSync(folder, { bigint: true });
    return `${dev}:${ino}:${birthtimeNs}`;
  } catch {
    return '';
  }
}
