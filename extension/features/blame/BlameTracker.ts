/**
 * Knows the blame of the lines in the active editor, and keeps it right while the user types, moves the cursor or
 * changes the repository. Starts git only for files that are visible.
 *
 * The committed text is blamed, not the file: an edit then needs no git, only a comparison of lines.
 */
import { EventEmitter, TextDocument, window, workspace } from 'vscode';
import { locateUri } from '../../commands/rows';
import { affectsSetting, config, setBlame } from '../../config';
import { BuiltInGit } from '../../git/BuiltInGit';
import { isWorktreeFile } from '../../git/worktreeFile';
import { Feature } from '../../lifecycle';
import { parseContentQuery } from '../../model/contentQuery';
import { Repository } from '../../model/Repository';
import { RepositoryRegistry } from '../../model/RepositoryRegistry';
import { RepoPath } from '../../protocol';
import { kContentScheme } from '../../scm/uris';
import { decoded, encodingOf } from '../hunks/editorText';
import { linesOf } from '../hunks/textLines';
import { BlameRules } from './BlameRules';
import { Blames } from './Blames';
import { CommitDetails } from './CommitDetails';
import { CommittedText, FileBlame } from './FileBlame';
import { isVisible, kMaxLines, LineBlame, planBlame } from './plan';
import { kNoLine, kUncommitted, originsOf } from './origins';

/** Shortest time between two comparisons of a text that is being edited. */
const kCompareMs = 50;
/** A comparison may take this part of the time. */
const kShare = 0.1;

export const kParts = ['statusBarItem', 'editorDecoration'] as const;
export type Part = (typeof kParts)[number];

/** A file in a repository. */
interface Place {
  repository: Repository;
  path: RepoPath;
}

/** The active editor's file. */
interface Shown extends Place {
  document: TextDocument;
  /** An answer for all lines; undefined: `blame` has them. */
  all: LineBlame | undefined;
  blame: FileBlame | undefined;
  /** The comparison with the text of `blame`. */
  compared: Compared | undefined;
  /** The one with an earlier version, which answers until `blame` does. */
  earlier: Compared | undefined;
  visible: ReadonlySet<Part>;
}
interface Compared {
  blame: FileBlame;
  version: number;
  text: CommittedText;
  origins: Int32Array;
}

export class BlameTracker extends Feature {
  private readonly changed = this.store.add(new EventEmitter<void>());
  /** The answers for the active editor's lines may have changed. */
  readonly onDidChange = this.changed.event;

  private shown: Shown | undefined;
  /** The last blame of each document that was active. */
  private readonly blames = new WeakMap<TextDocument, FileBlame>();
  private readonly files = new WeakMap<TextDocument, boolean>();
  private timer: NodeJS.Timeout | undefined;
  private comparedAt = 0;
  private pauseMs = kCompareMs;

  constructor(
    private readonly registry: RepositoryRegistry,
    private readonly builtIn: BuiltInGit,
    private readonly engine: Blames,
    private readonly rules: BlameRules,
    private readonly details: Pick<CommitDetails, 'forget'>,
  ) {
    super();
    const look = () => {
      this.look();
    };
    const refresh = () => {
      this.refresh();
    };
    this.store.add(window.onDidChangeActiveTextEditor(refresh));
    this.store.add(window.onDidChangeVisibleTextEditors(() => this.endUnseen()));
    this.store.add(window.onDidChangeWindowState(({ focused }) => focused && this.refresh()));
    this.store.add(
      window.onDidChangeTextEditorSelection(({ textEditor }) => this.ofEditor(textEditor.document)),
    );
    this.store.add(workspace.onDidChangeTextDocument(({ document }) => this.ofEditor(document)));
    this.store.add(workspace.onDidSaveTextDocument(refresh));
    this.store.add(workspace.onDidGrantWorkspaceTrust(refresh));
    this.store.add(builtIn.onDidChange(look));
    this.store.add(
      workspace.onDidChangeConfiguration((event) => {
        const isOurs = affectsSetting(
          event,
          'blame.ignoreWhitespace',
          'blame.statusBarItem.enabled',
          'blame.statusBarItem.template',
          'blame.editorDecoration.enabled',
          'blame.editorDecoration.template',
          'blame.editorDecoration.disableHover',
        );
        if (isOurs || event.affectsConfiguration('git.blame')) look();
      }),
    );
    this.store.add(engine.onDidChange((blame) => blame === this.shown?.blame && this.compare()));
    this.store.add(
      registry.onDidOpen((repository) => {
        refresh();
        repository.onDidChange(({ head, paths, content }) => {
          if (repository !== this.shown?.repository) return;
          if (head || content) refresh();
          else if (paths.has(this.shown.path)) look();
        });
      }),
    );
    this.store.add(
      registry.onDidClose(({ root }) => {
        engine.forget(root);
        details.forget(root);
        rules.forget(root);
        look();
      }),
    );
    this.store.add({ dispose: () => clearTimeout(this.timer) });
    refresh();
  }

