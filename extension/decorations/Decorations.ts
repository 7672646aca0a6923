/** The badges and colours of files in the explorer, in tabs and in the Source Control view. */
import {
  Event,
  EventEmitter,
  FileDecoration,
  FileDecorationProvider,
  ProviderResult,
  ThemeColor,
  Uri,
  window,
  workspace,
} from 'vscode';
import { affectsSetting, config, configOf } from '../config';
import { Feature } from '../lifecycle';
import { RepoPath } from '../protocol';
import { Backlog } from '../model/Backlog';
import { HelperApi } from '../model/HelperApi';
import { IgnoredCache } from '../model/IgnoredCache';
import { Repository, RepositoryChange } from '../model/Repository';
import { Located, RepositoryRegistry } from '../model/RepositoryRegistry';
import { badgeStatus } from '../model/status';
import { Throttle } from '../model/Throttle';
import { asStale, Badge, badgeOf, kIgnoredBadge, kSubmoduleBadge } from './badges';
import { inBatches } from './batches';
import { ShownPaths } from './ShownPaths';

/** A verification that ends sooner is not shown as stale: it would only flicker. */
const kStaleDelayMs = 300;
/** Minimum interval between checks of the ignore rules: during a rebase the index changes many times a second. */
const kRecheckIntervalMs = 250;
const kMaxOutside = 10_000;
/** Maximum number of paths that are reported to the editor in one turn of the event loop. */
const kPathsPerTurn = 500;

/** Maps between paths and the URIs that the editor may use for them. The rows of the view use the same mapping. */
export interface UriMapping {
  urisOf(repository: Repository, path: RepoPath): readonly Uri[];
  /** The path that the user sees, with all its bytes. */
  pathOf(uri: Uri): string;
}

export class Decorations extends Feature implements FileDecorationProvider {
  private readonly changed = this.store.add(new EventEmitter<Uri[] | undefined>());
  readonly onDidChangeFileDecorations: Event<Uri[] | undefined> = this.changed.event;
  private readonly shown = new Map<Repository, Shown>();
  /** Asked URIs outside of all open repositories, by their text. A repository that opens later may contain them. */
  private readonly outside = new Map<string, Uri>();
  private readonly withStatus = this.store.add(new ShownPaths());
  private isEnabled = config.decorationsEnabled;
  /** True: the setting hides the badges of untracked files in the repository. Cached, see `isUntrackedHidden`. */
  private hidesUntracked = new WeakMap<Repository, boolean>();

  constructor(
    private readonly registry: RepositoryRegistry,
    private readonly helper: Pick<HelperApi, 'ignored'>,
    private readonly uris: UriMapping,
  ) {
    super();
    this.store.add(window.registerFileDecorationProvider(this));
    this.store.add(
      workspace.onDidChangeConfiguration((event) => {
        if (!affectsSetting(event, 'decorations.enabled', 'show', 'untrackedChanges')) return;
        this.isEnabled = config.decorationsEnabled;
        this.hidesUntracked = new WeakMap();
        this.flush();
      }),
    );
    this.store.add(
      registry.onDidOpen((repository) => {
        this.open(repository);
      }),
    );
    this.store.add(
      registry.onDidClose((repository) => {
        this.shown.get(repository)?.dispose();
        this.shown.delete(repository);
        this.flush();
      }),
    );
  }

  provideFileDecoration(uri: Uri): ProviderResult<FileDecoration> {
    if (uri.scheme !== 'file') return undefined;
    const badge = this.find(uri);
    return badge instanceof Promise
      ? badge.then((found) => this.decorate(uri, found))
      : this.decorate(uri, badge);
  }

  private decorate({ fsPath }: Uri, badge: Badge | undefined): FileDecoration | undefined {
    this.withStatus.note(fsPath, badge !== undefined && badge !== kSubmoduleBadge);
    return badge !== undefined && this.isEnabled ? toDecoration(badge) : undefined;
  }

  private find(uri: Uri): Badge | undefined | Promise<Badge | undefined> {
    const located = this.registry.locateAsContent(this.uris.pathOf(uri));
    if (located === undefined) {
      if (this.outside.size < kMaxOutside) this.outside.set(uri.toString(), uri);
      return undefined;
    }
    if (isMetadata(located.path)) return undefined;
    const shown = this.shown.get(located.repository);
    if (shown === undefined) return undefined;
    const badge = this.badgeAt(located, shown);
    if (badge !== undefined) return badge;
    if (this.isSubmodule(uri)) return kSubmoduleBadge;
    if (located.path === '') return undefined;
    const ignored = shown.ignored.isIgnored(located.path);
    if (typeof ignored === 'boolean') return ignored ? kIgnoredBadge : undefined;
    return ignored.then((isIgnored) => (isIgnored ? kIgnoredBadge : undefined));
  }

