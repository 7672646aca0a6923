/** Updates the registry when folders, trust, settings or the open files change, or when repositories appear. */
import { Uri, window, workspace } from 'vscode';
import { affectsSetting, config, configOf } from '../../config';
import { Feature } from '../../lifecycle';
import { Report } from '../../model/HelperApi';
import { messageOf } from '../../model/messageOf';
import { OpenSettings } from '../../model/openRule';
import { RepositoryRegistry } from '../../model/RepositoryRegistry';
import { Throttle } from '../../model/Throttle';
import { WorkspaceFolder } from '../../model/WorkspacePaths';
import { MovedFolders } from './MovedFolders';
import { OpenAnswers } from './OpenAnswers';

/** Delay of a discovery: `git clone` and `git init` make a folder first, and a repository a moment later. */
const kAppearedMs = 1000;
/** Paths of the files in all tabs: the shown file, or the modified side of a comparison. */
function editedPaths(): string[] {
  return window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .flatMap(({ input }) => {
      const { uri, modified } = (input ?? {}) as { uri?: Uri; modified?: Uri };
      const file = uri ?? modified;
      return file?.scheme === 'file' ? [file.fsPath] : [];
    });
}

const depthOf = (folder: string): number => configOf({ root: folder }).repositoryScanMaxDepth;

function openSettings(): OpenSettings {
  const parent = ({ opened }: WorkspaceFolder) => configOf({ root: opened }).openRepositoryInParentFolders;
  return { ...config.openRule, parent };
}

export class WorkspaceRepositories extends Feature {
  private readonly timers = new Set<NodeJS.Timeout>();
  private readonly discovery = this.store.add(
    new Throttle(kAppearedMs, () => {
      this.registry.discoverAll().catch((error: unknown) => {
        this.report('error', `repositories cannot be looked for: ${messageOf(error)}`);
      });
    }),
  );
  /** Watches the current workspace folders. */
  private moved: MovedFolders | undefined;

  constructor(
    private readonly registry: RepositoryRegistry,
    private readonly report: Report,
    private readonly answers: OpenAnswers,
    private readonly onDidChangeFolders: () => void,
  ) {
    super();
    this.store.add(
      workspace.onDidChangeWorkspaceFolders(() => {
        void this.open().then(this.onDidChangeFolders);
      }),
    );
    this.store.add(workspace.onDidGrantWorkspaceTrust(() => void this.open()));
    this.store.add(
      workspace.onDidChangeConfiguration((event) => {
        const isAffected = affectsSetting(
          event,
          'repositoryScanMaxDepth',
          'sweepMinutes',
          'openRepositories',
          'openRepositoryInParentFolders',
          'ignoredRepositories',
        );
        if (isAffected) void this.open();
      }),
    );
    this.store.add(
      window.onDidChangeActiveTextEditor((editor) => {
        if (editor !== undefined) void this.openAround(editor.document.uri);
      }),
    );
    // This watcher adds no watches: the editor watches its folders anyway, and this only filters one name.
    const watcher = this.store.add(workspace.createFileSystemWatcher('**/.git'));
    this.store.add(watcher.onDidCreate(this.appeared));
    this.store.add(watcher.onDidDelete(() => void this.registry.forgetGone()));
    // `git worktree repair` writes the `.git` file in place.
    this.store.add(watcher.onDidChange(this.appeared));
    this.store.add({
      dispose: () => {
        for (const timer of this.timers) clearTimeout(timer);
        this.moved?.dispose();
      },
    });
  }

  /** Finds and opens the repositories of the workspace. Never rejects. */
  async open(): Promise<void> {
    const folders = workspace.workspaceFolders ?? [];
    const uris = folders.map(({ uri }) => uri).filter(({ scheme }) => scheme === 'file');
    const paths = uris.map(({ fsPath }) => fsPath);
    this.moved?.dispose();
    this.moved = new MovedFolders(uris, depthOf, this.appeared);
    try {
      await this.registry.setWorkspace(paths, {
        depth: depthOf,
        trusted: workspace.isTrusted,
        sweepMinutes: config.sweepMinutes,
        rule: { settings: openSettings(), answers: () => this.answers.all, edited: editedPaths },
      });
      const uri = window.activeTextEditor?.document.uri;
      if (uri !== undefined) await this.openAround(uri);
    } catch (error) {
      this.report('error', `the workspace cannot be opened: ${messageOf(error)}`);
    }
  }

  private async openAround(uri: Uri): Promise<void> {
    if (uri.scheme !== 'file') return;
    try {
      await this.registry.discoverAround(uri.fsPath);
    } catch (error) {
      this.report('warn', `${uri.fsPath}: ${messageOf(error)}`);
    }
  }

  /** Call when a repository may have appeared. */
  private readonly appeared = (): void => {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      this.discovery.schedule();
    }, kAppearedMs);
    this.timers.add(timer);
  };
}