  /** The repository of the active editor's file; undefined: there is nothing to blame. */
  get repository(): Repository | undefined {
    return this.shown?.repository;
  }

  /** The repository of the active editor's file, whether its blame is shown or not. */
  get repositoryOfEditor(): Repository | undefined {
    const document = window.activeTextEditor?.document;
    return document && this.locate(document)?.repository;
  }

  /** Undefined: the lines have changed, and the answer follows with the next event. */
  at(document: TextDocument, line: number): LineBlame | undefined {
    const { shown } = this;
    if (shown?.document !== document) return { kind: 'none' };
    if (shown.all !== undefined) return shown.all;
    const { compared, earlier } = shown;
    const { version = document.version } = compared ?? earlier ?? {};
    if (version !== document.version) return undefined;
    const own = compared && lineOf(compared, line);
    if (own !== undefined && own.kind !== 'waiting') return own;
    return earlier?.version === document.version ? lineOf(earlier, line) : { kind: 'waiting' };
  }

  /** The knowledge about the line of the cursor. */
  get current(): { repository: Repository; line: LineBlame } | undefined {
    const editor = window.activeTextEditor;
    const { repository } = this;
    const line = editor && this.at(editor.document, editor.selection.active.line);
    return repository && line && { repository, line };
  }

  /** True if this part is shown for the active editor. */
  shows(part: Part): boolean {
    return this.shown?.visible.has(part) === true;
  }

  /** True if this part is to be shown for files of the repository. */
  isVisible(part: Part, repository: Repository | undefined): boolean {
    const { blame } = config;
    const isStatus = part === 'statusBarItem';
    const set = setBlame(isStatus ? 'blame.statusBarItem.enabled' : 'blame.editorDecoration.enabled');
    const isOpenThere =
      repository !== undefined && this.builtIn.repositories.some(({ real }) => real === repository.root);
    return isVisible({
      ...set,
      byDefault: isStatus ? blame.statusBarItemEnabled : blame.editorDecorationEnabled,
      isInBuiltIn: this.builtIn.isOn && isOpenThere && (set.builtIn ?? isStatus),
    });
  }

  /** Looks, and then checks the files that decide blame: they change without an event. */
  private refresh(): void {
    this.look();
    const repository = this.shown?.repository;
    if (repository === undefined || !workspace.isTrusted) return;
    void this.rules.refresh(repository).then((isChanged) => {
      if (!isChanged) return;
      this.details.forget(repository.root);
      this.look();
    });
  }

  private ofEditor(document: TextDocument): void {
    if (document === this.shown?.document) this.compare();
  }

  /** Finds out what the active editor shows, and starts git for it if its blame is not known. */
  private look(): void {
    const document = window.activeTextEditor?.document;
    const place = document && workspace.isTrusted ? this.locate(document) : undefined;
    const visible = new Set(kParts.filter((part) => place && this.isVisible(part, place.repository)));
    if (document === undefined || place === undefined || visible.size === 0) {
      this.drop();
      return;
    }
    const before = this.shown?.document === document ? this.shown : undefined;
    if (before === undefined) this.endPause();
    const { repository } = place;
    const plan = planBlame(place.path, repository.entriesAt(place.path), repository.branch.oid);
    const shown: Shown = {
      ...{ ...place, document, visible },
      ...{ all: undefined, blame: undefined, compared: before?.compared, earlier: before?.earlier },
    };
    this.shown = shown;
    if (plan.kind !== 'blame') shown.all = { kind: plan.kind };
    else if (document.lineCount > kMaxLines) shown.all = { kind: 'tooLarge' };
    else if (this.files.get(document) === false) shown.all = { kind: 'none' };
    else {
      const question = {
        commit: repository.branch.oid ?? '',
        path: plan.path,
        ignoreWhitespace: config.blame.ignoreWhitespace,
      };
      shown.blame = this.engine.of(repository.root, this.rules.generationOf(repository), question);
      this.blames.set(document, shown.blame);
      if (shown.compared?.blame !== shown.blame) {
        shown.earlier = shown.compared ?? shown.earlier;
        shown.compared = undefined;
      }
      void this.check(shown);
    }
    this.endUnseen();
    this.compare();
  }

