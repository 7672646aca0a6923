/**
 * The contents behind `resident-git:` URIs: versions of a file in HEAD, the index, a stage, the worktree or an object.
 * This is a file system, not a text provider: the editor then finds the encoding itself, and shows images and other
 * binaries.
 *
 * The cache is bounded in bytes. A change in a repository drops the entries that it may affect.
 */
import { readFile } from 'node:fs/promises';
import {
  Disposable,
  EventEmitter,
  FileChangeEvent,
  FileChangeType,
  FilePermission,
  FileStat,
  FileSystemError,
  FileSystemProvider,
  FileType,
  Uri,
  workspace,
} from 'vscode';
import { Feature } from '../lifecycle';
import { changesWith, ContentKey, isBlob, parseContentQuery } from '../model/contentQuery';
import { HelperApi } from '../model/HelperApi';
import { reasonText } from '../model/helperReasons';
import { join, toBytes } from '../model/repoPath';
import { Repository, RepositoryChange } from '../model/Repository';
import { messageOf } from '../model/messageOf';
import { RepositoryRegistry } from '../model/RepositoryRegistry';
import { kContentScheme } from './uris';

const kCacheBytes = 64 * 1024 * 1024;

interface Content {
  key: ContentKey;
  uri: Uri;
  /** Undefined: the source has no such file. */
  bytes: Promise<Uint8Array | undefined>;
  size: number;
  mtime: number;
}

export class ContentProvider extends Feature implements FileSystemProvider {
  private readonly fileChanged = this.store.add(new EventEmitter<FileChangeEvent[]>());
  readonly onDidChangeFile = this.fileChanged.event;

  /** In order of use, the last used at the end. */
  private readonly cache = new Map<string, Content>();
  private cachedBytes = 0;
  /** URIs that editors have read, until their repository closes. Only these URIs need change events. */
  private readonly given = new Map<string, { uri: Uri; key: ContentKey }>();

  constructor(
    private readonly registry: RepositoryRegistry,
    private readonly helper: Pick<HelperApi, 'content'>,
    /** Reads a git object. Undefined: git failed. */
    private readonly readBlob: (repository: Repository, oid: string) => Promise<Uint8Array | undefined>,
  ) {
    super();
    this.store.add(workspace.registerFileSystemProvider(kContentScheme, this, { isReadonly: true }));
    this.store.add(
      registry.onDidOpen((repository) => {
        repository.onDidChange((change) => {
          this.invalidate(repository, change);
        });
      }),
    );
    this.store.add(
      registry.onDidClose((repository) => {
        for (const [id, { key }] of this.given) if (key.root === repository.root) this.given.delete(id);
        this.drop((content) => content.key.root === repository.root);
      }),
    );
  }

  async exists(uri: Uri): Promise<boolean> {
    try {
      return (await this.load(uri).bytes) !== undefined;
    } catch {
      return false;
    }
  }

  async stat(uri: Uri): Promise<FileStat> {
    const content = this.load(uri);
    const { byteLength } = await this.bytesOf(uri, content);
    return {
      type: FileType.File,
      size: byteLength,
      ctime: 0,
      mtime: content.mtime,
      permissions: FilePermission.Readonly,
    };
  }

  async readFile(uri: Uri): Promise<Uint8Array> {
    return this.bytesOf(uri, this.load(uri));
  }

  watch(): Disposable {
    return new Disposable(() => undefined);
  }
  readDirectory(): [string, FileType][] {
    return [];
  }
  createDirectory(uri: Uri): never {
    throw FileSystemError.NoPermissions(uri);
  }
  writeFile(uri: Uri): never {
    throw FileSystemError.NoPermissions(uri);
  }
  delete(uri: Uri): never {
    throw FileSystemError.NoPermissions(uri);
  }
  rename(uri: Uri): never {
    throw FileSystemError.NoPermissions(uri);
  }

  private async bytesOf(uri: Uri, content: Content): Promise<Uint8Array> {
    let bytes: Uint8Array | undefined;
    try {
      bytes = await content.bytes;
    } catch (error) {
      throw FileSystemError.Unavailable(reasonText(messageOf(error)));
    }
    if (bytes === undefined) throw FileSystemError.FileNotFound(uri);
    return bytes;
  }

  private load(uri: Uri): Content {
    const id = uri.toString();
    const known = this.cache.get(id);
    if (known !== undefined) {
      this.cache.delete(id);
      this.cache.set(id, known);
      return known;
    }
    const key = parseContentQuery(uri.query);
    if (key === undefined) throw FileSystemError.FileNotFound(uri);
    this.given.set(id, { uri, key });
    const content: Content = { key, uri, bytes: this.read(key), size: 0, mtime: Date.now() };
    this.cache.set(id, content);
    content.bytes.then(
      (bytes) => {
        if (this.cache.get(id) !== content) return;
        if (bytes === undefined && isBlob(key.source)) {
          // git failed: the next read tries again.
          this.cache.delete(id);
          return;
        }
        content.size = bytes?.byteLength ?? 0;
        this.cachedBytes += content.size;
        this.evict();
      },
      () => {
        // Errors are not cached: the next read tries again.
        if (this.cache.get(id) === content) this.cache.delete(id);
      },
    );
    return content;
  }

  private async read({ root, path, source }: ContentKey): Promise<Uint8Array | undefined> {
    if (source === 'nothing') return new Uint8Array();
    if (source === 'worktree') return readFile(toBytes(join(root, path)));
    if (isBlob(source)) {
      const repository = this.registry.get(root);
      return repository && this.readBlob(repository, source.slice('blob:'.length));
    }
    const { base64 } = await this.helper.content({ root, path, source });
    return base64 === undefined ? undefined : Buffer.from(base64, 'base64');
  }

  private evict(): void {
    for (const [id, content] of this.cache) {
      if (this.cachedBytes <= kCacheBytes) return;
      this.cache.delete(id);
      this.cachedBytes -= content.size;
    }
  }

  private invalidate({ root }: Repository, change: RepositoryChange): void {
    const isChanged = (key: ContentKey) => key.root === root && changesWith(key, change);
    if (!change.content && change.paths.size === 0) return;
    this.drop(({ key }) => isChanged(key));
    const events: FileChangeEvent[] = [];
    for (const { uri, key } of this.given.values()) {
      if (isChanged(key)) events.push({ type: FileChangeType.Changed, uri });
    }
    if (events.length > 0) this.fileChanged.fire(events);
  }

  private drop(isDropped: (content: Content) => boolean): void {
    for (const [id, content] of this.cache) {
      if (!isDropped(content)) continue;
      this.cache.delete(id);
      this.cachedBytes -= content.size;
    }
  }
}
