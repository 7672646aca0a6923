/** The menus of package.json: their sizes and their order. Each entry of a row's menu works on that row. */
import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { rowContext } from '../../extension/model/rowContext';
import { GroupId } from '../../extension/model/status';
import { StatusEntry } from '../../extension/protocol';
import { Context, holds } from './support/whenClause';

interface MenuItem {
  command?: string;
  submenu?: string;
  when?: string;
  group: string;
}
const read = (name: string): unknown => JSON.parse(readFileSync(resolve(__dirname, '../..', name), 'utf8'));
const { menus, commands, submenus } = (
  read('package.json') as {
    contributes: {
      menus: Record<string, MenuItem[]>;
      commands: { command: string; title: string }[];
      submenus: { id: string; label: string }[];
    };
  }
).contributes;
const texts = read('package.nls.json') as Record<string, string>;
const names = new Map<string | undefined, string>([
  ...commands.map(({ command, title }) => [command, texts[title.slice(1, -1)] ?? ''] as const),
  ...submenus.map(({ id, label }) => [id, texts[label.slice(1, -1)] ?? ''] as const),
]);
const nameOf = ({ command, submenu }: MenuItem) => names.get(command ?? submenu) ?? '';

/** Titles of a menu's entries, in the menu's order. A submenu lists its own entries in brackets. */
function shown(menu: string, context: Context, { inline = false } = {}): string[] {
  const order = ({ group }: MenuItem) => (group.startsWith('navigation') ? `0${group}` : `1${group}`);
  const sorted = [...(menus[menu] ?? [])].sort((a, b) => (order(a) < order(b) ? -1 : 1));
  return sorted
    .filter(({ group, when }) => group.startsWith('inline') === inline && holds(when, context))
    .flatMap((item) => {
      const inner = item.submenu === undefined ? undefined : shown(item.submenu, context);
      if (inner?.length === 0) return [];
      return [inner === undefined ? nameOf(item) : `${nameOf(item)} [${inner.join(', ')}]`];
    });
}

const kOid = '1'.repeat(40);
const changed = (index: string, worktree: string, more: object = {}) =>
  ({ kind: 'changed', path: 'f', index, worktree, ...more }) as unknown as StatusEntry;
const unmerged = (conflict: string) =>
  ({ kind: 'unmerged', path: 'f', conflict, oids: [kOid, kOid, kOid] }) as unknown as StatusEntry;
const untracked = (path: string) => ({ kind: 'untracked', path }) as unknown as StatusEntry;

/** A row of every kind. */
const rows: Readonly<Record<string, readonly [StatusEntry, GroupId]>> = {
  modified: [changed('.', 'M'), 'workingTree'],
  deleted: [changed('.', 'D'), 'workingTree'],
  typeChanged: [changed('.', 'T'), 'workingTree'],
  intentToAdd: [changed('.', 'A'), 'workingTree'],
  addedAndModified: [changed('A', 'M'), 'workingTree'],
  stagedModified: [changed('M', '.'), 'index'],
  stagedAdded: [changed('A', '.'), 'index'],
  stagedDeleted: [changed('D', '.'), 'index'],
  stagedRenamed: [changed('R', '.', { from: 'g' }), 'index'],
  stagedAndDeleted: [changed('M', 'D'), 'index'],
  untracked: [untracked('f'), 'untracked'],
  nested: [untracked('f/'), 'untracked'],
  submodule: [changed('.', 'M', { submodule: 'SC..' }), 'workingTree'],
  submoduleInside: [changed('.', 'M', { submodule: 'S.M.' }), 'workingTree'],
  submoduleDeleted: [changed('.', 'D', { submodule: 'SC..' }), 'workingTree'],
  submoduleStaged: [changed('M', '.', { submodule: 'SC..' }), 'index'],
  ...Object.fromEntries(
    ['DD', 'AU', 'UD', 'UA', 'DU', 'AA', 'UU'].map((each) => [each, [unmerged(each), 'merge'] as const]),
  ),
};

const contextOf = (name: string, more: Context = {}): Context => {
  const [entry, group] = rows[name] ?? [];
  assert.ok(entry !== undefined && group !== undefined, name);
  return {
    scmProvider: 'resident-git',
    scmResourceGroup: group,
    scmResourceState: rowContext(entry, group),
    ...more,
  };
};
const local: Context = { remoteName: '', isLinux: true };
const row = (name: string, more?: Context) => shown('scm/resourceState/context', contextOf(name, more));
const buttons = (name: string) => shown('scm/resourceState/context', contextOf(name), { inline: true });
const has = (name: string, text: string) => row(name, local).join(', ').includes(text);

