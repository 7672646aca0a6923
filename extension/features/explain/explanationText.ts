/**
 * Formats an explanation as Markdown, in the editor's language. The text for the terminal is in
 * native/src/cli/explanation_text.cc.
 */
import { t } from '../../l10n';
import { reasonText } from '../../model/helperReasons';
import { grouped } from '../../model/numberText';
import { toDisplay } from '../../model/repoPath';
import type { Explanation } from '../../protocol';
import { differenceText, hiddenText, rowLines } from './explanationWords';
import { code, escape } from './markdown';

type Attribute = NonNullable<Explanation['attributes']>[number];

/** The mode of a submodule in the index. */
const kSubmoduleMode = '160000';

export function isSubmodule({ entries = [] }: Explanation): boolean {
  return entries.some(({ mode }) => mode === kSubmoduleMode);
}

/** `checkedOut`: the commit that is checked out in the submodule. */
export function explanationText(root: string, explanation: Explanation, checkedOut?: string): string {
  const { path, refusal } = explanation;
  const sections = [
    [`# ${shownPath(path === '' ? root : path)}`],
    statusLines(explanation),
    refusal === undefined
      ? []
      : [t('git status cannot read this path: {0}', escape(toDisplay(reasonText(refusal))))],
    differenceLines(explanation),
    ignoreLines(explanation),
    sparseLines(explanation),
    attributeLines(explanation),
    conversionLines(explanation),
    contentLines(explanation, checkedOut),
  ];
  const texts = sections.filter((section) => section.length > 0).map(inParagraphs);
  return `${texts.join('\n\n')}\n`;
}

/** Joins lines with blank lines between them. Items of one list stay together. */
function inParagraphs(lines: readonly string[]): string {
  const isItem = (line: string | undefined) => line?.startsWith('- ') === true;
  return lines
    .map((line, i) => (i === 0 ? '' : isItem(line) && isItem(lines[i - 1]) ? '\n' : '\n\n') + line)
    .join('');
}

const shownPath = (path: string) => code(toDisplay(path));

function statusLines(explanation: Explanation): string[] {
  const { place, row, entries = [], hidden = [], trackedBelow = 0, untracked, ignored, path } = explanation;
  if (place !== undefined) return [placeText(explanation, place)];
  const lines: string[] = [];
  if (row !== undefined) {
    lines.push(...rowLines(row));
    if (row.from !== undefined)
      lines.push(t('The old path is {0} ({1}% similar).', shownPath(row.from), row.score ?? 0));
  } else if (entries.length > 0) {
    lines.push(
      hidden.length > 0
        ? t('git tracks this path, and git status shows no change.')
        : t('git tracks this path, and it is unchanged.'),
    );
  } else if (trackedBelow > 0) {
    lines.push(
      trackedBelow === 1
        ? t('This folder has 1 tracked file.')
        : t('This folder has {0} tracked files.', grouped(trackedBelow)),
    );
  }
  if (untracked) {
    const isAround = trackedBelow > 0 || path === '';
    lines.push(...(isAround ? [t('This folder has untracked files.')] : untrackedLines()));
  } else if (ignored) {
    lines.push(t('{0} shows {1}: a rule ignores this path.', code('git status --ignored'), code('!!')));
  } else if (lines.length === 0) {
    lines.push(absenceText(explanation));
  }
  return [...lines, ...hidden.map(hiddenText)];
}

function untrackedLines(): string[] {
  return [
    t('{0} shows {1}.', code('git status'), code('??')),
    `- ${t('{0} is untracked: git does not track this path, and no rule ignores it.', code('??'))}`,
  ];
}

function placeText({ path, placeAt = '' }: Explanation, place: NonNullable<Explanation['place']>): string {
  const at = shownPath(placeAt);
  switch (place) {
    case 'gitDirectory':
      return t('git skips this path: {0} belongs to git itself.', at);
    case 'submodule':
      return t('This path is in the submodule {0}, which has a status of its own.', at);
    case 'nestedRepository':
      return path === placeAt
        ? t('This path is a nested repository. The outer repository tracks nothing in it.')
        : t('This path is in the nested repository {0}. The outer repository tracks nothing in it.', at);
    case 'beyondLink':
      return t('git skips this path: it does not follow the symbolic link {0}.', at);
  }
}

function absenceText({ kind }: Explanation): string {
  if (kind === undefined) return t('Nothing exists at this path, and git tracks nothing here.');
  switch (kind) {
    case 'special':
      return t('git does not track sockets, pipes and devices.');
    case 'directory':
      return t('This folder has no file that git could add.');
    case 'file':
    case 'symlink':
      return t('git status does not show this path.');
  }
}

