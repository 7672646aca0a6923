/** An explanation in sentences, in the editor's language. The terminal has its own (native/src/cli/explanation_text.cc). */
import type { Explanation } from '../protocol';
import { t } from '../l10n';
import { differenceText, hiddenText, rowText } from './explanationWords';
import { reasonText } from './helperReasons';
import { toDisplay } from './repoPath';

type Attribute = NonNullable<Explanation['attributes']>[number];

/** The path, then a line for each fact. */
export function explanationText(root: string, explanation: Explanation): string {
  const { path, refusal } = explanation;
  const sections = [
    statusLines(explanation),
    refusal === undefined ? [] : [t('It cannot be looked at: {0}', toDisplay(reasonText(refusal)))],
    ignoreLines(explanation),
    sparseLines(explanation),
    attributeLines(explanation),
    contentLines(explanation),
  ];
  const lines = sections.filter((section) => section.length > 0).map((section) => section.join('\n'));
  return `${path === '' ? toDisplay(root) : toDisplay(path)}\n\n${lines.join('\n\n')}\n`;
}

function statusLines(explanation: Explanation): string[] {
  const { place, row, entries = [], hidden = [], trackedBelow = 0, untracked, ignored, path } = explanation;
  if (place !== undefined) return [placeText(explanation, place)];
  const lines: string[] = [];
  if (row !== undefined) {
    lines.push(rowText(row));
    if (row.from !== undefined)
      lines.push(t('It was {0}, and is {1}% the same.', toDisplay(row.from), row.score ?? 0));
  } else if (entries.length > 0) {
    lines.push(
      hidden.length > 0
        ? t('It is tracked, and git status shows no change.')
        : t('It is tracked and unchanged.'),
    );
  } else if (trackedBelow > 0) {
    lines.push(t('It is a folder with tracked files: {0}.', trackedBelow.toLocaleString('en')));
  }
  if (untracked) {
    const isAround = trackedBelow > 0 || path === '';
    lines.push(
      isAround ? t('There are untracked files in it.') : t('It is untracked, and no rule ignores it.'),
    );
  } else if (ignored) {
    lines.push(t('It is ignored.'));
  } else if (lines.length === 0) {
    lines.push(absenceText(explanation));
  }
  lines.push(...hidden.map(hiddenText));
  return [...lines, ...differenceLines(explanation)];
}

function placeText({ path, placeAt = '' }: Explanation, place: NonNullable<Explanation['place']>): string {
  const at = toDisplay(placeAt);
  switch (place) {
    case 'gitDirectory':
      return t('git does not look at it: {0} belongs to git itself.', at);
    case 'submodule':
      return t('It is in the submodule {0}, a repository of its own, which has to be asked.', at);
    case 'nestedRepository':
      return path === placeAt
        ? t('It is a repository of its own, of which this one tracks nothing.')
        : t('It is in {0}, a repository of its own, of which this one tracks nothing.', at);
    case 'beyondLink':
      return t('git does not look at it: {0} is a symbolic link, which it does not follow.', at);
  }
}

function absenceText({ kind }: Explanation): string {
  if (kind === undefined) return t('Nothing is there, and nothing is tracked at this path.');
  switch (kind) {
    case 'special':
      return t('git does not see sockets, pipes and devices.');
    case 'directory':
      return t('git sees no folder in which there is no file to be added.');
    case 'file':
    case 'symlink':
      return t('git status does not show it.');
  }
}

function differenceLines(explanation: Explanation): string[] {
  const { differences = [], hidden = [] } = explanation;
  if (differences.length === 0) return [];
  const title = hidden.length > 0 ? t('What is hidden, against the index:') : t('Against the index:');
  return [title, ...differences.map((difference) => `  ${differenceText(difference, explanation)}`)];
}

const rule = (source: string, line: number, pattern: string) =>
  `  ${toDisplay(source)}:${line}: ${toDisplay(pattern)}`;

function ignoreLines({ path, ignore, entries = [], trackedBelow = 0 }: Explanation): string[] {
  if (ignore === undefined) return [];
  const isTracked = entries.length > 0 || trackedBelow > 0;
  let title = t('The rule that ignores it:');
  if (isTracked) title = t('The rule that would ignore it, were it not tracked:');
  if (ignore.negative) title = t('The rule because of which it is not ignored:');
  const lines = [title, rule(ignore.source, ignore.line, ignore.pattern)];
  if (ignore.at !== path) lines.push(`  ${t('It matches the folder {0}.', toDisplay(ignore.at))}`);
  return lines;
}

function sparseLines({ sparse }: Explanation): string[] {
  if (sparse === undefined) return [];
  const title = sparse.included ? t('The sparse checkout has it.') : t('The sparse checkout leaves it out.');
  if (sparse.line === undefined) return [title];
  return [title, rule('info/sparse-checkout', sparse.line, sparse.pattern ?? '')];
}

function attributeLines({ attributes = [], conversion }: Explanation): string[] {
  const lines: string[] = [];
  if (attributes.length > 0) lines.push(t('Attributes:'));
  for (const attribute of attributes) {
    lines.push(`  ${attribute.name}: ${attribute.value}`, `  ${originText(attribute)}`);
  }
  if (conversion === undefined) return lines;
  lines.push(t('On its way into the index:'));
  const { filter, encoding, endOfLine, ident } = conversion;
  if (filter !== undefined) lines.push(`  ${t('the filter {0} is run', filter)}`);
  if (encoding !== undefined) lines.push(`  ${t('{0} becomes UTF-8', encoding)}`);
  if (endOfLine === 'text') lines.push(`  ${t('CRLF becomes LF')}`);
  if (endOfLine === 'auto') lines.push(`  ${t('CRLF becomes LF, if it is text')}`);
  if (ident) lines.push(`  ${t('$Id$ is emptied')}`);
  return lines;
}

function originText({ origin, source = '', line = 0, pattern = '', macro }: Attribute): string {
  if (origin === 'builtIn') return `  ${t('built into git')}`;
  const through = macro === undefined ? '' : ` (${t('through {0}', macro)})`;
  const inIndex = origin === 'index' ? ` (${t('as the index has it')})` : '';
  return rule(source, line, pattern) + through + inIndex;
}

function contentLines({ entries = [], head }: Explanation): string[] {
  const lines = entries.map(({ mode, oid, stage }) => {
    const where = stage === 0 ? t('Index') : t('Index, stage {0}', stage);
    return `${where}: ${mode} ${oid}`;
  });
  return head === undefined ? lines : [...lines, `HEAD: ${head.mode} ${head.oid}`];
}
