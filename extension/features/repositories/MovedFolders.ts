/**
 * Detects folders with a repository that are moved into the workspace, or moved back. The editor's events report only the
 * folder, and nothing inside it.
 */
import { RelativePattern, Uri, workspace } from 'vscode';
import { DisposableStore } from '../../lifecycle';
import { isRepository } from '../../model/findRepositories';
import { basename } from '../../model/repoPath';
import { Throttle } from '../../model/Throttle';

/** Maximum number of watched levels below a workspace folder. */
const kMaxLevels = 3;
const kLookMs = 1000;
/** Maximum number of new paths that are checked one by one. If there are more, any of them may be a repository. */
const kMaxAppeared = 200;

export class MovedFolders extends DisposableStore {
  private readonly appeared = new Set<string>();
  private readonly look = this.add(new Throttle(kLookMs, () => void this.lookAtAppeared()));

  /** `onMoved` may also be called for a repository that is already known. */
  constructor(
    folders: readonly Uri[],
    /** The number of levels below a folder that are searched for repositories. */
    scanDepth: (folder: string) => number,
    private readonly onMoved: () => void,
  ) {
    super();
    const isRoot = new Set(folders.map((folder) => folder.path));
    for (const folder of folders) {
      for (let level = 1; level <= Math.min(scanDepth(folder.fsPath), kMaxLevels); level++) {
        const pattern = Array<string>(level).fill('*').join('/');
        this.listenTo(folder, pattern, ({ fsPath }) => {
          this.note(fsPath);
        });
      }
      // The editor's watch of a folder ends when the folder is removed: watch its parent as well.
      const name = basename(folder.path);
      const named = /[*?{}[\]]/.test(name) ? '*' : name;
      this.listenTo(Uri.joinPath(folder, '..'), named, ({ path }) => {
        if (isRoot.has(path)) onMoved();
      });
    }
  }

  private listenTo(folder: Uri, pattern: string, onDidCreate: (uri: Uri) => void): void {
    const glob = new RelativePattern(folder, pattern);
    const watcher = this.add(workspace.createFileSystemWatcher(glob, false, true, true));
    this.add(watcher.onDidCreate(onDidCreate));
  }

  private note(path: string): void {
    if (this.appeared.size <= kMaxAppeared) this.appeared.add(path);
    this.look.schedule();
  }

  private async lookAtAppeared(): Promise<void> {
    const paths = [...this.appeared];
    this.appeared.clear();
    let isMoved = paths.length > kMaxAppeared;
    for (const path of paths) isMoved ||= await isRepository(path);
    if (isMoved) this.onMoved();
  }
}
