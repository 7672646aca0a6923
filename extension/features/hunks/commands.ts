/**
 * Stages, unstages and reverts one change of the gutter's peek, or the selected lines of an editor. The editor gives the
 * change of the peek. The selection is compared here, because VS Code gives an extension no differences for it.
 * A revert can be undone in the editor.
 */
import { EndOfLine, Range, TextDocument, TextEditor, Uri, window, workspace, WorkspaceEdit } from 'vscode';
import { CommandContext, CommandTable } from '../../commands/context';
import { locateUri } from '../../commands/rows';
import { saveDocuments } from '../../commands/saveDocuments';
import { isMeant, tellNoSuchChange } from '../../commands/tell';
import { config } from '../../config';
import { RunInTurn } from '../../git/Git';
import { isWorktreeFile, readWorktreeFile } from '../../git/worktreeFile';
import { t } from '../../l10n';
import { parseContentQuery } from '../../model/contentQuery';
import { basename, toDisplay } from '../../model/repoPath';
import { Repository } from '../../model/Repository';
import { pathInHead } from '../../model/status';
import { RepoPath } from '../../protocol';
import { kContentScheme } from '../../scm/uris';
import { decoded, encoded, isShown, selectedLines } from './editorText';
import {
  asAdded,
  asCheckedOut,
  blob,
  conversionQuestion,
  IndexEntry,
  inHead,
  mayConvert,
  readIndex,
  removeFromIndex,
  writeIndex,
} from './git';
import {
  applyChanges,
  areAligned,
  changeOfEditor,
  changesWithin,
  inverse,
  LineChange,
  LineRange,
  placeOf,
} from './lineChanges';
import { diffLines } from './lineDiff';
import { linesOf, splitLines, TextLines } from './textLines';

export const hunkCommands = {
  'residentGit.stageChange': (context, uri, changes, index) =>
    onChange(context, uri, [changes, index], stage),
  'residentGit.unstageChange': (context, uri, changes, index) =>
    onChange(context, uri, [changes, index], unstage),
  'residentGit.revertChange': (context, uri, changes, index) =>
    onChange(context, uri, [changes, index], revert),
  'residentGit.stageSelectedRanges': (context) => onSelection(context, stage),
  'residentGit.revertSelectedRanges': (context) => onSelection(context, revert),
  'residentGit.unstageSelectedRanges': unstageSelection,
} satisfies CommandTable;

/** A file that an editor shows. */
interface Shown {
  document: TextDocument;
  repository: Repository;
  path: RepoPath;
}
/** The lines that the user chose. */
interface Meant {
  /** Chooses among the differences between two texts, in order. */
  of: (from: TextLines, to: TextLines) => LineChange[];
  /** All changes of the gutter's peek, and the chosen one. */
  peek?: { changes: LineChange[]; chosen: LineChange };
}
type Action = (context: CommandContext, shown: Shown, meant: Meant) => Promise<void>;

async function onChange(
  context: CommandContext,
  uri: unknown,
  [given, index]: [unknown, unknown],
  action: Action,
): Promise<void> {
  if (!(uri instanceof Uri) || !Array.isArray(given) || typeof index !== 'number') return;
  const document = workspace.textDocuments.find((each) => each.uri.toString() === uri.toString());
  const shown = document && locate(context, document);
  const changes = given.map(changeOfEditor).filter((change) => change !== undefined);
  const chosen = changes[index];
  if (shown === undefined || chosen === undefined || changes.length < given.length) return;
  const of = (from: TextLines, to: TextLines) => {
    requireAligned(from, to, changes);
    return [chosen];
  };
  await action(context, shown, { of, peek: { changes, chosen } });
}

async function onSelection(context: CommandContext, action: Action): Promise<void> {
  const editor = window.activeTextEditor;
  const shown = editor && locate(context, editor.document);
  if (editor === undefined || shown === undefined) {
    tellNoSuchChange();
    return;
  }
  await action(context, shown, { of: choiceOf(editor) });
}

const kOtherText = t(
  'the editor and git have different text. Save the file and try again, or stage the whole file',
);

function requireAligned(from: TextLines, to: TextLines, changes: readonly LineChange[]): void {
  if (!areAligned(from, to, changes)) throw new Error(kOtherText);
}

