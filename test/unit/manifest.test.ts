/** package.json matches the code: commands, settings, context keys and titles. */
import { strict as assert } from 'node:assert';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { installVscodeStandIn } from './client/vscodeStandIn';

interface MenuItem {
  command?: string;
  submenu?: string;
  when?: string;
}
interface Manifest {
  activationEvents: string[];
  contributes: {
    commands: { command: string; title: string; category?: string; enablement?: string }[];
    menus: Record<string, MenuItem[]>;
    submenus: { id: string; label: string }[];
    keybindings?: (MenuItem & { key: string })[];
    viewsWelcome: { view: string; contents: string; when: string }[];
    walkthroughs: {
      steps: { id: string; description: string; media: { image: Record<string, string> } }[];
    }[];
    configuration: {
      properties: Record<
        string,
        {
          type: string | string[];
          default?: unknown;
          markdownDescription?: string;
          enum?: string[];
          enumDescriptions?: string[];
        }
      >;
    };
  };
}

const root = resolve(__dirname, '../..');
const text = (name: string) => readFileSync(resolve(root, name), 'utf8');
const manifest = JSON.parse(text('package.json')) as Manifest;
const {
  commands,
  menus,
  submenus,
  keybindings = [],
  viewsWelcome,
  walkthroughs,
  configuration,
} = manifest.contributes;

/** Context keys of VS Code itself, from its documentation of `when` clauses. */
const kKeysOfVscode = [
  'scmProvider',
  'scmProviderRootUri',
  'scmResourceGroup',
  'scmResourceState',
  'resourceScheme',
  'isWorkspaceTrusted',
  'scmRepository',
  'originalResourceScheme',
  'isInDiffEditor',
  'isInDiffRightEditor',
  'diffEditorOriginalUri',
  'scmActiveResourceHasChanges',
  'editorTextFocus',
  'isMergeEditor',
  'resourcePath',
  'workspaceFolderCount',
  'remoteName',
  'isLinux',
  'explorerResourceIsFolder',
  'editorHasSelection',
  'view',
  'viewItem',
  'true',
  'false',
];

/** Commands that need no trust. They run no git, or only read; `Git` itself refuses reads without trust. */
const kWithoutTrust = [
  ...['rescanWorktree', 'refresh', 'showWatched', 'findRepositories', 'restartHelper', 'showLog'],
  ...['showActions', 'openResource', 'openFile', 'openChange', 'openHEADFile', 'openMergeEditor'],
  ...[
    'viewChanges',
    'viewStagedChanges',
    'viewUntrackedChanges',
    'explain',
    'explainFolder',
    'showConflicts',
  ],
  ...['copyPath', 'copyRelativePath', 'copyFolderPath', 'copyFolderRelativePath'],
  ...['revealInExplorer', 'revealFolderInExplorer', 'revealFileInOS.linux'],
  ...['openRepository', 'closeRepository', 'raiseWatchLimit', 'copySafeDirectoryCommand'],
  ...['setUpCoexistence', 'undoCoexistence', 'cancelGit'],
  ...['blame.toggleStatusBarItem', 'blame.toggleEditorDecoration'],
  ...['copyCommitHash', 'pinFileHistory', 'unpinFileHistory'],
].map((name) => `residentGit.${name}`);

