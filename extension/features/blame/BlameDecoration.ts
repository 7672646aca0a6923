/** Blame at the end of the line, for the lines of the cursors in the active editor, and the hover over it. */
import {
  DecorationOptions,
  Disposable,
  env,
  Hover,
  languages,
  Position,
  Range,
  TextDocument,
  TextEditor,
  ThemeColor,
  window,
} from 'vscode';
import { config } from '../../config';
import { DisposableStore, Feature } from '../../lifecycle';
import { kContentScheme } from '../../scm/uris';
import { BlameTracker } from './BlameTracker';
import { CommitDetails } from './CommitDetails';
import { commitHover } from './hover';
import { textWithoutCommit } from './plan';
import { blameText } from './template';

const kMaxCharacters = 150;
const kFiles = [{ scheme: 'file' }, { scheme: kContentScheme }];

export class BlameDecoration extends Feature {
  private readonly type = this.store.add(
    window.createTextEditorDecorationType({
      after: { color: new ThemeColor('residentGit.blame.editorDecorationForeground'), margin: '0 0 0 3em' },
    }),
  );
  private decorated: TextEditor | undefined;
  private readonly hovers = this.store.add(new DisposableStore());
  private hover: Disposable | undefined;

  constructor(
    private readonly tracker: BlameTracker,
    private readonly details: CommitDetails,
  ) {
    super();
    this.store.add(tracker.onDidChange(() => this.render()));
    this.render();
  }

  private render(): void {
    const editor = window.activeTextEditor;
    const isShown = editor !== undefined && this.tracker.shows('editorDecoration');
    if (this.decorated !== undefined && this.decorated !== editor)
      this.decorated.setDecorations(this.type, []);
    if (!isShown) {
      if (this.decorated === editor) editor?.setDecorations(this.type, []);
      this.decorated = undefined;
    } else {
      const decorations = this.decorationsOf(editor);
      if (decorations !== undefined) editor.setDecorations(this.type, decorations);
      this.decorated = editor;
    }
    this.setHover(isShown && !config.blame.editorDecorationDisableHover);
  }

  /** Undefined: the answers follow. */
  private decorationsOf({ document, selections }: TextEditor): DecorationOptions[] | undefined {
    const { editorDecorationTemplate: template } = config.blame;
    const options: DecorationOptions[] = [];
    for (const line of new Set(selections.map(({ active }) => active.line))) {
      const blame = this.tracker.at(document, line);
      if (blame === undefined) return undefined;
      const text =
        blame.kind === 'commit'
          ? blameText(blame.commit, { template, limit: kMaxCharacters, language: env.language })
          : textWithoutCommit(blame);
      if (text === undefined || line >= document.lineCount) continue;
      options.push({ range: endOf(document, line), renderOptions: { after: { contentText: text } } });
    }
    return options;
  }

  private setHover(isWanted: boolean): void {
    if (isWanted === (this.hover !== undefined)) return;
    this.hover?.dispose();
    this.hover = isWanted
      ? this.hovers.add(
          languages.registerHoverProvider(kFiles, {
            provideHover: (document, position) => this.provideHover(document, position),
          }),
        )
      : undefined;
  }

  private async provideHover(document: TextDocument, position: Position): Promise<Hover | undefined> {
    const { repository } = this.tracker;
    const editor = window.activeTextEditor;
    const isDecorated = editor?.selections.some(({ active }) => active.line === position.line) === true;
    const range = endOf(document, position.line);
    if (repository === undefined || !isDecorated || !range.start.isEqual(position)) return undefined;
    const line = this.tracker.at(document, position.line);
    if (line?.kind !== 'commit') return undefined;
    const { commit } = line;
    const preferred = repository.details?.upstream?.remote;
    const details = await this.details.of(repository.root, commit.hash, preferred);
    return new Hover(commitHover(repository.root, commit, details), range);
  }
}

function endOf(document: TextDocument, line: number): Range {
  const { end } = document.lineAt(line).range;
  return new Range(end, end);
}
