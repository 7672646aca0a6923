/**
 * Checks the texts that people read: short sentences, plain openings, Title Case, page lengths, live links.
 * Nothing is exempt from the limits.
 *
 *     node .dev/check-texts.mjs [<clone>]
 *
 * Needs no other script of this folder, so that it can check any clone.
 */
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const kMaxSentenceWords = 20;
const kMaxDetailLength = 80;
const kReadmeWords = [600, 900];
const kMaxPageWords = 1500;
/** Pages with a limit of their own: the map of all code is longer than any other page. */
const kMaxWordsOf = new Map([['docs/ARCHITECTURE.md', 3000]]);
/** Words that open a sentence with a clause in place of a subject. A question may open with any word. */
export const kOpenings = new Set('What Of Where As Who Those So That Than Whoever Whatever'.split(' '));
/** Abbreviations whose period ends no sentence. */
export const kAbbreviations = 'e\\.g|i\\.e|etc|vs|cf';
/** Generated from package.nls.json, which is checked. */
const kGeneratedPage = 'docs/settings.md';
/** Words that Title Case leaves small, unless they are first. */
const kSmallWords = new Set('a an and as at by for from in of on or the to with'.split(' '));
/** Names with fixed spelling: a git command line, and git's files. */
const kNames = /(?<!\S)(git status\b|\.git\S*)/g;
/** The product description promises a command with this name. */
const kPromisedTitle = 'Rescan worktree';

/** Tokens with a letter or a digit; the bars and dashes of a table are no words. */
export const words = (text) => text.split(/\s+/).filter((token) => /[\p{L}\p{N}]/u.test(token));

/**
 * The sentences of plain text. A line break ends a sentence. Markup counts as the words that the reader sees.
 */
export function sentences(text) {
  const shown = text
    .replace(/`([^`]*)`/g, (_, code) => code.replace(/\s+/g, '·'))
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\$\([\w~-]+\)/g, '')
    .replace(/\*\*|__/g, '')
    .replace(new RegExp(`\\b(${kAbbreviations})\\.`, 'g'), '$1');
  return shown
    .split('\n')
    .flatMap((line) => line.match(/.+?(?:[.!?。]+["'”)]*(?=\s)|$)/gu) ?? [])
    .map((sentence) => sentence.trim())
    .filter((sentence) => words(sentence).length > 0);
}

/**
 * isSetting: the text describes a setting. The first sentence may be a noun phrase such as "What to do when
 * ...". With isLower, sentences also begin with small letters.
 */
export function sentenceProblems(text, { isSetting = false, isLower = false } = {}) {
  return sentences(text).flatMap((sentence, index) => {
    const problems = [];
    const { length } = words(sentence);
    if (length > kMaxSentenceWords)
      problems.push(`${length} words in a sentence, at most ${kMaxSentenceWords}: ${sentence}`);
    const [, first = ''] = /^[^\p{L}{]*(\p{L}+)/u.exec(sentence) ?? [];
    const opening = isLower ? first.charAt(0).toUpperCase() + first.slice(1) : first;
    const isNamed = isSetting && index === 0 && opening === 'What';
    if (kOpenings.has(opening) && !isNamed && !/\?["'”)]*$/.test(sentence))
      problems.push(`opens with "${first}": ${sentence}`);
    return problems;
  });
}

/** Title Case: each word begins with a capital letter, except small words and names. */
export function titleProblems(title) {
  if (title === kPromisedTitle) return [];
  const plain = title.replace(kNames, '');
  const low = plain.split(/\s+/).filter((word, index) => {
    const bare = word.replace(/^[("']+|[)"'.,?!]+$/g, '');
    if (!/^\p{Ll}/u.test(bare) || bare === 'git') return false;
    return index === 0 || !kSmallWords.has(bare);
  });
  return low.length === 0 ? [] : [`not in Title Case: ${title}`];
}

const withoutFences = (markdown, instead = '') => markdown.replace(/^ *```[^]*?^ *```/gm, instead);

/** Blocks of a Markdown page's prose, each on one line: a paragraph, an item, a heading or a cell. */
export function proseOf(markdown) {
  const blocks = [];
  let isOpen = false;
  const withoutCode = withoutFences(markdown, '\n').replace(/<!--[^]*?-->/g, '\n');
  for (const line of withoutCode.replace(/<[^>]+>/g, '\n').split('\n')) {
    const isCell = /^\s*\|/.test(line);
    const begins = /^\s*([-*+]|\d+\.|#+|>)\s+/.exec(line);
    const text = begins === null ? line.trim() : line.slice(begins[0].length);
    if (isCell) blocks.push(...text.split(/(?<!\\)\|/).map((cell) => cell.trim()));
    else if (text === '') isOpen = false;
    else if (isOpen && begins === null) blocks.push(`${blocks.pop()} ${text}`);
    else blocks.push(text);
    isOpen = !isCell && text !== '' && !/^#/.test(begins?.[0].trim() ?? '');
  }
  return blocks.filter((block) => words(block).length > 0);
}

/** The anchor that GitHub gives a heading. */
export const slugOf = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');

/** The anchors that GitHub gives a page's headings. */
export function anchorsOf(markdown) {
  const found = new Set();
  for (const [, heading] of withoutFences(markdown).matchAll(/^#+\s+(.*?)\s*$/gm)) {
    const shown = heading.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/`|\*\*/g, '');
    const slug = slugOf(shown);
    let anchor = slug;
    for (let i = 1; found.has(anchor); i += 1) anchor = `${slug}-${i}`;
    found.add(anchor);
  }
  return found;
}