function choiceOf(editor: TextEditor): Meant['of'] {
  const { document, selections } = editor;
  const ranges = selectedLines(selections, document.lineAt(document.lineCount - 1).range.end);
  return (from: TextLines, to: TextLines) => changesWithin(diffLines(from, to), ranges);
}

function locate({ registry }: CommandContext, document: TextDocument): Shown | undefined {
  const located = locateUri(registry, document.uri);
  return located === undefined ? undefined : { document, ...located };
}

/** The file's entry in HEAD if the peek compares with HEAD; otherwise undefined. */
async function headOfPeek(
  run: RunInTurn,
  { repository, path }: Shown,
  { peek }: Meant,
): Promise<IndexEntry | undefined> {
  if (peek === undefined || config.gutterComparesWith !== 'HEAD') return undefined;
  return headOf(run, repository, path);
}

async function headOf(
  run: RunInTurn,
  repository: Repository,
  path: RepoPath,
): Promise<IndexEntry | undefined> {
  if (repository.branch.oid === undefined) return undefined;
  return inHead(run, pathInHead(repository.entriesAt(path), path));
}

async function stage(context: CommandContext, shown: Shown, meant: Meant): Promise<void> {
  const { document, repository, path } = shown;
  const unsaved = document.isDirty ? await unsavedText(context, shown) : undefined;
  if (document.isDirty && unsaved === undefined) return;
  await context.git.exclusively(repository, { title: t('Staging changes') }, async (run) => {
    const index = await readIndex(run, path);
    const added = unsaved === undefined ? await addedAsShown(run, shown, index) : undefined;
    const mode = index.entry?.mode ?? added?.mode;
    if (mode === undefined) throw new Error(t('{0} is neither saved nor tracked', toDisplay(path)));
    const from = index.entry === undefined ? Buffer.alloc(0) : await blob(run, index.entry.oid);
    const to = unsaved ?? (added === undefined ? from : await blob(run, added.oid));
    const head = index.entry && (await headOfPeek(run, shown, meant));
    const of = head === undefined ? meant.of : ofPeek(meant, splitLines(await blob(run, head.oid)));
    const staged = withChosen(from, requireLines(document, to), of);
    if (staged === undefined) tellNothing(meant.peek && t('This change is already staged.'));
    else await writeIndex(run, path, mode, staged);
  });
}

/** Converts the peek's change, which is between HEAD and the file, to a change of the index. */
function ofPeek({ of, peek }: Meant, head: TextLines): Meant['of'] {
  if (peek === undefined) return of;
  const { changes, chosen } = peek;
  return (index, file) => {
    requireAligned(head, file, changes);
    if (areAligned(index, file, changes)) return [chosen];
    const { start, end } = placeInIndex(head, index, chosen);
    return [{ ...chosen, oldStart: start, oldEnd: end }];
  };
}

/**
 * The lines of the index that correspond to the change's old lines in HEAD. Throws if staged lines reach beyond the
 * change.
 */
function placeInIndex(
  head: TextLines,
  index: TextLines,
  { oldStart: start, oldEnd: end }: LineChange,
): LineRange {
  const place = placeOf(diffLines(head, index), { start, end });
  if (place === undefined) throw new Error(kStagedAcross);
  return place;
}

const kStagedAcross = t(
  'the staged lines reach beyond this change. Compare the gutter with the index, or select lines',
);

/** The entry that `git add` would make of the file. Throws if the editor and the disk differ. */
async function addedAsShown(
  run: RunInTurn,
  { document, repository, path }: Shown,
  index: Awaited<ReturnType<typeof readIndex>>,
): ReturnType<typeof asAdded> {
  const bytes = await readWorktreeFile(repository.root, path);
  if (bytes === undefined || !(await isShown(document, bytes))) throw new Error(kOtherOnDisk);
  return asAdded(run, path, index);
}

const kOtherOnDisk = t('the file on disk differs from the editor');

/**
 * The unsaved text as `git add` would store it. Undefined if the user saved the file or cancelled, or if git failed;
 * that failure is already reported.
 */