  override dispose(): void {
    for (const shown of this.shown.values()) shown.dispose();
    super.dispose();
  }

  private open(repository: Repository): void {
    const { root } = repository;
    const telling = new Backlog<RepoPath>(kPathsPerTurn, (paths) => {
      this.fire(repository, paths);
    });
    const ignored = new IgnoredCache(
      async (paths) => (await this.helper.ignored({ root, paths })).ignored,
      (paths) => {
        if (paths === undefined) this.flush();
        else telling.add(paths);
      },
    );
    const recheck = new Throttle(kRecheckIntervalMs, () => void ignored.recheck());
    this.shown.set(repository, new Shown(ignored, recheck, telling));
    repository.onDidChange((change) => {
      this.apply(repository, change);
    });
    const asked = [...this.outside.values()];
    this.outside.clear();
    this.fireUris(asked);
  }

  /**
   * Makes the editor ask for all badges again. The event also makes the editor forget the badges inside collapsed
   * folders: each path with a status is therefore reported as well.
   */
  private flush(): void {
    this.outside.clear();
    this.withStatus.clear();
    this.changed.fire(undefined);
    for (const [repository, { telling }] of this.shown) telling.add(pathsOf(repository));
  }

  private apply(repository: Repository, change: RepositoryChange): void {
    const shown = this.shown.get(repository);
    if (shown === undefined) return;
    shown.ignored.forget(change.paths);
    shown.telling.add(change.paths);
    if (change.ignoreRules || change.content) shown.recheck.schedule();
    if (change.stale) {
      shown.scheduleStale(() => {
        if (shown.isStale === repository.stale) return;
        shown.isStale = repository.stale;
        shown.telling.add(pathsOf(repository));
      });
    }
  }

  private fire(repository: Repository, paths: Iterable<RepoPath>): void {
    const uris: Uri[] = [];
    for (const path of paths) uris.push(...this.uris.urisOf(repository, path));
    this.fireUris(uris);
  }

  private fireUris(uris: readonly Uri[]): void {
    for (const batch of inBatches(uris)) this.changed.fire(batch);
  }

  private badgeAt({ repository, path }: Located, shown: Shown): Badge | undefined {
    // The status lists an untracked nested repository with a final slash. The editor asks without the slash.
    const status = badgeStatus([...repository.entriesAt(path), ...repository.entriesAt(path + '/')]);
    if (status === undefined || (status === 'untracked' && this.isUntrackedHidden(repository)))
      return undefined;
    return shown.isStale ? asStale(badgeOf(status)) : badgeOf(status);
  }

  /** Reads the setting once per repository: the editor asks for a badge per file. */
  private isUntrackedHidden(repository: Repository): boolean {
    let isHidden = this.hidesUntracked.get(repository);
    if (isHidden === undefined) {
      isHidden = configOf(repository).untrackedChanges === 'hidden';
      this.hidesUntracked.set(repository, isHidden);
    }
    return isHidden;
  }

  private isSubmodule(uri: Uri): boolean {
    const located = this.registry.locate(this.uris.pathOf(uri));
    return located?.path === '' && this.registry.isSubmodule(located.repository);
  }
}

class Shown {
  isStale = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    readonly ignored: IgnoredCache,
    readonly recheck: Throttle,
    /** Paths with a changed badge that are not yet reported to the editor. */
    readonly telling: Backlog<RepoPath>,
  ) {}

  scheduleStale(action: () => void): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(action, kStaleDelayMs);
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.recheck.dispose();
    this.telling.clear();
    this.ignored.dispose();
  }
}

function pathsOf(repository: Repository): Set<RepoPath> {
  return new Set(Array.from(repository.entries(), (entry) => entry.path));
}

function isMetadata(path: RepoPath): boolean {
  return path === '.git' || path.startsWith('.git/') || path.endsWith('/.git') || path.includes('/.git/');
}

function toDecoration({ letter, color, tooltip, propagate }: Badge): FileDecoration {
  const decoration = new FileDecoration(letter, tooltip, new ThemeColor(color));
  decoration.propagate = propagate;
  return decoration;
}
