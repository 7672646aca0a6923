/**
 * A toast has at most two buttons. A button has at most 16 letters. Longer labels are cut; more buttons hide the
 * message.
 */
import { strict as assert } from 'node:assert';
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import ts from 'typescript';
import { installVscodeStandIn, standInWindow } from './client/vscodeStandIn';

const kMaxButtons = 2;
const kMaxLetters = 16;
/** Files with more buttons: a question with three answers. */
const kQuestions: Readonly<Record<string, number>> = { 'features/coexistence/CoexistenceOffer.ts': 3 };
/** This file computes its buttons and keeps two of them. A test below checks it. */
const kByValue = 'git/failureToast.ts';

const root = resolve(__dirname, '../../extension');
const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) =>
    ts.createSourceFile(name, readFileSync(resolve(root, name), 'utf8'), ts.ScriptTarget.Latest, true),
  );

function visit(node: ts.Node, look: (node: ts.Node) => void): void {
  look(node);
  ts.forEachChild(node, (child) => {
    visit(child, look);
  });
}

/** The initializer of a name in its file. Also understands `const [a, b] = [1, 2]`. */
function declared(name: ts.Identifier): ts.Expression | undefined {
  let found: ts.Expression | undefined;
  visit(name.getSourceFile(), (node) => {
    if (!ts.isVariableDeclaration(node) || node.initializer === undefined) return;
    if (node.name.getText() === name.text) found = node.initializer;
    if (!ts.isArrayBindingPattern(node.name)) return;
    const at = node.name.elements.findIndex((each) => each.getText() === name.text);
    const values = bare(node.initializer);
    if (at >= 0 && ts.isArrayLiteralExpression(values)) found = values.elements[at];
  });
  return found;
}

function bare(node: ts.Expression): ts.Expression {
  return ts.isAsExpression(node) || ts.isParenthesizedExpression(node) ? bare(node.expression) : node;
}

/** Every label list that these arguments can produce. undefined if the source does not show the labels. */
function labelLists(given: readonly ts.Expression[]): string[][] | undefined {
  let lists: string[][] = [[]];
  for (const argument of given) {
    const ends = ts.isSpreadElement(argument) ? spreadLists(argument.expression) : labels(argument);
    if (ends === undefined) return undefined;
    lists = lists.flatMap((start) => ends.map((end) => [...start, ...end]));
  }
  return lists;
}

function spreadLists(argument: ts.Expression): string[][] | undefined {
  const node = bare(argument);
  if (ts.isIdentifier(node)) {
    const value = declared(node);
    return value === undefined ? undefined : spreadLists(value);
  }
  if (ts.isConditionalExpression(node)) {
    const [yes, no] = [spreadLists(node.whenTrue), spreadLists(node.whenFalse)];
    return yes && no && [...yes, ...no];
  }
  return ts.isArrayLiteralExpression(node) ? labelLists(node.elements) : undefined;
}

function labels(argument: ts.Expression): string[][] | undefined {
  const node = bare(argument);
  if (ts.isIdentifier(node)) {
    const value = declared(node);
    return value === undefined ? undefined : labels(value);
  }
  const [text] = ts.isCallExpression(node) && node.expression.getText() === 't' ? node.arguments : [];
  return text !== undefined && ts.isStringLiteralLike(text) ? [[text.text]] : undefined;
}

/** `{ modal: true }` makes the message a dialog. */
function isModal(options: ts.Expression | undefined): boolean {
  if (options === undefined) return false;
  const value = ts.isIdentifier(options) ? declared(options) : options;
  return value !== undefined && /\bmodal: true\b/.test(value.getText());
}

function toasts(source: ts.SourceFile): { where: string; buttons: ts.Expression[] }[] {
  const found: { where: string; buttons: ts.Expression[] }[] = [];
  visit(source, (node) => {
    if (!ts.isCallExpression(node)) return;
    if (!/^window\.show(Error|Warning|Information)Message$/.test(node.expression.getText())) return;
    const [, ...buttons] = node.arguments;
    if (isModal(buttons[0])) return;
    const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    found.push({ where: `${source.fileName}:${line}`, buttons });
  });
  return found;
}

