/**
 * Checks the sizes of sources: at most 500 lines in a file, at most 40 methods in a class.
 *
 *     node .dev/check-sizes.mjs
 *
 * A method is each function that a class declares, except a defaulted or deleted one.
 */
import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { sources } from './check-comments.mjs';
import { Failure, inRoot, main, say } from './shell.mjs';

export const kMaxLines = 500;
export const kMaxMethods = 40;

const kCppText =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|^\s*#(?:[^\\\n]|\\\n?)*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)+'/gm;
const kCppToken = /[A-Za-z_]\w*|::|->|<=>|<<|[<>=!]=|\S/g;
const kDeclaresNoMethod = ['friend', 'static_assert', 'typedef', 'using', ','];
const kIsMacro = /^([A-Z][A-Z0-9_]+|alignas|decltype|explicit|noexcept)$/;

/** True if the tokens before a body or a semicolon declare a function with a body of its own. */
function declaresMethod(head) {
  if (kDeclaresNoMethod.includes(head[0]) || /= (default|delete)$/.test(head.join(' '))) return false;
  if (head.includes('operator')) return true;
  let angles = 0;
  let parentheses = 0;
  for (const [at, token] of head.entries()) {
    if (token === '<') angles += 1;
    else if (token === '>') angles -= 1;
    else if (token === ')') parentheses -= 1;
    else if (token === '=' && angles === 0 && parentheses === 0) return false;
    else if (token === '(') {
      if (
        angles === 0 &&
        parentheses === 0 &&
        /^\w+$/.test(head[at - 1] ?? '') &&
        !kIsMacro.test(head[at - 1])
      )
        return true;
      parentheses += 1;
    }
  }
  return false;
}

/** The tokens without the parameters of a template. */
function withoutTemplate(head) {
  if (head[0] !== 'template') return head;
  let angles = 0;
  for (const [at, token] of head.entries()) {
    if (token === '<') angles += 1;
    else if (token === '>' && --angles === 0) return withoutTemplate(head.slice(at + 1));
  }
  return head;
}

function cppClassName(head) {
  const end = head.indexOf(':');
  const names = (end < 0 ? head : head.slice(0, end)).filter((token) => /^\w+$/.test(token));
  return names.filter((name) => name !== 'final').at(-1);
}

/** The classes of a C++ source: { name, methods }. */
export function cppClassesOf(source) {
  const text = source
    .replace(/R"(\w*)\([\s\S]*?\)\1"/g, '""')
    .replace(/(?<=\w)'(?=\w)/g, '')
    .replace(kCppText, (token) => (/^["']/.test(token) ? '""' : ' '));
  const tokens = text.match(kCppToken) ?? [];
  const found = [];
  let at = 0;
  const skipBody = () => {
    for (let depth = 1; depth > 0 && at < tokens.length; at += 1) {
      if (tokens[at] === '{') depth += 1;
      if (tokens[at] === '}') depth -= 1;
    }
  };
  const readScope = (own) => {
    let head = [];
    for (; at < tokens.length;) {
      const token = tokens[at++];
      if (token === '}') return;
      if (token === ';') {
        if (declaresMethod(withoutTemplate(head))) own.methods += 1;
        head = [];
      } else if (token === ':' && /^(public|protected|private)$/.test(head.join(' '))) head = [];
      else if (token !== '{') head.push(token);
      else {
        const declared = withoutTemplate(head);
        if (['namespace', 'inline', 'extern'].includes(declared[0]) && !declared.includes('('))
          readScope(own);
        else if (['class', 'struct', 'union'].includes(declared[0])) {
          const nested = { name: cppClassName(declared.slice(1)), methods: 0 };
          found.push(nested);
          readScope(nested);
        } else {
          if (declaresMethod(declared)) own.methods += 1;
          skipBody();
        }
        head = [];
      }
    }
  };
  while (at < tokens.length) readScope({ methods: 0 });
  return found;
}

/** The classes of a TypeScript source: { name, methods }. */
export function tsClassesOf(source) {
  const found = [];
  const isMethod = (member) =>
    ts.isMethodDeclaration(member) ||
    ts.isAccessor(member) ||
    ts.isConstructorDeclaration(member) ||
    (ts.isPropertyDeclaration(member) && member.initializer && ts.isArrowFunction(member.initializer));
  const visit = (node) => {
    if (ts.isClassLike(node))
      found.push({ name: node.name?.text, methods: node.members.filter(isMethod).length });
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('a.ts', source, ts.ScriptTarget.Latest));
  return found;
}

/** The faults of one source, a line each. */
export function faultsOf(file, source) {
  const lines = source.replace(/\n$/, '').split('\n').length;
  const classes = /\.(cc|h)$/.test(file) ? cppClassesOf(source) : tsClassesOf(source);
  return [
    ...(lines > kMaxLines ? [`${file}: ${lines} lines; the limit is ${kMaxLines}`] : []),
    ...classes
      .filter(({ methods }) => methods > kMaxMethods)
      .map(({ name, methods }) => `${file}: ${name} has ${methods} methods; the limit is ${kMaxMethods}`),
  ];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await main(() => {
    const files = sources([]);
    const faults = files.flatMap((file) => faultsOf(file, fs.readFileSync(inRoot(file), 'utf8')));
    if (faults.length > 0) throw new Failure(`sizes:\n  ${faults.join('\n  ')}`);
    say(`sizes: ${files.length} files checked, no problems`);
  });
}
