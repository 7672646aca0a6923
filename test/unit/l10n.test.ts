/** Every text shown to the user is translated. The translations contain nothing else. */
import { strict as assert } from 'node:assert';
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import ts from 'typescript';
import { t } from '../../extension/l10n';

const root = resolve(__dirname, '../..');
const text = (name: string) => readFileSync(resolve(root, name), 'utf8');
const texts = (name: string) => JSON.parse(text(name)) as Record<string, string>;

/** Stay in English on purpose: their texts go to the log. */
const kEnglish = /^(helper|protocol|l10n)\b/;
/** Properties that the editor shows when an extension passes an object. */
const kShown = new Set(['title', 'prompt', 'placeHolder', 'detail', 'tooltip', 'label', 'openLabel']);
/** Names that are the same in every language. */
const kNames = new Set(['Resident Git', 'URL']);

const sources = readdirSync(resolve(root, 'extension'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !kEnglish.test(name))
  .map((name) => ts.createSourceFile(name, text(`extension/${name}`), ts.ScriptTarget.Latest, true));

function visit(node: ts.Node, look: (node: ts.Node) => void): void {
  look(node);
  ts.forEachChild(node, (child) => {
    visit(child, look);
  });
}

/** Text of a string literal, or of literals joined by `+`. undefined for anything else. */
function literalText(node: ts.Node | undefined): string | undefined {
  if (node === undefined) return undefined;
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isBinaryExpression(node)) return undefined;
  const [left, right] = [literalText(node.left), literalText(node.right)];
  return left === undefined || right === undefined ? undefined : left + right;
}

const where = (node: ts.Node) => {
  const file = node.getSourceFile();
  return `${file.fileName}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
};
/** `template` gets the values of its placeholders later. */
const isTranslation = (node: ts.Node): node is ts.CallExpression =>
  ts.isCallExpression(node) && ['t', 'template'].includes(node.expression.getText());
const placeholders = (message: string) => [...new Set(message.match(/\{\d+\}/g))].sort();

/** Every translated message, with its number of values. */
const messages = new Map<string, number>();
const notLiteral: string[] = [];
for (const source of sources) {
  visit(source, (node) => {
    if (!isTranslation(node)) return;
    const [first, ...values] = node.arguments;
    const message = literalText(first);
    if (message === undefined) notLiteral.push(where(node));
    else if (node.expression.getText() === 't') messages.set(message, values.length);
    else if (!messages.has(message)) messages.set(message, placeholders(message).length);
  });
}

describe('translations', () => {
  const chinese = texts('l10n/bundle.l10n.zh-cn.json');

  it('are asked for by literals, with a value for each placeholder', () => {
    assert.deepEqual(notLiteral, []);
    for (const [message, values] of messages) assert.equal(placeholders(message).length, values, message);
  });

  it('are there for every message, and for nothing else', () => {
    assert.deepEqual(Object.keys(chinese).sort(), [...messages.keys()].sort());
    for (const [message, translated] of Object.entries(chinese)) {
      assert.deepEqual(placeholders(translated), placeholders(message), message);
      assert.notEqual(translated.trim(), '', message);
    }
  });

  it('are asked for wherever the editor is given a text', () => {
    const plain: string[] = [];
    const look = (value: ts.Node) => {
      const head = ts.isTemplateExpression(value) ? value.getText().slice(1, -1) : (literalText(value) ?? '');
      const words = head.replace(/\$\{[^]*?\}|\$\([\w~-]+\)/g, '').trim();
      if (/[A-Z][a-z]+|[a-z]+ [a-z]+/.test(words) && !kNames.has(words.replace(/:.*/, '')))
        plain.push(`${where(value)}: ${words}`);
    };
    for (const source of sources) {
      visit(source, (node) => {
        if (ts.isPropertyAssignment(node) && kShown.has(node.name.getText())) look(node.initializer);
        const isMessage =
          ts.isCallExpression(node) && /^window\.show\w+Message$/.test(node.expression.getText());
        if (isMessage) for (const argument of node.arguments) look(argument);
      });
    }
    assert.deepEqual(plain, []);
  });

  it('of package.json are there for every text', () => {
    const [english, translated] = [texts('package.nls.json'), texts('package.nls.zh-cn.json')];
    assert.deepEqual(Object.keys(translated), Object.keys(english));
    const fixed = (message = '') => (message.match(/`[^`]+`|\]\([^)]+\)/g) ?? []).sort();
    for (const [key, message] of Object.entries(english)) {
      assert.deepEqual(fixed(translated[key]), fixed(message), key);
    }
  });

  it('are connected before any other module is loaded', () => {
    assert.match(text('extension/extension.ts'), /^\/\*\*[^\n]*\nimport '.\/translator';\n/);
  });

  it('are English where nothing is connected', () => {
    assert.equal(t('{0} of {1} files', '{1}', 7), '{1} of 7 files');
  });
});