describe('toasts', () => {
  it('have few and short buttons', () => {
    const wrong: string[] = [];
    for (const source of sources.filter(({ fileName }) => fileName !== kByValue)) {
      for (const { where, buttons } of toasts(source)) {
        const lists = labelLists(buttons);
        if (lists === undefined) wrong.push(`${where}: its buttons are not in the source`);
        for (const list of lists ?? []) {
          if (list.length > (kQuestions[source.fileName] ?? kMaxButtons))
            wrong.push(`${where}: ${list.join()}`);
          const long = list.filter((label) => label.length > kMaxLetters);
          if (long.length > 0) wrong.push(`${where}: ${long.join()}`);
        }
      }
    }
    assert.deepEqual(wrong, []);
  });

  it('of failures have short buttons', () => {
    const found: string[] = [];
    for (const source of sources) {
      visit(source, (node) => {
        const label = wayLabel(node);
        if (label !== undefined) found.push(label);
      });
    }
    assert.ok(found.length >= 12, found.join());
    assert.deepEqual(
      found.filter((label) => label.length > kMaxLetters),
      [],
    );
  });

  /** The label of `{ label: t('…'), run }` or `way(t('…'), …)`. */
  function wayLabel(node: ts.Node): string | undefined {
    if (ts.isCallExpression(node) && node.expression.getText() === 'way' && node.arguments[0] !== undefined)
      return labels(node.arguments[0])?.[0]?.[0];
    if (!ts.isObjectLiteralExpression(node)) return undefined;
    const names = node.properties.map(({ name }) => name?.getText());
    const label = node.properties[names.indexOf('label')];
    if (!names.includes('run') || label === undefined || !ts.isPropertyAssignment(label)) return undefined;
    return labels(label.initializer)?.[0]?.[0];
  }
});

describe('the toast of a failure', () => {
  const shown: string[] = [];
  const names = ['showErrorMessage', 'showWarningMessage'] as const;
  let failureText: typeof import('../../extension/git/failureToast').failureText;
  let showFailure: typeof import('../../extension/git/failureToast').showFailure;
  before(async () => {
    installVscodeStandIn();
    ({ failureText, showFailure } = await import('../../extension/git/failureToast.js'));
    for (const name of names) {
      standInWindow[name] = (text: string, ...buttons: string[]) => {
        shown.push(`${name === 'showErrorMessage' ? 'error' : 'warning'} ${text} [${buttons.join(', ')}]`);
        return Promise.resolve(buttons[0]);
      };
    }
  });
  beforeEach(() => shown.splice(0));
  after(() => {
    for (const name of names) Reflect.deleteProperty(standInWindow, name);
  });
  const way = (label: string) => ({ label, run: () => undefined });

  it('names the action and the moment', () => {
    const at = new Date(2026, 0, 1, 10, 32);
    const text = failureText('rejected', { title: 'Pushing to origin/main', at, message: 'Pull first.' });
    assert.match(text, /^Pushing to origin\/main failed at 10:32( AM)?\. Pull first\.$/);
  });

  it('has two of the ways, and returns the one that was chosen', async () => {
    const ways = ['Pull', 'Fetch', 'Show Output'].map(way);
    assert.equal(await showFailure('rejected', 'text', ways), ways[0]);
    assert.deepEqual(shown, ['warning text [Pull, Fetch]']);
  });

  it('never has the button that skips a hook as the primary one', async () => {
    await showFailure('hook', 'text', ['Skip Hooks', 'Show Output'].map(way));
    assert.deepEqual(shown, ['error text [Show Output, Skip Hooks]']);
  });

  it('is a warning for conflicts, with the way to them', async () => {
    await showFailure('conflicts', 'text', ['Show Output'].map(way));
    assert.deepEqual(shown, ['warning text [Show Conflicts, Show Output]']);
  });
});