const heading = (text: string) => `## ${text}`;

function differenceLines(explanation: Explanation): string[] {
  const { differences = [], hidden = [] } = explanation;
  if (differences.length === 0) return [];
  const title =
    hidden.length > 0 ? t('Hidden changes, compared with the index') : t('Compared with the index');
  return [heading(title), ...differences.map((difference) => `- ${differenceText(difference, explanation)}`)];
}

const rule = (source: string, line: number, pattern: string) =>
  `${code(`${toDisplay(source)}:${line}`)}: ${code(toDisplay(pattern))}`;

function ignoreLines({ path, ignore, entries = [], trackedBelow = 0 }: Explanation): string[] {
  if (ignore === undefined) return [];
  const isTracked = entries.length > 0 || trackedBelow > 0;
  let title = t('Rule that ignores this path');
  if (isTracked) title = t('Rule that would ignore this path if it were untracked');
  if (ignore.negative) title = t('Rule that keeps this path from being ignored');
  const lines = [heading(title), `- ${rule(ignore.source, ignore.line, ignore.pattern)}`];
  if (ignore.at !== path) lines.push(`- ${t('The rule matches the folder {0}.', shownPath(ignore.at))}`);
  return lines;
}

function sparseLines({ sparse }: Explanation): string[] {
  if (sparse === undefined) return [];
  const text = sparse.included
    ? t('The sparse checkout includes this path.')
    : t('The sparse checkout leaves this path out.');
  const lines = [heading(t('Sparse checkout')), `- ${text}`];
  if (sparse.line === undefined) return lines;
  return [...lines, `- ${rule('info/sparse-checkout', sparse.line, sparse.pattern ?? '')}`];
}

function attributeLines({ attributes = [] }: Explanation): string[] {
  if (attributes.length === 0) return [];
  const lines = attributes.map((attribute) => {
    const { name, value } = attribute;
    return `- ${code(`${name}: ${value}`)} (${originText(attribute)})`;
  });
  return [heading(t('Attributes')), ...lines];
}

function originText({ origin, source = '', line = 0, pattern = '', macro }: Attribute): string {
  if (origin === 'builtIn') return t('built into git');
  const parts = [rule(source, line, pattern)];
  if (macro !== undefined) parts.push(t('by the macro {0}', code(macro)));
  if (origin === 'index') parts.push(t('as in the index'));
  return parts.join(', ');
}

function conversionLines({ conversion }: Explanation): string[] {
  if (conversion === undefined) return [];
  const { filter, encoding, endOfLine, ident } = conversion;
  const lines = [heading(t('How git converts the file for the index'))];
  if (filter !== undefined) lines.push(`- ${t('The filter {0} runs.', code(filter))}`);
  if (encoding !== undefined) lines.push(`- ${t('{0} becomes UTF-8.', escape(encoding))}`);
  if (endOfLine === 'text') lines.push(`- ${t('CRLF becomes LF.')}`);
  if (endOfLine === 'auto') lines.push(`- ${t('CRLF becomes LF if the file is text.')}`);
  if (ident) lines.push(`- ${t('{0} becomes {1}.', code('$Id: ...$'), code('$Id$'))}`);
  return lines;
}

function contentLines(explanation: Explanation, checkedOut: string | undefined): string[] {
  const { entries = [], head } = explanation;
  if (isSubmodule(explanation)) return commitLines(explanation, checkedOut);
  const lines = entries.map(({ mode, oid, stage }) => {
    const where = stage === 0 ? t('Index') : t('Index, stage {0}', stage);
    return `- ${where}: ${code(`${mode} ${oid}`)}`;
  });
  if (head !== undefined) lines.push(`- HEAD: ${code(`${head.mode} ${head.oid}`)}`);
  return lines.length === 0 ? [] : [heading(t('Objects')), ...lines];
}

function commitLines({ entries = [], head }: Explanation, checkedOut: string | undefined): string[] {
  const lines = [heading(t('Commits of the submodule'))];
  if (checkedOut !== undefined) lines.push(`- ${t('Checked out: {0}', code(checkedOut))}`);
  for (const { oid, stage } of entries) {
    const line =
      stage === 0
        ? t('Recorded in the index: {0}', code(oid))
        : t('Recorded in the index, stage {0}: {1}', stage, code(oid));
    lines.push(`- ${line}`);
  }
  if (head !== undefined) lines.push(`- ${t('Recorded in HEAD: {0}', code(head.oid))}`);
  return lines;
}
