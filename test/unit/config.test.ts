/** All settings with valid and invalid values: what each accepts, and its value for anything else. */
import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { installVscodeStandIn, standInWorkspace } from './client/vscodeStandIn';

interface Row {
  setting: string;
  /** The extension's value of the setting. */
  read: () => unknown;
  /** The value if the setting is missing or invalid. */
  otherwise: unknown;
  /** Accepted values, each with its result. */
  taken: readonly (readonly [written: unknown, as: unknown])[];
  /** Further invalid values. No setting accepts those of kNothing. */
  refused?: readonly unknown[];
  /** Other settings that this setting needs to take effect. */
  given?: Readonly<Record<string, unknown>>;
  /** The default of package.json, if it differs from `otherwise`. */
  byDefault?: unknown;
}

const kNothing: readonly unknown[] = [undefined, null, {}, Symbol('of no type')];
const kNumbersOfNoUse: readonly unknown[] = [-1, Number.NaN, Infinity, '3', true, [3]];

describe('config', () => {
  let settings: Record<string, unknown>;
  /** The folder of each setting's last read. undefined: the window. */
  let scopes: Record<string, string | undefined>;
  let config: typeof import('../../extension/config').config;
  let configOf: typeof import('../../extension/config').configOf;
  const kRepository = { root: '/work/project' };

  before(async () => {
    installVscodeStandIn({ Uri: { file: (path: string) => ({ path }) } });
    ({ config, configOf } = await import('../../extension/config.js'));
  });
  beforeEach(() => {
    settings = {};
    scopes = {};
    standInWorkspace.getConfiguration = (section: string, scope?: { path: string }) => ({
      get: (name: string) => {
        scopes[name] = scope?.path;
        return settings[`${section}.${name}`];
      },
    });
  });
  afterEach(() => {
    Reflect.deleteProperty(standInWorkspace, 'getConfiguration');
  });

  /** A boolean setting. Any other value gives `otherwise`. */
  const flag = (setting: string, read: () => unknown, otherwise: boolean): Row => ({
    setting,
    read,
    otherwise,
    taken: [
      [true, true],
      [false, false],
    ],
    refused: ['true', 'false', 0, 1, '', []],
  });
  const oneOf = (setting: string, read: () => unknown, first: string, ...others: string[]): Row => ({
    setting,
    read,
    otherwise: first,
    taken: [first, ...others].map((each) => [each, each]),
    refused: ['', 'unheard-of', first.toUpperCase(), 0, true, [first]],
  });
  const list = (setting: string, read: () => unknown): Row => ({
    setting,
    read,
    otherwise: [],
    taken: [
      [
        ['a', 'b'],
        ['a', 'b'],
      ],
      [
        ['a', 7, null, 'b'],
        ['a', 'b'],
      ],
      [[], []],
    ],
    refused: ['a', 7, true],
  });
  const amount = (setting: string, read: () => unknown, otherwise: number, more: Partial<Row> = {}): Row => ({
    setting,
    read,
    otherwise,
    taken: [
      [0, 0],
      [7, 7],
    ],
    refused: kNumbersOfNoUse,
    ...more,
  });
  const text = (setting: string, read: () => unknown, otherwise: string): Row => ({
    setting,
    read,
    otherwise,
    taken: [
      ['', ''],
      ['a ${b}', 'a ${b}'],
    ],
    refused: [0, true, ['a']],
  });
  const lengths = { inputValidation: true };

  const rows: readonly Row[] = [
    amount('repositoryScanMaxDepth', () => configOf(kRepository).repositoryScanMaxDepth, 1, {
      taken: [
        [0, 0],
        [7, 7],
        [-1, Infinity],
      ],
      refused: [-2, Number.NaN, Infinity, '3', true, [3], 1.5],
    }),
    oneOf('openRepositories', () => config.openRule.nested, 'always', 'openEditors', 'prompt'),
    oneOf(
      'openRepositoryInParentFolders',
      () => configOf(kRepository).openRepositoryInParentFolders,
      'always',
      'prompt',
      'never',
    ),
    list('ignoredRepositories', () => config.openRule.ignored),
    amount('sweepMinutes', () => config.sweepMinutes, 10, {
      taken: [
        [0, 0],
        [0.5, 0.5],
      ],
    }),
    flag('decorations.enabled', () => config.decorationsEnabled, true),
    flag('discardUntrackedChangesToTrash', () => config.discardUntrackedChangesToTrash, true),
    flag('enableSmartCommit', () => configOf(kRepository).commit.enableSmartCommit, false),
    flag('suggestSmartCommit', () => configOf(kRepository).commit.suggestSmartCommit, true),
    oneOf('smartCommitChanges', () => configOf(kRepository).commit.smartCommitChanges, 'all', 'tracked'),
    flag('alwaysSignOff', () => configOf(kRepository).commit.alwaysSignOff, false),
    flag('enableCommitSigning', () => configOf(kRepository).commit.enableCommitSigning, false),
    flag('rebaseWhenSync', () => configOf(kRepository).sync.rebaseWhenSync, false),
    flag('pruneOnFetch', () => configOf(kRepository).sync.pruneOnFetch, false),
    flag('confirmSync', () => config.confirmSync, true),
    oneOf('branchSortOrder', () => config.branchSortOrder, 'committerdate', 'alphabetically'),
    flag(
      'alwaysShowStagedChangesResourceGroup',
      () => configOf(kRepository).alwaysShowStagedChangesResourceGroup,
      false,
    ),
    oneOf('untrackedChanges', () => configOf(kRepository).untrackedChanges, 'separate', 'mixed', 'hidden'),
    oneOf('gutterComparesWith', () => config.gutterComparesWith, 'index', 'HEAD'),
    flag('mergeEditor', () => config.mergeEditor, false),
    flag('useEditorAsCommitInput', () => config.useEditorAsCommitInput, true),
    flag('verboseCommit', () => configOf(kRepository).verboseCommit, false),
    list('branchProtection', () => configOf(kRepository).branchProtection.patterns),
    oneOf(
      'branchProtectionPrompt',
      () => configOf(kRepository).branchProtection.prompt,
      'alwaysPrompt',
      'alwaysCommit',
      'alwaysCommitToNewBranch',
    ),
    oneOf('show', () => config.show, 'everything', 'badges', 'nothing'),
    flag('inputValidation', () => config.inputValidation !== undefined, false),
    amount('inputValidationLength', () => config.inputValidation?.body, 72, {
      refused: [...kNumbersOfNoUse, 1.5],
      given: lengths,
    }),
    amount('inputValidationSubjectLength', () => config.inputValidation?.subject, 60, {
      refused: [...kNumbersOfNoUse, 1.5],
      given: { ...lengths, inputValidationLength: 60 },
      byDefault: 50,
    }),
    oneOf(
      'promptToSaveFilesBeforeCommit',
      () => configOf(kRepository).promptToSaveFilesBeforeCommit,
      'always',
      'staged',
      'never',
    ),
    flag('blame.statusBarItem.enabled', () => config.blame.statusBarItemEnabled, true),
    text(
      'blame.statusBarItem.template',
      () => config.blame.statusBarItemTemplate,
      '${authorName}, ${authorDateAgo}',
    ),
    flag('blame.editorDecoration.enabled', () => config.blame.editorDecorationEnabled, false),
    text(
      'blame.editorDecoration.template',
      () => config.blame.editorDecorationTemplate,
      '${subject}, ${authorName} (${authorDateAgo})',
    ),
    flag('blame.editorDecoration.disableHover', () => config.blame.editorDecorationDisableHover, false),
    flag('blame.ignoreWhitespace', () => config.blame.ignoreWhitespace, false),
  ];

  for (const { setting, read, otherwise, taken, refused = [], given = {} } of rows) {
    it(`takes ${setting} as it is meant, and nothing else for it`, () => {
      const reads = (written: unknown): unknown => {
        settings = {};
        for (const [name, value] of Object.entries({ ...given, [setting]: written }))
          settings[`residentGit.${name}`] = value;
        return read();
      };
      for (const [written, as] of taken) assert.deepEqual(reads(written), as, JSON.stringify(written));
      for (const written of [...kNothing, ...refused])
        assert.deepEqual(reads(written), otherwise, JSON.stringify(written));
    });
  }

  it('reads for the repository what package.json lets a folder have', () => {
    const { contributes } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      contributes: { configuration: { properties: Record<string, { scope: string }> } };
    };
    for (const { setting, read, given = {} } of rows) {
      settings = Object.fromEntries(
        Object.entries(given).map(([name, value]) => [`residentGit.${name}`, value]),
      );
      read();
      const { scope } = contributes.configuration.properties[`residentGit.${setting}`] ?? {};
      assert.equal(scopes[setting], scope === 'resource' ? kRepository.root : undefined, setting);
    }
  });

  it('has the default that package.json tells, of each setting', () => {
    const { contributes } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      contributes: { configuration: { properties: Record<string, { default?: unknown }> } };
    };
    const { properties } = contributes.configuration;
    for (const { setting, read, otherwise, given = {}, byDefault = otherwise } of rows) {
      const property = properties[`residentGit.${setting}`];
      assert.ok(property, setting);
      settings = {};
      for (const [name, value] of Object.entries(given)) settings[`residentGit.${name}`] = value;
      settings[`residentGit.${setting}`] = property.default;
      assert.deepEqual(read(), byDefault, setting);
    }
    const told = Object.keys(properties).map((name) => name.replace('residentGit.', ''));
    const known = new Set(rows.map(({ setting }) => setting));
    assert.deepEqual(
      told.filter((name) => !known.has(name)),
      [],
      'not in the table',
    );
  });
});