describe('the menus', () => {
  it('have at most ten entries for a row, whatever it is, and on every host', () => {
    for (const name of Object.keys(rows)) {
      for (const more of [{}, local, { remoteName: 'ssh', isLinux: true }]) {
        const entries = row(name, more);
        assert.ok(entries.length <= 10, `${name}: ${entries.join('; ')}`);
        assert.ok(entries.length >= 3, `${name}: ${entries.join('; ')}`);
      }
    }
    for (const group of ['merge', 'index', 'workingTree', 'untracked']) {
      const context = {
        scmProvider: 'resident-git',
        scmResourceGroup: group,
        'config.residentGit.untrackedChanges': 'mixed',
      };
      for (const menu of ['scm/resourceFolder/context', 'scm/resourceGroup/context'])
        assert.ok(shown(menu, context).length <= 10, `${menu} of ${group}`);
    }
  });

  it('show for a modified file what VS Code shows, then what is less used in submenus', () => {
    assert.deepEqual(row('modified', local), [
      'Open Changes',
      'Open File',
      'Open File (HEAD)',
      'Compare [Open Changes with Branch or Tag..., Open Changes with Previous Commit, Open Changes with Commit..., Show File History]',
      'Discard Changes',
      'Stage Changes',
      'Stash Selected Changes...',
      'Reveal [Open Containing Folder, Reveal in Explorer View]',
      'Copy [Copy Path, Copy Relative Path, Copy Patch]',
      'Why Is This Here?',
    ]);
  });

  it('open a file only where the worktree has it, by the menu and by the button', () => {
    const without = [
      ...['deleted', 'stagedDeleted', 'stagedAndDeleted', 'nested', 'DD'],
      ...['submodule', 'submoduleInside', 'submoduleDeleted', 'submoduleStaged'],
    ];
    for (const name of Object.keys(rows)) {
      const isThere = !without.includes(name);
      assert.equal(row(name).includes('Open File'), isThere, name);
      assert.equal(buttons(name).includes('Open File'), isThere, name);
    }
  });

  it('reveal only what the worktree has', () => {
    const gone = ['deleted', 'stagedDeleted', 'stagedAndDeleted', 'submoduleDeleted', 'DD'];
    for (const name of Object.keys(rows)) {
      assert.equal(has(name, 'Reveal in Explorer View'), !gone.includes(name), name);
      assert.equal(row(name).includes('Reveal in Explorer View'), !gone.includes(name), name);
    }
  });

  it('offer the version of HEAD, and a comparison, only where HEAD has the file', () => {
    const head = [
      ...['modified', 'deleted', 'typeChanged', 'stagedModified', 'stagedDeleted', 'stagedRenamed'],
      ...['stagedAndDeleted', 'AU', 'UD', 'AA', 'UU'],
    ];
    const compared = head.filter((name) => !['deleted', 'stagedDeleted', 'stagedAndDeleted'].includes(name));
    for (const name of Object.keys(rows)) {
      assert.equal(has(name, 'Open File (HEAD)'), head.includes(name), name);
      assert.equal(has(name, 'with Branch or Tag'), compared.includes(name), name);
    }
  });

  it('offer "Open Changes" only where it shows other than the file', () => {
    const without = [
      ...['untracked', 'nested', 'intentToAdd', 'AU', 'UD', 'UA', 'DU', 'AA', 'UU'],
      ...['submodule', 'submoduleInside', 'submoduleDeleted', 'submoduleStaged'],
    ];
    for (const name of Object.keys(rows))
      assert.equal(row(name).includes('Open Changes'), !without.includes(name), name);
  });

  it('neither stage nor discard what git cannot, and stash no repository within another', () => {
    assert.deepEqual(buttons('submoduleInside'), []);
    for (const name of ['submoduleInside', 'nested']) assert.ok(!has(name, 'Discard Changes'), name);
    assert.ok(!has('submoduleInside', 'Stage Changes'));
    assert.deepEqual(buttons('submodule'), ['Discard Changes', 'Stage Changes']);
    for (const name of ['nested', 'submodule', 'submoduleStaged'])
      assert.ok(!has(name, 'Stash Selected'), name);
    for (const name of ['nested', 'UU']) assert.ok(!has(name, 'Copy Patch'), name);
    for (const name of ['untracked', 'nested']) assert.ok(has(name, 'Add to .gitignore'), name);
    assert.ok(!has('intentToAdd', 'Add to .gitignore'));
  });

  it("have VS Code's own order behind the title's dots: daily commands, then submenus", () => {
    const context = { scmProvider: 'resident-git', 'residentGit.repositoryCount': 1 };
    const entries = (menus['scm/title'] ?? [])
      .filter(({ group, when }) => /^[12]_(header|main)@/.test(group) && holds(when, context))
      .sort((a, b) => (a.group < b.group ? -1 : 1))
      .map(nameOf);
    assert.deepEqual(entries, [
      ...['Pull', 'Push', 'Clone Repository...', 'Checkout to...', 'Fetch'],
      ...['Commit', 'Changes', 'Pull, Push', 'Branch', 'Remote', 'Stash', 'Tags', 'Worktrees'],
    ]);
    const flat = (menus['scm/title'] ?? []).filter(
      ({ group, when }) => !group.startsWith('navigation') && holds(when, context),
    );
    assert.ok(flat.length <= 18, flat.map(nameOf).join('; '));
  });

  it('have places for cherry-pick, rename and comparison', () => {
    const inMenu = (menu: string, command: string) =>
      assert.ok(
        (menus[menu] ?? []).some((item) => item.command === `residentGit.${command}`),
        command,
      );
    for (const command of ['cherryPick', 'renameBranch']) inMenu('residentGit.branches', command);
    for (const command of ['rename', 'delete', 'openChangesWithRef', 'openChangesWithPrevious'])
      inMenu('residentGit.file', command);
    for (const menu of ['explorer/context', 'editor/title/context'])
      assert.ok(
        (menus[menu] ?? []).some(({ submenu }) => submenu === 'residentGit.file'),
        menu,
      );
  });
});

/** Lower case inside a title, like in VS Code's own titles. */
const kSmall = new Set(['a', 'an', 'the', 'and', 'or', 'of', 'to', 'in', 'on', 'by', 'for', 'from', 'with']);
/** Names of programs and files keep their case. Other code relies on the name `Rescan worktree`. */
const kNames = /\bgit status\b|\bgit\b|\.gitignore|\.git\/info\/exclude|^Rescan worktree$/g;

describe('titles', () => {
  it('are in Title Case', () => {
    for (const [id, title] of names) {
      const words = title.replace(kNames, '').match(/[A-Za-z][\w']*/g) ?? [];
      words.forEach((word, i) => {
        const isSmall = i > 0 && kSmall.has(word);
        assert.ok(isSmall || /^[A-Z]/.test(word), `${id}: "${word}" in "${title}"`);
      });
    }
  });
});
