/**
 * The view File History: the commits that changed the file in front, or a pinned file, folder or lines.
 *
 * Invariants:
 *  - No git runs while the view is hidden. A read under way ends when the view is hidden.
 *  - The list follows HEAD: another commit of HEAD reads it again, from the top.
 */
import { commands, Disposable, TreeView, Uri, window, workspace } from 'vscode';
import { setContextKey } from '../../contextKeys';
import { Git } from '../../git/Git';
import { textOf } from '../../git/outputText';
import { Feature } from '../../lifecycle';
import { t } from '../../l10n';
import { parseContentQuery } from '../../model/contentQuery';
import { toDisplay } from '../../model/repoPath';
import { Repository } from '../../model/Repository';
import { RepositoryRegistry } from '../../model/RepositoryRegistry';
import { pathInHead } from '../../model/status';
import { kContentScheme, pathOf } from '../../scm/uris';
import { activeUri, isAside } from './activeUri';
import { HistoryList } from './HistoryList';
import { HistoryReader } from './HistoryReader';
import { CommitRow, HistoryRows, Row } from './HistoryRows';
import { emptyText, nameOf, Target } from './historyText';
import { linesBefore } from './lineMap';
import { isSameSubject, Subject } from './plan';

const kView = 'residentGit.fileHistory';
/** Delay before the view follows a tab: while tabs are closed, each one is active for a moment. */
const kFollowMs = 60;

/** `base`: the commit whose version has the lines. */
export type ShownTarget = Target & { base?: string };

export class FileHistory extends Feature {
  readonly list: HistoryList;
  private readonly rows: HistoryRows;
  private readonly view: TreeView<Row>;
  private target: ShownTarget | undefined;
  private isPinned = false;
  private timer: NodeJS.Timeout | undefined;
  private isProgressShown = false;

  constructor(
    private readonly registry: RepositoryRegistry,
    private readonly git: Git,
    reader: HistoryReader,
  ) {
    super();
    this.list = new HistoryList(reader);
    this.rows = new HistoryRows(this.list, git);
    this.view = this.store.add(window.createTreeView(kView, { treeDataProvider: this.rows }));
    this.store.add(this.list.onDidChange(() => this.draw()));
    this.store.add(this.view.onDidChangeVisibility(() => this.visibilityChanged()));
    this.store.add(window.tabGroups.onDidChangeTabs(() => this.followSoon()));
    this.store.add(window.tabGroups.onDidChangeTabGroups(() => this.followSoon()));
    this.store.add(workspace.onDidGrantWorkspaceTrust(() => this.update()));
    this.store.add(registry.onDidClose(() => this.update()));
    this.store.add(
      registry.onDidOpen((repository) => {
        repository.onDidChange(({ head, details, state }) => {
          if (repository.root !== this.target?.root) return;
          if (head || (state && this.list.subject === undefined)) this.update();
          // The tooltips name the refs.
          if ((head || details) && this.view.visible) this.rows.update();
        });
        this.update();
      }),
    );
    this.store.add(
      new Disposable(() => {
        clearTimeout(this.timer);
        this.list.stop();
      }),
    );
  }

  get shown(): Target | undefined {
    return this.target;
  }

  get selectedRow(): CommitRow | undefined {
    const [row] = this.view.selection;
    return row instanceof CommitRow ? row : undefined;
  }

  /** Shows the view. `isPinned`: other tabs do not change the target. */
  async show(target: ShownTarget, isPinned: boolean): Promise<void> {
    this.target = target;
    this.setPinned(isPinned);
    await commands.executeCommand(`${kView}.focus`);
    this.update();
  }

  setPinned(isPinned: boolean): void {
    this.isPinned = isPinned;
    setContextKey('residentGit.isFileHistoryPinned', isPinned);
    this.update();
  }

  refresh(): void {
    if (this.list.subject !== undefined && this.view.visible) this.list.open(this.list.subject);
    this.update();
  }

  private visibilityChanged(): void {
    if (this.view.visible) this.update();
    else this.list.stop();
  }

