/**
 * Checks the comments of the sources for plain words.
 *
 *     node .dev/check-comments.mjs [--list] [folder or file…]
 *
 * A sentence has a subject: it does not open with a relative word. A sentence has at most 25 words. --list prints each
 * fault; without it, the first 50.
 */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { kAbbreviations, kOpenings, words } from './check-texts.mjs';
import { Failure, inRoot, main, root, say } from './shell.mjs';

const kMaxWords = 25;
const kOpeners = new RegExp(`^(${[...kOpenings].join('|')})\\b(?!')`, 'i');
const kFolders = ['native', 'extension', 'test', '.dev'];
const kSource = /\.(cc|h|ts|mts|mjs|cjs|js)$/;

/** Tokens that the scan skips to their ends: comments, strings, templates and regular expressions. */
const kTokens =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|R"(\w*)\([\s\S]*?\)\1"|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`|(?<=[=(,:[!&|?{};\n]\s*)\/(?![*/])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/g;

/** The comments of a source: { line, text }. Line comments that follow each other are one comment. */
export function commentsOf(source) {
  const found = [];
  let line = 1;
  let from = 0;
  for (const match of source.matchAll(kTokens)) {
    line += source.slice(from, match.index).split('\n').length - 1;
    from = match.index;
    const [token] = match;
    if (token.startsWith('//')) {
      const text = token.slice(2).replace(/^[/!]/, '');
      const isWhole = source.slice(source.lastIndexOf('\n', match.index) + 1, match.index).trim() === '';
      const last = found.at(-1);
      const column = match.index - source.lastIndexOf('\n', match.index);
      if (last?.lines !== undefined && last.end === line - 1 && isWhole && last.column === column) {
        last.lines.push(text);
        last.end = line;
      } else found.push({ line, end: line, column, lines: [text] });
    } else if (token.startsWith('/*')) {
      const lines = token
        .slice(2, -2)
        .split('\n')
        .map((text) => text.replace(/^\s*\*/, ''));
      found.push({ line, end: -1, column: 0, lines });
    }
  }
  return found.map(({ line: at, lines }) => ({ line: at, lines }));
}

const kEndOfSentence = /(?<=[.!?]["')\]`]*)\s+(?=["'`([]*[A-Z0-9])/;
const kAbbreviation = new RegExp(`\\b(${kAbbreviations})\\.$`);

/** The sentences of a comment's lines. A blank line, a list item and an indented example end a sentence. */
export function sentencesOf(lines) {
  const paragraphs = [[]];
  for (const line of lines) {
    const text = line.trim();
    const isExample =
      /^\s{4,}\S/.test(line) || /^\s*(@\w+|clang-format|NOLINT|eslint|prettier|#|\|)/.test(line);
    if (text === '' || isExample) paragraphs.push([]);
    else if (/^([-*•]|\d+\.)\s/.test(text)) paragraphs.push([text.replace(/^([-*•]|\d+\.)\s+/, '')]);
    else paragraphs.at(-1).push(text);
  }
  return paragraphs
    .map((texts) => texts.join(' '))
    .flatMap((text) => {
      const parts = [];
      for (const part of text.split(kEndOfSentence)) {
        const last = parts.at(-1);
        if (last !== undefined && kAbbreviation.test(last)) parts[parts.length - 1] = `${last} ${part}`;
        else parts.push(part);
      }
      return parts;
    })
    .filter((text) => text !== '');
}

/** The faults of one source, a line each. */
export function faultsOf(file, source) {
  const faults = [];
  for (const { line, lines } of commentsOf(source)) {
    for (const sentence of sentencesOf(lines)) {
      const start = sentence.replace(/^["'`([]+/, '');
      const { length } = words(sentence);
      if (kOpeners.test(start) && !sentence.endsWith('?'))
        faults.push(`${file}:${line}: opens without a subject: ${sentence.slice(0, 80)}`);
      if (length > kMaxWords) faults.push(`${file}:${line}: ${length} words: ${sentence.slice(0, 80)}`);
    }
  }
  return faults;
}

export function sources(wanted) {
  const names = wanted.length > 0 ? wanted : kFolders;
  return execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard', '--', ...names], { cwd: root })
    .toString()
    .split('\0')
    .filter((name) => kSource.test(name) && fs.existsSync(inRoot(name)));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await main(() => {
    const options = process.argv.slice(2);
    const files = sources(
      options.filter((name) => name !== '--list').map((name) => path.relative(root, path.resolve(name))),
    );
    const faults = files.flatMap((file) => faultsOf(file, fs.readFileSync(inRoot(file), 'utf8')));
    const shown = options.includes('--list') ? faults : faults.slice(0, 50);
    if (faults.length > 0) throw new Failure(`comments: ${faults.length} faults\n  ${shown.join('\n  ')}`);
    say(`comments: ${files.length} files are in plain words`);
  });
}