/** The context keys of a `when` clause, without VS Code's own keys and compared values. */
function keysOf(when: string): string[] {
  return when
    .split(/&&|\|\|| in /)
    .map((term) => /^[\s!(]*([\w.]+)/.exec(term)?.[1] ?? term)
    .filter((key) => !kKeysOfVscode.includes(key));
}

/** Commands linked in a text of package.nls.json. `name` is the text's "%key%", as package.json writes it. */
function commandsIn(name: string): string[] {
  const texts = JSON.parse(text('package.nls.json')) as Record<string, string>;
  const offered = texts[name.slice(1, -1)]?.matchAll(/\(command:([\w.]+)\)/g) ?? [];
  return [...offered].map(([, command = '']) => command);
}

/** Sources of the extension. Names are relative to extension/. */
const sources = readdirSync(resolve(root, 'extension'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => ({ name, source: text(`extension/${name}`) }));

/** The first group of every match of `pattern` in the extension's sources. */
function allOf(pattern: RegExp): string[] {
  return sources.flatMap(({ source }) => [...source.matchAll(pattern)].map(([, found = '']) => found));
}

const isThere = (id: string) =>
  commands.some(({ command }) => command === id) || /^(vscode|workbench)\./.test(id);

const kMaxPictureBytes = 150_000;

describe('package.json', () => {
  it('starts with a folder, before the rest of the start-up, and without one after it', () => {
    // A folder can be a repository, lie in a repository (also behind a link) or contain repositories.
    // "workspaceContains:." matches every folder with one lookup. A wildcard would search the whole workspace. "*"
    // would also match windows without a folder.
    assert.deepEqual(manifest.activationEvents, [
      'workspaceContains:.',
      'onStartupFinished',
      'onFileSystem:resident-git',
    ]);
  });

  it('has a title for every command that has a handler, and no other', async () => {
    installVscodeStandIn();
    const { commandTable } = await import('../../extension/features/index.js');
    const declared = commands.map(({ command }) => command);
    assert.deepEqual(declared.sort(), Object.keys(commandTable).sort());
  });

  it('has all commands under its own name in the palette', () => {
    for (const { command, category } of commands) assert.equal(category, 'Resident Git', command);
  });

  it('names in its menus only commands that there are', () => {
    const declared = new Set(commands.map(({ command }) => command));
    for (const { command, submenu } of [...Object.values(menus).flat(), ...keybindings]) {
      if (submenu === undefined) assert.ok(command !== undefined && declared.has(command), command);
    }
  });

  it('has every submenu in a menu, and items in every submenu', () => {
    const used = Object.values(menus).flatMap((items) => items.map(({ submenu }) => submenu));
    const shown = new Set(used.filter((submenu) => submenu !== undefined));
    assert.deepEqual([...shown].sort(), submenus.map(({ id }) => id).sort());
    for (const { id } of submenus) assert.ok((menus[id] ?? []).length > 0, id);
  });

  it('asks in every `when` for keys that somebody sets', () => {
    const source = text('extension/contextKeys.ts');
    const ours = [...source.matchAll(/'(residentGit\.[\w.]+)':/g)].map((match) => match[1]);
    assert.ok(ours.length > 0);
    const clauses = [
      ...Object.values(menus)
        .flat()
        .map(({ when }) => when),
      ...keybindings.map(({ when }) => when),
      ...commands.map(({ enablement }) => enablement),
      ...viewsWelcome.map(({ when }) => when),
    ].filter((when) => when !== undefined);
    const asked = new Set(clauses.flatMap(keysOf));
    for (const key of asked) {
      const setting = /^config\.(.*)/.exec(key)?.[1];
      const isKnown = setting === undefined ? ours.includes(key) : setting in configuration.properties;
      assert.ok(isKnown, `${key} is set by nobody`);
    }
    for (const key of ours) assert.ok(key !== undefined && asked.has(key), `${key} is asked by nobody`);
    const set = new Set(allOf(/\bsetContextKey\('([\w.]+)'/g));
    assert.deepEqual([...set].sort(), ours.sort(), 'those that the code sets');
  });

  it('has nothing that runs git without trust in the workspace', () => {
    const without = commands.filter(({ enablement }) => !enablement?.includes('isWorkspaceTrusted'));
    assert.deepEqual(without.map(({ command }) => command).sort(), [...kWithoutTrust].sort());
  });

  it('has a text for everything that an empty view can say, which offers only commands that there are', () => {
    const source = /type WelcomeText = (.*);/.exec(text('extension/model/welcome.ts'))?.[1] ?? '';
    const kinds = [...source.matchAll(/'(\w+)'/g)].map((match) => match[1]);
    const whens = viewsWelcome.map(({ when }) => when);
    assert.deepEqual(
      whens,
      kinds.map((kind) => `residentGit.welcome == ${kind}`),
    );
    for (const { contents } of viewsWelcome) {
      const commands = commandsIn(contents);
      assert.ok(commands.length > 0, contents);
      for (const command of commands) assert.ok(isThere(command), command);
    }
  });

  it('has a walkthrough with small pictures that are there, which offers only commands that there are', () => {
    for (const { id, description, media } of walkthroughs.flatMap(({ steps }) => steps)) {
      for (const command of commandsIn(description)) assert.ok(isThere(command), command);
      assert.deepEqual(Object.keys(media.image), ['light', 'dark', 'hc', 'hcLight'], id);
      for (const file of Object.values(media.image)) {
        const { size } = statSync(resolve(root, file));
        assert.ok(size < kMaxPictureBytes, `${file} has ${size} bytes`);
      }
    }
  });

  it('declares every setting that is read, and no other', () => {
    const source = text('extension/config.ts');
    const read = [...source.matchAll(/\bread(?:<[^>]*>)?\(\s*'([\w.]+)'/g)].map(
      (match) => `residentGit.${match[1]}`,
    );
    assert.deepEqual([...new Set(read)].sort(), Object.keys(configuration.properties).sort());
  });

  it('declares every setting that is listened to or written', () => {
    const listened = allOf(/\baffectsSetting\(\s*event,([^)]*)\)/g);
    assert.ok(listened.length > 0);
    const names = listened.flatMap((list) => {
      const literals = [...list.matchAll(/'([\w.]+)'/g)].map(([, name = '']) => name);
      assert.equal(list.replace(/'[\w.]+'|[\s,]/g, ''), '', 'all of them are literals');
      return literals;
    });
    const written = allOf(/\bawait setUserSetting\(([^,]*),/g);
    assert.ok(written.length > 0);
    names.push(...written.map((name) => name.replaceAll("'", '')));
    assert.deepEqual(allOf(/(getConfiguration\('residentGit'\))/g), [], 'config.ts has them all');
    for (const name of names) assert.ok(`residentGit.${name}` in configuration.properties, name);
  });

  it('has for every setting a type, a default and a description', () => {
    for (const [name, property] of Object.entries(configuration.properties)) {
      const { type, default: value, markdownDescription } = property;
      const types = [type].flat();
      const own = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
      assert.ok(types.includes(own) || (types.includes('integer') && Number.isInteger(value)), name);
      assert.equal(markdownDescription, `%configuration.${name.replace('residentGit.', '')}%`);
    }
  });

  it('describes each value of a setting that has a list of them', () => {
    for (const [name, property] of Object.entries(configuration.properties)) {
      const { enum: values, enumDescriptions } = property;
      const key = name.replace('residentGit.', '');
      const expected = values?.map((value) => `%configuration.${key}.${value}%`);
      assert.deepEqual(enumDescriptions, expected, name);
    }
  });

  it('names everything that is drawn as an icon, for those who do not see it', () => {
    const texts = JSON.parse(text('package.nls.json')) as Record<string, string>;
    for (const { command, title } of commands) {
      assert.match(texts[title.slice(1, -1)] ?? '', /^\w.*\w/, `${command} has no title in words`);
    }
    const items = sources.filter(({ source }) => source.includes('createStatusBarItem('));
    assert.ok(items.length > 0);
    for (const { name, source } of items) {
      for (const part of [/\.name = /, /\.accessibilityInformation = \{ label: /])
        assert.match(source, part, name);
    }
    const picks = sources.filter(({ source }) => /create(QuickPick|InputBox)\b/.test(source));
    for (const { name, source } of picks) assert.match(source, /\.(placeholder|title) = /, name);
  });

  it('takes every text from package.nls.json, which has no other', () => {
    const used = [...text('package.json').matchAll(/"%([\w.]+)%"/g)].map((match) => match[1]);
    const known = Object.keys(JSON.parse(text('package.nls.json')) as object);
    assert.deepEqual([...new Set(used)].sort(), known.sort());
  });
});