async function unsavedText({ git }: CommandContext, shown: Shown): Promise<Buffer | undefined> {
  const { document, repository, path } = shown;
  const title = t('Staging changes');
  const attributes = await git.read(repository, conversionQuestion(path), title);
  const args = ['config', '--default', 'false', '--get', 'core.autocrlf'];
  const autocrlf = await git.read(repository, { args }, title);
  if (attributes === undefined || autocrlf === undefined) return undefined;
  const bytes = await encoded(document);
  const setting = autocrlf.stdout.toString('utf8').trim();
  if (bytes !== undefined && !mayConvert(attributes.stdout, setting, bytes)) return bytes;
  const message = t("git converts '{0}' before staging. Save the file first?", toDisplay(basename(path)));
  if (!(await isMeant(message, t('Save & Stage')))) return undefined;
  if (!(await saveDocuments([document]))) return undefined;
  // The document is no longer dirty: its text is on the disk.
  return undefined;
}

/** Throws if `to` and the editor have different numbers of lines: then the chosen line numbers would not fit. */
function requireLines(document: TextDocument, to: Buffer): Buffer {
  if (splitLines(to).lines.length !== document.lineCount) throw new Error(kOtherText);
  return to;
}

/** `from` with the chosen changes of `to`. Undefined if that equals `from`. */
function withChosen(from: Buffer, to: Buffer, of: Meant['of']): Buffer | undefined {
  const [old, next] = linesOfBoth(from, to);
  const result = applyChanges(old, next, of(old, next));
  return result.equals(from) ? undefined : result;
}

function linesOfBoth(from: Buffer, to: Buffer): [TextLines, TextLines] {
  const [old, next] = [splitLines(from), splitLines(to)];
  if (old.unit === next.unit) return [old, next];
  if (from.length === 0) return [{ ...old, unit: next.unit }, next];
  if (to.length === 0) return [old, { ...next, unit: old.unit }];
  throw new Error(t('its encoding has changed: only the whole file can be staged'));
}

/** Reports that nothing was changed. The default text is for a selection; a change of the peek has its own text. */
function tellNothing(ofChange = t('The selection has no changes.')): void {
  void window.showInformationMessage(ofChange);
}
const kNothingToRevert = t('This change is already reverted.');

/**
 * Reverts the chosen changes. A saved file is written to the disk, and its other bytes stay exactly the same. A
 * document with unsaved changes is edited in the editor, and stays unsaved.
 */
async function revert(context: CommandContext, shown: Shown, meant: Meant): Promise<void> {
  const { document, repository, path } = shown;
  await context.git.exclusively(repository, { title: t('Discarding changes') }, async (run) => {
    const entry = (await headOfPeek(run, shown, meant)) ?? (await readIndex(run, path)).entry;
    if (entry === undefined) throw new Error(t('{0} is not tracked', toDisplay(path)));
    const before = await asCheckedOut(run, path, entry);
    if (document.isDirty) await revertTyped(document, before, meant);
    else await revertSaved(shown, before, meant);
  });
}

async function revertSaved(
  { document, repository, path }: Shown,
  before: Buffer,
  meant: Meant,
): Promise<void> {
  if (!(await isWorktreeFile(repository.root, path)))
    throw new Error(t('{0} is not a file', toDisplay(path)));
  const bytes = await readWorktreeFile(repository.root, path);
  if (bytes === undefined || !(await isShown(document, bytes))) throw new Error(kOtherOnDisk);
  const reverted = withChosen(bytes, before, (from, to) => meant.of(to, from).map(inverse));
  if (reverted === undefined) tellNothing(meant.peek && kNothingToRevert);
  else await workspace.fs.writeFile(document.uri, reverted);
}

async function revertTyped(document: TextDocument, before: Buffer, meant: Meant): Promise<void> {
  const text = await textOf(document, before);
  const [from, to] = [utf8Lines(text), utf8Lines(document.getText())];
  const lines = linesOf(text);
  const edit = new WorkspaceEdit();
  const eol = document.eol === EndOfLine.CRLF ? '\r\n' : '\n';
  const changes = meant.of(from, to);
  for (const { oldStart, oldEnd, newStart, newEnd } of changes) {
    const [range, replacement] = replaced(document, newStart, newEnd, lines.slice(oldStart, oldEnd), eol);
    edit.replace(document.uri, range, replacement);
  }
  if (changes.length === 0) tellNothing(meant.peek && kNothingToRevert);
  else await workspace.applyEdit(edit);
}

