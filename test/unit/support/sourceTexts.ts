/**
 * The texts that sources put together: a chain of `+` with a literal in it, "{0}" for what is no literal. Reads tokens only:
 * of C++ as native/src has it, and of TypeScript.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import ts from 'typescript';

export interface SourceText {
  /** Below the folder that was read. */
  file: string;
  line: number;
  text: string;
  /** Of an error, or of what doubts the model: also where it is a single word. */
  isReason: boolean;
}

interface Token {
  text: string;
  /** Of a literal, or of several beside each other. */
  literal?: string;
  line: number;
}

const kToken =
  /\/\/[^\n]*|\/\*[^]*?\*\/|"((?:[^"\\\n]|\\.)*)"|'(?:[^'\\\n]|\\.)+'|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*|[A-Za-z_]\w*(?:(?:::|\.|->)~?[A-Za-z_]\w*)*|\d[\w.']*|&&|\|\||[<>=!+*/-]=|->|<<|>>|\+\+|--|::|\S/gm;
/** Ends an operand of `+`, outside of brackets. */
const kEnd = new Set([';', ',', '+', ':', '?', '<<', '==', '!=', '&&', '||', '=', '+=', 'return']);
/** What is called with the reason of an error, or of why the model is looked at again. */
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

/** Where the operand beside the `+` at `plus` ends: the index of its last token in that direction. */
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

/** What is called, or made, with the text at `first` among its arguments. */
function callOf(tokens: readonly Token[], first: number): string {
  let depth = 0;
  for (let at = first - 1; at >= 0; at--) {
    const text = tokens[at]?.text ?? '';
    if (tokens[at]?.literal !== undefined) continue;
    if (text === ';') return '';
    if (')]}'.includes(text)) depth++;
    else if ('([{'.includes(text) && depth-- === 0) {
      const called = tokens[at - 1]?.text ?? '';
      // Also "return {code, text}", and "stop_with(code, text)".
      if (tokens[at + 1]?.text.startsWith('ErrorCode::')) return 'Error';
      // Other brackets only hold together.
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
    /** Literals within another operand are texts of their own. */
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

/** Of every source below `folder` that is no test. */
export function nativeTexts(folder: string): SourceText[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:cc|h)$/.test(name) && !/_test(?:_support)?\./.test(name))
    .sort()
    .flatMap((name) => textsOf(name, readFileSync(resolve(folder, name), 'utf8')));
}

/** Of a source in TypeScript. */
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

/** With a NUL for each value. */
function scriptText(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node))
    return node.head.text + node.templateSpans.map(({ literal }) => `\0${literal.text}`).join('');
  if (!ts.isBinaryExpression(node)) return undefined;
  const [left, right] = [scriptText(node.left), scriptText(node.right)];
  return left === undefined || right === undefined ? undefined : left + right;
}