  private followSoon(): void {
    if (this.isPinned || !this.view.visible) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.update(), kFollowMs);
  }

  private update(): void {
    if (!this.view.visible) return;
    if (!this.isPinned) this.follow();
    const subject = this.subject();
    const { list } = this;
    if (subject === undefined) {
      if (list.subject !== undefined) list.clear();
    } else if (
      list.subject === undefined ||
      !isSameSubject(list.subject, subject) ||
      list.subject.start !== subject.start ||
      !(list.isRead || list.isReading)
    ) {
      list.open(subject);
    }
    this.draw();
  }

  private follow(): void {
    const uri = activeUri();
    if (isAside(uri)) return;
    const located = uri && this.locate(uri);
    this.target = located && { ...located, kind: 'file' };
  }

  /** The URI names a file, or its version in HEAD or in the index. */
  private locate(uri: Uri): Pick<Target, 'root' | 'path'> | undefined {
    if (uri.scheme === kContentScheme) return parseContentQuery(uri.query);
    const located = uri.scheme === 'file' ? this.registry.locate(pathOf(uri)) : undefined;
    if (located === undefined || located.path === '') return undefined;
    return { root: located.repository.root, path: located.path };
  }

  /** Undefined: there is nothing to read, or not yet. */
  private subject(): Subject | undefined {
    const repository = this.repository();
    const { target } = this;
    const head = repository?.branch.oid;
    if (repository === undefined || target === undefined || head === undefined || !workspace.isTrusted)
      return undefined;
    const { root, path, kind, lines, base } = target;
    const committed = kind === 'folder' ? path : pathInHead(repository.entriesAt(path), path);
    if (lines === undefined) return { root, path, committed, kind, start: head };
    if (base !== undefined && base !== head) void this.moveLines(target, committed, base, head);
    return { root, path, committed, kind, lines, start: base ?? head };
  }

  private repository(): Repository | undefined {
    return this.target && this.registry.get(this.target.root);
  }

  /** Finds the lines in the new commit of HEAD. If it does not have them, the list stays that of the old commit. */
  private async moveLines(target: ShownTarget, path: string, base: string, head: string): Promise<void> {
    const text = async (oid: string) => {
      const found = await this.git.ask(target, {
        args: ['cat-file', 'blob', `${oid}:${path}`],
        keepsAll: true,
      });
      return found && textOf(found.stdout);
    };
    const [old, next] = await Promise.all([text(base), text(head)]);
    if (this.target !== target || old === undefined || next === undefined || target.lines === undefined)
      return;
    const lines = linesBefore(next, old, target.lines);
    if (lines === undefined) return;
    this.target = { ...target, lines, base: head };
    this.update();
  }

  private draw(): void {
    this.rows.update();
    this.view.description = this.target === undefined ? '' : nameOf(this.target);
    this.view.message = this.message() ?? '';
    if (!this.list.isReading || this.isProgressShown) return;
    this.isProgressShown = true;
    const ended = async () => {
      while (this.list.isReading) await this.list.done;
      this.isProgressShown = false;
    };
    void window.withProgress({ location: { viewId: kView } }, ended);
  }

  /** Why there are no commits; undefined: there are, or they are being read. */
  private message(): string | undefined {
    if (!workspace.isTrusted) return t('Trust this workspace to see the history of its files.');
    const { target, list } = this;
    if (target === undefined) {
      const uri = activeUri();
      return uri?.scheme === 'file'
        ? t('The file is not in an open repository.')
        : t('Open a file to see its history.');
    }
    const repository = this.repository();
    if (repository === undefined) return t('The repository is not open.');
    if (repository.branch.oid === undefined) {
      return repository.verified ? t('The repository has no commits yet.') : undefined;
    }
    if (list.failure !== undefined) return t('git cannot list the commits: {0}', toDisplay(list.failure));
    return list.isEmpty ? emptyText(target, repository.entriesAt(target.path)) : undefined;
  }
}