/** Targets of a page's links within this site. */
export function relativeLinks(markdown) {
  const text = withoutFences(markdown).replace(/`[^`\n]*`/g, 'code');
  const links = [
    ...text.matchAll(/\]\(\s*<?([^)\s>]+)/g),
    ...text.matchAll(/\b(?:src|srcset|href)="([^"\s]+)/g),
  ];
  return links.map((match) => match[1]).filter((link) => !/^[a-z][\w+.-]*:/i.test(link));
}

/** The links of the page `name` without a target in the clone `root`. */
export function deadLinks(root, name) {
  const read = (file) => fs.readFileSync(path.join(root, file), 'utf8');
  return relativeLinks(read(name)).filter((link) => {
    const [target, anchor] = link.split('#');
    const file = target === '' ? name : path.join(path.dirname(name), decodeURI(target));
    if (!fs.existsSync(path.join(root, file))) return true;
    return anchor !== undefined && !(file.endsWith('.md') && anchorsOf(read(file)).has(anchor));
  });
}

/** Blocks of a program's help, without the left column of commands and options. */
export function helpBlocks(source) {
  const literals = [...source.replace(/^\s*(#|\/\/).*$/gm, '').matchAll(/"((?:[^"\\]|\\.)*)"/g)];
  const text = literals.map((match) => match[1].replace(/\\n/g, '\n').replace(/\\(.)/g, '$1')).join('');
  const blocks = [];
  let column = -1;
  for (const line of text.split('\n')) {
    const [, left, right] = /^(\s*(?:\S.*?\s{2,})?)(\S.*)?$/.exec(line);
    const isNext = right !== undefined && left.trim() === '' && left.length === column;
    if (right === undefined) column = -1;
    else if (isNext) blocks.push(`${blocks.pop()} ${right}`);
    else blocks.push(right);
    if (right !== undefined) column = left.length;
  }
  // Skip a synopsis.
  return blocks.filter((block) => !/[[<|]/.test(block) && !block.startsWith('usage:'));
}

function literalText(ts, node) {
  if (node === undefined) return undefined;
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isBinaryExpression(node)) return undefined;
  const [left, right] = [literalText(ts, node.left), literalText(ts, node.right)];
  return left === undefined || right === undefined ? undefined : left + right;
}

/** Translated messages, and static details of quick pick items, with their lines. */
export function messagesOf(ts, name, text) {
  const source = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  const found = { messages: [], details: [] };
  const message = (node) => {
    if (!ts.isCallExpression(node) || !/^(t|template|(vscode\.)?l10n\.t)$/.test(node.expression.getText()))
      return undefined;
    return literalText(ts, node.arguments[0]);
  };
  const where = (node) => `${name}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
  const visit = (node) => {
    const text = message(node);
    if (text !== undefined) found.messages.push({ where: where(node), text });
    if (ts.isPropertyAssignment(node) && node.name.getText() === 'detail') {
      const detail = message(node.initializer) ?? literalText(ts, node.initializer);
      // A modal message has no label; its detail may have any length.
      const isItem = node.parent.properties.some((other) => other.name?.getText() === 'label');
      if (detail !== undefined && isItem) found.details.push({ where: where(node), text: detail });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function filesBelow(root, folder, suffix) {
  const whole = path.join(root, folder);
  if (!fs.existsSync(whole)) return [];
  const names = fs.readdirSync(whole, { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => name.endsWith(suffix))
    .sort()
    .map((name) => `${folder}/${name}`);
}

function manifestProblems(root) {
  const json = (name) => JSON.parse(fs.readFileSync(path.join(root, name), 'utf8'));
  const texts = json('package.nls.json');
  const { commands, submenus = [] } = json('package.json').contributes;
  const titles = [...commands.map(({ title }) => title), ...submenus.map(({ label }) => label)];
  const shown = titles.map((title) => texts[title.replace(/^%|%$/g, '')] ?? title);
  return [
    ...Object.entries(texts).flatMap(([key, text]) => {
      const isSetting = key.startsWith('configuration.');
      return sentenceProblems(text, { isSetting }).map((problem) => `package.nls.json: ${key}: ${problem}`);
    }),
    ...shown.flatMap(titleProblems).map((problem) => `package.nls.json: ${problem}`),
  ];
}

function extensionProblems(root) {
  const ts = createRequire(path.join(root, 'package.json'))('typescript');
  return filesBelow(root, 'extension', '.ts').flatMap((name) => {
    const { messages, details } = messagesOf(ts, name, fs.readFileSync(path.join(root, name), 'utf8'));
    return [
      ...messages.flatMap(({ where, text }) =>
        sentenceProblems(text).map((problem) => `${where}: ${problem}`),
      ),
      ...details
        .filter(({ text }) => text.length > kMaxDetailLength)
        .map(
          ({ where, text }) =>
            `${where}: ${text.length} letters in a detail, at most ${kMaxDetailLength}: ${text}`,
        ),
    ];
  });
}

function helpProblems(root) {
  const files = filesBelow(root, 'native/src/cli', '.cc').filter((name) => /help[^/]*$/.test(name));
  return files.flatMap((name) =>
    helpBlocks(fs.readFileSync(path.join(root, name), 'utf8')).flatMap((block) =>
      sentenceProblems(block, { isLower: true }).map((problem) => `${name}: ${problem}`),
    ),
  );
}

function pageProblems(root) {
  const docs = filesBelow(root, 'docs', '.md');
  const ours = ['README.md', 'CHANGELOG.md', '.github/CONTRIBUTING.md', ...docs];
  const others = filesBelow(root, 'native', '.md').filter((name) => !/\/(build|reports)\//.test(name));
  const read = (name) => fs.readFileSync(path.join(root, name), 'utf8');
  const problems = [];
  const [least, most] = kReadmeWords;
  const { length } = words(read('README.md'));
  if (length < least || length > most) problems.push(`README.md: ${length} words, not ${least} to ${most}`);
  for (const name of docs) {
    const count = words(read(name)).length;
    const limit = kMaxWordsOf.get(name) ?? kMaxPageWords;
    if (count >= limit) problems.push(`${name}: ${count} words, not under ${limit}`);
  }
  for (const name of [...ours, ...others])
    problems.push(...deadLinks(root, name).map((link) => `${name}: a link leads nowhere: ${link}`));
  for (const name of ours.filter((page) => page !== kGeneratedPage)) {
    for (const block of proseOf(read(name)))
      problems.push(...sentenceProblems(block).map((problem) => `${name}: ${problem}`));
  }
  return problems;
}

export function check(root) {
  const parts = [manifestProblems, extensionProblems, helpProblems, pageProblems];
  return parts.flatMap((part) => part(root));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const here = path.dirname(fileURLToPath(import.meta.url));
  const isInClone = path.basename(here) === '.dev';
  const problems = check(path.resolve(process.argv[2] ?? (isInClone ? path.dirname(here) : '.')));
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  process.stderr.write(problems.length === 0 ? 'texts: all hold\n' : `texts: ${problems.length} problems\n`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
