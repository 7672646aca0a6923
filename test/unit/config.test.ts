/** The settings, whatever a person wrote: what each takes, and what becomes of anything else. */
import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { installVscodeStandIn, standInWorkspace } from './client/vscodeStandIn';

interface Row {
  setting: string;
  /** What the extension makes of all the settings. */
  read: () => unknown;
  /** Where it is absent, or nothing that it takes. */
  otherwise: unknown;
  /** What is taken, and as what. */
  taken: readonly (readonly [written: unknown, as: unknown])[];
  /** Beside what is of no type that any setting has. */
  refused?: readonly unknown[];
  /** Other settings that it takes to be of use. */
  given?: Readonly<Record<string, unknown>>;
  /** By the default of package.json, where that is another than `otherwise`. */
  byDefault?: unknown;
}

const kNothing: readonly unknown[] = [undefined, null, {}, Symbol('of no type')];
const kNumbersOfNoUse: readonly unknown[] = [-1, Number.NaN, Infinity, '3', true, [3]];

describe('config', () => {
  let settings: Record<string, unknown>;
  let config: typeof import('../../extension/config').config;

  before(async () => {
    installVscodeStandIn();
    ({ config } = await import('../../extension/config.js'));
  });
  beforeEach(() => {
    settings = {};
    standInWorkspace.getConfiguration = (section: string) => ({
      get: (name: string) => settings[`${section}.${name}`],
    });
  });
  afterEach(() => {
    Reflect.deleteProperty(standInWorkspace, 'getConfiguration');
  });

  /** On or off, and `otherwise` for all else: no other value is taken for one of them. */
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
  const lengths = { inputValidation: true };

  const rows: readonly Row[] = [
    amount('repositoryScanMaxDepth', () => config.repositoryScanMaxDepth, 1, {
      refused: [...kNumbersOfNoUse, 1.5],
    }),
    oneOf('openRepositories', () => config.openRule.nested, 'always', 'openEditors', 'ask'),
    oneOf('openRepositoryInParentFolders', () => config.openRule.parent, 'always', 'ask', 'never'),
    list('ignoredRepositories', () => config.openRule.ignored),
    amount('sweepMinutes', () => config.sweepMinutes, 10, {
      taken: [
        [0, 0],
        [0.5, 0.5],
      ],
    }),
    flag('decorations.enabled', () => config.decorationsEnabled, true),
    flag('discardUntrackedChangesToTrash', () => config.discardUntrackedChangesToTrash, true),
    flag('enableSmartCommit', () => config.commit.enableSmartCommit, false),
    flag('suggestSmartCommit', () => config.commit.suggestSmartCommit, true),
    oneOf('smartCommitChanges', () => config.commit.smartCommitChanges, 'all', 'tracked'),
    flag('alwaysSignOff', () => config.commit.alwaysSignOff, false),
    flag('enableCommitSigning', () => config.commit.enableCommitSigning, false),
    flag('rebaseWhenSync', () => config.sync.rebaseWhenSync, false),
    flag('pruneOnFetch', () => config.sync.pruneOnFetch, false),
    flag('confirmSync', () => config.sync.confirmSync, true),
    oneOf('untrackedChanges', () => config.untrackedChanges, 'separate', 'mixed', 'hidden'),
    oneOf('gutterComparesWith', () => config.gutterComparesWith, 'index', 'HEAD'),
    flag('mergeEditor', () => config.mergeEditor, false),
    flag('useEditorAsCommitInput', () => config.useEditorAsCommitInput, true),
    flag('verboseCommit', () => config.verboseCommit, false),
    list('branchProtection', () => config.branchProtection.patterns),
    oneOf(
      'branchProtectionPrompt',
      () => config.branchProtection.prompt,
      'alwaysPrompt',
      'alwaysCommit',
      'alwaysCommitToNewBranch',
    ),
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
      () => config.promptToSaveFilesBeforeCommit,
      'always',
      'staged',
      'never',
    ),
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
