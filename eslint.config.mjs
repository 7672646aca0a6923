// Type-checked rules for everything in TypeScript, and the layers of extension/: imports run upward only.
import fs from 'node:fs';
import tseslint from 'typescript-eslint';

const kDeclared = JSON.parse(fs.readFileSync(new URL('.dev/layers.json', import.meta.url), 'utf8'));
/** Every part of extension/, from the bottom up: a part may import the parts of its list, and itself. */
const kLayers = kDeclared.extension;
/** Every folder of extension/features/: a feature may import the features of its list, except their commands. */
const kFeatures = kDeclared.features;
const features = fs.readdirSync(new URL('extension/features/', import.meta.url), { withFileTypes: true });
for (const { name } of features.filter((each) => each.isDirectory()))
  if (kFeatures[name] === undefined) throw new Error(`.dev/layers.json does not declare the feature ${name}`);
/** The files of a feature that may import `vscode`. Plans, texts and git work without the editor. */
const kUiFiles = [
  ...['commands', '*Commands', '*Key', '*Offer'],
  ...[
    'MovedFolders',
    'OpenAnswers',
    'WorkspaceRepositories',
    'applyAnswer',
    'createCoexistence',
    'offerToOpen',
  ],
  ...['BlameDecoration', 'BlameStatusItem', 'BlameTracker', 'hover'],
  ...['FileHistory', 'HistoryRows', 'activeUri', 'commitEditors', 'commitPick'],
  ...['checks', 'editorText', 'goOn', 'keepFast', 'nameBox', 'refPick', 'resolution', 'warmUp', 'waysOut'],
];
/** Leaves that know the editor and none of ours; every part that may import `vscode` may import them. */
const kLeaves = ['config', 'contextKeys', 'log', 'lifecycle'];
const kKnowsVscode = ['translator', 'git', 'scm', 'decorations', 'commands', 'features'];

const kParts = [...Object.keys(kLayers).map((name) => name.replace('.ts', '')), ...kLeaves, 'extension'];

function layerRules() {
  const rules = Object.keys(kLayers).map((name) => {
    const isFile = name.endsWith('.ts');
    const own = name.replace('.ts', '');
    const files = isFile ? [`extension/${name}`] : [`extension/${name}/**/*.ts`];
    const forbidden = isFile && kLayers[name].length === 0 ? kParts : forbiddenParts(own, name);
    return restrict(files, [upward(own, files, forbidden)], kKnowsVscode.includes(own));
  });
  const leaves = kLeaves.map((leaf) => {
    const files = [`extension/${leaf}.ts`];
    return restrict(files, [upward(leaf, files, kParts)], true);
  });
  return [...rules, ...leaves, ...Object.entries(kFeatures).flatMap(featureRules)];
}

/** Types of the protocol are everyone's. */
function forbiddenParts(own, name = own) {
  const leaves = kKnowsVscode.includes(own) ? kLeaves : [];
  const reachable = [own, ...kLayers[name], 'protocol', ...leaves];
  return kParts.filter((part) => !reachable.includes(part));
}

function upward(own, files, forbidden) {
  // A part that is a folder reaches the others through '..', one that is a file through '.'.
  const start = files[0].endsWith('**/*.ts') ? '(\\.\\./)+' : '\\./';
  return {
    regex: `^${start}(${forbidden.join('|')})(/|\\.js$|$)`,
    message: `${own} may not import this: imports run upward in the layers of .dev/layers.json.`,
  };
}

function featureRules([feature, allowed], index, features) {
  const below = features.slice(0, index).map(([name]) => name);
  if (!allowed.every((name) => below.includes(name)))
    throw new Error(`${feature} is declared before a feature that it uses`);
  const folder = `extension/features/${feature}`;
  const ui = kUiFiles.map((name) => `${folder}/${name}.ts`);
  const uiNames = kUiFiles.map((name) => name.replace('*', '\\w+')).join('|');
  const others = {
    regex: `^\\.\\./(?!\\.\\.|(${allowed.join('|') || '\\.'})/)`,
    message: `${feature} may not import this feature: .dev/layers.json declares what it uses.`,
  };
  const commands = {
    regex: `^\\.\\./\\w+/(\\w+C|c)ommands$`,
    message: 'The commands of a feature are its own: share a file beside them.',
  };
  const editor = {
    regex: `^(\\./|\\.\\./\\w+/)(${uiNames})$|^\\.\\./\\.\\./(commands|scm|git/(Git|BuiltInGit|failureToast)|${kLeaves.join('|')})(/|$)`,
    message: 'This file works without the editor: only the files of kUiFiles know it.',
  };
  const layers = upward('features', ['**/*.ts'], forbiddenParts('features'));
  return [
    restrict([`${folder}/*.ts`], [layers, others, commands, editor], false),
    restrict(ui, [layers, others, commands], true),
  ];
}

function restrict(files, patterns, knowsVscode) {
  const vscode = { name: 'vscode', message: 'This file works without the editor.' };
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
