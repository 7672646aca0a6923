/** native.d.ts declares exactly the addon's exports. */
import { strict as assert } from 'node:assert';
import { resolve } from 'node:path';
import ts from 'typescript';
import { FakeWorktree, loadFakeAddon } from './fakeAddon';

const declarations = resolve(__dirname, '../../extension/helper/native.d.ts');

function parse(): ts.Statement[] {
  const text = ts.sys.readFile(declarations) ?? '';
  return [...ts.createSourceFile(declarations, text, ts.ScriptTarget.ES2022).statements];
}

/** Names and kinds of the exported values (not types) in the file. */
function declaredExports(): Map<string, 'function' | 'value'> {
  const names = new Map<string, 'function' | 'value'>();
  for (const statement of parse()) {
    if (ts.isFunctionDeclaration(statement) && statement.name) names.set(statement.name.text, 'function');
    if (!ts.isVariableStatement(statement)) continue;
    for (const { name } of statement.declarationList.declarations) {
      if (ts.isIdentifier(name)) names.set(name.text, 'value');
    }
  }
  return names;
}

function declaredMembers(interfaceName: string): string[] {
  const found = parse().find(
    (statement): statement is ts.InterfaceDeclaration =>
      ts.isInterfaceDeclaration(statement) && statement.name.text === interfaceName,
  );
  assert.ok(found, `native.d.ts has no interface ${interfaceName}`);
  return found.members.map(({ name }) => (name && ts.isIdentifier(name) ? name.text : '')).sort();
}

describe('native.d.ts', () => {
  const addon = loadFakeAddon();

  it('declares the exports of the addon', () => {
    const declared = declaredExports();
    assert.deepEqual(Object.keys(addon).sort(), [...declared.keys()].sort());
    for (const [name, kind] of declared) {
      assert.equal(typeof addon[name as keyof typeof addon] === 'function', kind === 'function', name);
    }
  });

  it('declares the members of a Worktree', async () => {
    const { native } = await FakeWorktree.open(addon);
    const prototype = Object.getPrototypeOf(native) as object;
    const members = Object.getOwnPropertyNames(prototype).filter((name) => name !== 'constructor');
    assert.deepEqual(members.sort(), declaredMembers('Worktree'));
    await native.close();
  });

  it('declares the fields of a delta', async () => {
    const fake = await FakeWorktree.open(addon);
    await fake.run('? a', 'branch main', 'send');
    await fake.until(() => fake.entries.length > 0);
    const declared = declaredMembers('Delta');
    for (const name of fake.deltas.flatMap((delta) => Object.keys(delta)))
      assert.ok(declared.includes(name), name);
    await fake.native.close();
  });

  it('has the version of the package', () => {
    // eslint-disable-next-line @typescript-eslint/no-require-imports
    assert.equal(addon.version, (require('../../package.json') as { version: string }).version);
  });
});