  /** git blames a symbolic link itself, but the editor shows the file behind it. */
  private async check({ document, repository, path }: Shown): Promise<void> {
    if (document.uri.scheme !== 'file' || this.files.has(document)) return;
    const isFile = await isWorktreeFile(repository.root, path);
    this.files.set(document, isFile);
    if (!isFile && document === this.shown?.document) this.look();
  }

  private drop(): void {
    this.shown = undefined;
    this.endUnseen();
    this.changed.fire();
  }

  private locate({ uri }: TextDocument): Place | undefined {
    if (uri.scheme !== kContentScheme) return locateUri(this.registry, uri);
    const { root, path, source } = parseContentQuery(uri.query) ?? {};
    const repository = root === undefined ? undefined : this.registry.get(root);
    const isKnown = source === 'HEAD' || source === 'index';
    return repository && path !== undefined && isKnown ? { repository, path } : undefined;
  }

  private endUnseen(): void {
    const documents = window.visibleTextEditors.map(({ document }) => this.blames.get(document));
    this.engine.keepOnly(new Set([...documents, this.shown?.blame].filter((each) => each !== undefined)));
  }

  /** Compares the lines again, at once or after a pause. Fires when the answers are there. */
  private compare(): void {
    const { shown } = this;
    if (shown === undefined || !this.mustCompare(shown)) {
      this.conclude();
      return;
    }
    if (this.timer !== undefined) return;
    const waitMs = this.comparedAt + this.pauseMs - performance.now();
    if (waitMs <= 0) {
      void this.compareNow(shown);
      return;
    }
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.compare();
    }, waitMs);
  }

  private mustCompare({ document, blame, compared, earlier }: Shown): boolean {
    if (blame?.hasText === true && compared?.version !== document.version) return true;
    return blame?.end === undefined && earlier !== undefined && earlier.version !== document.version;
  }

  private endPause(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.comparedAt = -Infinity;
    this.pauseMs = kCompareMs;
  }

  private async compareNow(shown: Shown): Promise<void> {
    const { document, blame } = shown;
    const text = await blame?.textIn(encodingOf(document) ?? '', (bytes) => decoded(document, bytes));
    if (this.shown !== shown) return;
    const started = performance.now();
    if (blame?.hasText === true && text === undefined) shown.all = { kind: 'none' };
    else if (blame !== undefined && text !== undefined) shown.compared = comparison(document, blame, text);
    if (blame?.end !== undefined) shown.earlier = undefined;
    const { earlier } = shown;
    if (earlier !== undefined) shown.earlier = comparison(document, earlier.blame, earlier.text);
    this.comparedAt = performance.now();
    this.pauseMs = Math.max(kCompareMs, (this.comparedAt - started) / kShare);
    this.conclude();
  }

  /** Takes the end of git into account, and tells. */
  private conclude(): void {
    const { shown } = this;
    const end = shown?.blame?.end;
    if (shown !== undefined && end !== undefined && shown.all === undefined) {
      if (end === 'tooLarge') shown.all = { kind: 'tooLarge' };
      else if (end === 'absent') shown.all = { kind: 'none' };
      else if (typeof end === 'object') shown.all = { kind: 'failed', reason: end.failed };
    }
    this.changed.fire();
  }
}

function comparison(document: TextDocument, blame: FileBlame, text: CommittedText): Compared {
  const lines = linesOf(document.getText());
  const origins = originsOf(text.lines, lines, { ignoreWhitespace: blame.question.ignoreWhitespace });
  return { blame, version: document.version, text, origins };
}

function lineOf({ blame, text, origins }: Compared, line: number): LineBlame {
  const origin = origins[line] ?? kNoLine;
  if (origin === kUncommitted) return { kind: 'uncommitted' };
  if (origin === kNoLine) return { kind: 'none' };
  const commit = blame.commitOf(text.gitLines?.[origin] ?? origin);
  if (commit !== undefined) return { kind: 'commit', commit };
  return { kind: blame.end === 'complete' ? 'none' : 'waiting' };
}
