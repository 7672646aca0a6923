/**
 * The texts that sources build: a chain of `+` that contains a literal. "{0}" replaces each operand that is no
 * literal. Reads only tokens: C++ in the style of native/src, and TypeScript.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import ts from 'typescript';

export interface SourceText {
  /** Relative to the folder that was read. */
  file: string;
  line: number;
  text: string;
  /** The reason of an error or of doubts about the model. A single word counts too. */
  isReason: boolean;
}

interface Token {
  text: string;
  /** Text of a literal, or of adjacent literals joined. */
  literal?: string;
  line: number;
}

const kToken =
  /\/\/[^\n]*|\/\*[^]*?\*\/|"((?:[^"\\\n]|\\.)*)"|'(?:[^'\\\n]|\\.)+'|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*|[A-Za-z_]\w*(?:(?:::|\.|->)~?[A-Za-z_]\w*)*|\d[\w.']*|&&|\|\||[<>=!+*/-]=|->|<<|>>|\+\+|--|::|\S/gm;
/** Tokens that end an operand of `+` outside of brackets. */
const kEnd = new Set([';', ',', '+', ':', '?', '<<', '==', '!=', '&&', '||', '=', '+=', 'return']);
/** Calls whose argument is the reason of an error or of a model check. */
const kGivesReason =
  /^(?:.*\.)?(?:corrupt|corrupt_at|damaged|damaged_entry|contradiction|failed|fails|fail|error|for_git|unsupported|invalid|malformed|naming|pending|distrust|desync|desync_all|stop_with)$/;

function tokensOf(source: string): Token[] {
  const tokens: Token[] = [];
  let line = 1;
  let at = 0;
  for (const found of source.matchAll(kToken)) {
    line += source.slice(at, found.index).split('\n').length - 1;
    at = found.index;
    const [text, quoted] = found;
    if (/^(?:\/[/*]|\s*#)/.test(text)) continue;
    const last = tokens.at(-1);
    const escapes: Record<string, string> = { n: '\n', t: '\t', '0': '\0' };
    const literal = quoted?.replace(/\\(.)/g, (_, letter: string) => escapes[letter] ?? letter);
    if (literal === undefined) tokens.push({ text, line });
    else if (last?.literal !== undefined) last.literal += literal;
    else tokens.push({ text, literal, line });
  }
  return tokens;
}

/** Index of the operand's last token, from the `+` at `plus` in the direction `step`. */
function operandEnd(tokens: readonly Token[], plus: number, step: 1 | -1): number {
  const [opening, closing] = step === 1 ? ['([{', ')]}'] : [')]}', '([{'];
  let depth = 0;
  let at = plus + step;
  for (; at >= 0 && at < tokens.length; at += step) {
    const { text = '', literal } = tokens[at] ?? {};
    if (literal !== undefined) continue;
    if (opening.includes(text)) depth++;
    else if (closing.includes(text)) {
      if (depth === 0) break;
      depth--;
    } else if (depth === 0 && kEnd.has(text)) break;
  }
  return at - step;
}

/** The function or type whose arguments contain the text at `first`. '' if none. */
function callOf(tokens: readonly Token[], first: number): string {
  let depth = 0;
  for (let at = first - 1; at >= 0; at--) {
    const text = tokens[at]?.text ?? '';
    if (tokens[at]?.literal !== undefined) continue;
    if (text === ';') return '';
    if (')]}'.includes(text)) depth++;
    else if ('([{'.includes(text) && depth-- === 0) {
      const called = tokens[at - 1]?.text ?? '';
      // Also matches "return {code, text}" and "stop_with(code, text)".
      if (tokens[at + 1]?.text.startsWith('ErrorCode::')) return 'Error';
      // Other brackets only group.
      if (/\w$/.test(called) && called !== 'return') return called;
      depth = 0;
    }
  }
  return '';
}

function textsOf(file: string, source: string): SourceText[] {
  const tokens = tokensOf(source);
  const found: SourceText[] = [];
  const done = new Set<number>();
  tokens.forEach(({ literal, line }, index) => {
    if (literal === undefined || done.has(index)) return;
    const parts: (string | undefined)[] = [literal];
    /** A literal inside a larger operand is a separate text. */
    const part = (end: number, near: number) => {
      const operand = end === near ? tokens[end]?.literal : undefined;
      if (operand !== undefined) done.add(end);
      return operand;
    };
    let [first, last] = [index, index];
    while (tokens[first - 1]?.text === '+') {
      const end = operandEnd(tokens, first - 1, -1);
      if (end > first - 2) break;
      parts.unshift(part(end, first - 2));
      first = end;
    }
    while (tokens[last + 1]?.text === '+') {
      const end = operandEnd(tokens, last + 1, 1);
      parts.push(part(end, last + 2));
      last = end;
    }
    let count = 0;
    const text = parts.map((part) => part ?? `{${count++}}`).join('');
    const call = callOf(tokens, first);
    const isReason = call === 'Error' || kGivesReason.test(call);
    found.push({ file, line, text, isReason });
  });
  return found;
}

/** Texts of every source below `folder`, without tests. */
export function nativeTexts(folder: string): SourceText[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:cc|h)$/.test(name) && !/_test(?:_support)?\./.test(name))
    .sort()
    .flatMap((name) => textsOf(name, readFileSync(resolve(folder, name), 'utf8')));
}

/** Texts of a TypeScript source. */
export function scriptTexts(path: string): string[] {
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const text = scriptText(node);
    if (text !== undefined) {
      let count = 0;
      found.push(text.replace(/\0/g, () => `{${count++}}`));
      if (ts.isBinaryExpression(node)) return;
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** A NUL replaces each value. */
function scriptText(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node))
    return node.head.text + node.templateSpans.map(({ literal }) => `\0${literal.text}`).join('');
  if (!ts.isBinaryExpression(node)) return undefined;
  const [left, right] = [scriptText(node.left), scriptText(node.right)];
  return left === undefined || right === undefined ? undefined : left + right;
}