async function textOf(document: TextDocument, bytes: Buffer): Promise<string> {
  const text = await decoded(document, bytes);
  if (text === undefined) throw new Error(t('its encoding is unknown: save the file first'));
  return text;
}

function utf8Lines(text: string): TextLines {
  return splitLines(Buffer.from(text, 'utf8'));
}

/** An edit that replaces the document's lines [start, end). */
function replaced(
  document: TextDocument,
  start: number,
  end: number,
  lines: readonly string[],
  eol: string,
): [Range, string] {
  const endOf = (line: number) => document.lineAt(line).range.end;
  const text = lines.join(eol);
  if (start < end && lines.length > 0) return [new Range(start, 0, end - 1, endOf(end - 1).character), text];
  if (end < document.lineCount) return [new Range(start, 0, end, 0), lines.length > 0 ? text + eol : ''];
  // At the end of the text, the line break before the lines is deleted or inserted too.
  const before = start > 0 ? endOf(start - 1) : document.lineAt(0).range.start;
  return [
    new Range(before, endOf(document.lineCount - 1)),
    lines.length > 0 && start > 0 ? eol + text : text,
  ];
}

/** Works on the index side of a diff, or on the staged file in its own editor. */
async function unstageSelection(context: CommandContext): Promise<void> {
  const editor = window.activeTextEditor;
  const { scheme, query } = editor?.document.uri ?? {};
  const key = scheme === kContentScheme ? parseContentQuery(query ?? '') : undefined;
  const repository = key?.source === 'index' ? context.registry.get(key.root) : undefined;
  if (editor === undefined || key === undefined || repository === undefined) {
    void window.showInformationMessage(t('Open the staged change and select the lines to unstage.'));
    return;
  }
  const { path } = key;
  const of = choiceOf(editor);
  await context.git.exclusively(repository, { title: t('Unstaging changes') }, async (run) => {
    const entry = await requireStaged(run, path);
    const index = await blob(run, entry.oid);
    if (!(await isShown(editor.document, index)))
      throw new Error(t('the staged file differs from the editor'));
    const head = await headOf(run, repository, path);
    const before = head === undefined ? Buffer.alloc(0) : await blob(run, head.oid);
    const unstaged = withChosen(index, before, (from, to) => of(to, from).map(inverse));
    if (unstaged === undefined) tellNothing();
    else if (head === undefined && unstaged.length === 0) await removeFromIndex(run, path, entry);
    else await writeIndex(run, path, entry.mode, unstaged);
  });
}

/** Unstages the staged lines at the peek's change. The change is between HEAD and the file. */
async function unstage(context: CommandContext, shown: Shown, meant: Meant): Promise<void> {
  const { document, repository, path } = shown;
  const { peek } = meant;
  if (peek === undefined) return;
  const { changes, chosen } = peek;
  const back = changes.map(inverse);
  await context.git.exclusively(repository, { title: t('Unstaging changes') }, async (run) => {
    const entry = await requireStaged(run, path);
    const head = await headOfPeek(run, shown, meant);
    if (head === undefined)
      throw new Error(t('{0} is not in HEAD: only the whole file can be unstaged', path));
    const text = await textOf(document, await asCheckedOut(run, path, head));
    requireAligned(utf8Lines(text), utf8Lines(document.getText()), changes);
    const [index, before] = [await blob(run, entry.oid), await blob(run, head.oid)];
    const unstaged = withChosen(index, before, (from, to) => {
      if (areAligned(from, to, back)) return [inverse(chosen)];
      const { start, end } = placeInIndex(to, from, chosen);
      return [{ oldStart: start, oldEnd: end, newStart: chosen.oldStart, newEnd: chosen.oldEnd }];
    });
    if (unstaged === undefined) tellNothing(t('This change is not staged.'));
    else await writeIndex(run, path, entry.mode, unstaged);
  });
}

async function requireStaged(run: RunInTurn, path: RepoPath): Promise<IndexEntry> {
  const { entry } = await readIndex(run, path);
  if (entry === undefined) throw new Error(t('{0} is not staged', toDisplay(path)));
  return entry;
}
