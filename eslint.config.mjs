// Type-checked rules for everything in TypeScript, and the layers of extension/: imports run upward only.
import fs from 'node:fs';
import tseslint from 'typescript-eslint';

/** Every part of extension/, from the top down: a part may import the parts of its list, and itself. */
const kLayers = JSON.parse(fs.readFileSync(new URL('.dev/layers.json', import.meta.url), 'utf8')).extension;
/** Leaves that know the editor and none of ours; every part that may import `vscode` may import them. */
const kLeaves = ['config', 'contextKeys', 'log', 'lifecycle'];
const kKnowsVscode = ['translator', 'git', 'scm', 'decorations', 'commands'];

const kParts = [...Object.keys(kLayers).map((name) => name.replace('.ts', '')), ...kLeaves, 'extension'];

function layerRules() {
  const rules = Object.entries(kLayers).map(([name, allowed]) => {
    const own = name.replace('.ts', '');
    const knowsVscode = kKnowsVscode.includes(own);
    // Types of the protocol are everyone's.
    const reachable = [own, ...allowed, 'protocol', ...(knowsVscode ? kLeaves : [])];
    return restrict(
      own,
      name.endsWith('.ts') ? [`extension/${name}`] : [`extension/${name}/**/*.ts`],
      name.endsWith('.ts') && allowed.length === 0
        ? kParts
        : kParts.filter((part) => !reachable.includes(part)),
      knowsVscode,
    );
  });
  const leaves = kLeaves.map((leaf) => restrict(leaf, [`extension/${leaf}.ts`], kParts, true));
  return [...rules, ...leaves];
}

function restrict(own, files, forbiddenParts, knowsVscode) {
  // A part that is a folder reaches the others through '..', one that is a file through '.'.
  const start = files[0].endsWith('**/*.ts') ? '(\\.\\./)+' : '\\./';
  const patterns = [
    {
      regex: `^${start}(${forbiddenParts.join('|')})(/|\\.js$|$)`,
      message: `${own} may not import this: imports run upward in the layers of .dev/layers.json.`,
    },
  ];
  const vscode = { name: 'vscode', message: `${own} must work without the editor.` };
  return {
    files,
    rules: { 'no-restricted-imports': ['error', { paths: knowsVscode ? [] : [vscode], patterns }] },
  };
}

export default tseslint.config(
  { ignores: ['**/node_modules/', 'dist/', 'native/', '.vscode-test/', 'test/artefacts/'] },
  {
    files: ['extension/**/*.ts', 'test/**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // `() => f()` for a callback that returns nothing is no confusion.
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      // `switch` over unions is how states are told apart; a new state must be met everywhere.
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
    },
  },
  {
    files: ['extension/**/*.ts'],
    rules: {
      // The log is the output channel; standard output of the helper would be noise.
      'no-console': 'error',
      // One file, one reason to exist.
      'max-lines': ['error', 400],
    },
  },
  {
    files: ['test/**/*.ts'],
    rules: {
      // Fixtures hand out functions that are taken apart where they are used.
      '@typescript-eslint/unbound-method': 'off',
      '@typescript-eslint/no-empty-function': 'off',
    },
  },
  ...layerRules(),
);
