/** Commands of menus and the palette on files and folders, compared with git. */
import { strict as assert } from 'node:assert';
import type { CommandContext } from '../../../../extension/commands/context';
import { gitEnvironment } from '../../../../extension/git/environment';
import { GitCommand, runGit } from '../../../../extension/git/runGit';
import { Repository } from '../../../../extension/model/Repository';
import { StatusEntry } from '../../../../extension/protocol';
import { Repository as OnDisk } from '../../../support/repository';
import { Sandbox } from '../../../support/sandbox';
import { installVscodeStandIn, standInWindow, standInWorkspace } from '../../client/vscodeStandIn';

class FakeUri {
  readonly scheme = 'file';
  readonly query = '';
  constructor(readonly fsPath: string) {}
  static file(path: string): FakeUri {
    return new FakeUri(path);
  }
  with(): this {
    return this;
  }
}
class FakeTabInput {
  constructor(readonly uri: FakeUri) {}
}

describe('commands on files and folders', () => {
  let sandbox: Sandbox;
  let onDisk: OnDisk;
  let repository: Repository;
  let entries: StatusEntry[];
  let told: string[];
  let copied: string[];
  /** Commands of the editor, each with its path. */
  let opened: string[];
  let closed: string[];
  let context: CommandContext;

  before(() => {
    installVscodeStandIn({
      env: {
        language: 'en',
        clipboard: { writeText: (text: string) => Promise.resolve(void copied.push(text)) },
      },
      Uri: FakeUri,
      TabInputText: FakeTabInput,
      commands: {
        executeCommand: (id: string, { fsPath }: FakeUri) =>
          Promise.resolve(void opened.push(`${id} ${fsPath}`)),
      },
    });
  });
  beforeEach(() => {
    sandbox = new Sandbox();
    onDisk = OnDisk.init(sandbox, 'r');
    entries = [];
    [told, copied, opened, closed] = [[], [], [], []];
    repository = new Repository(onDisk.root);
    repository.entriesAt = (path) => entries.filter((entry) => entry.path === path);
    repository.entriesIn = function* (group) {
      yield* entries.filter(({ kind }) => kind === group);
    };
    repository.countIn = (group) => entries.filter(({ kind }) => kind === group).length;
    standInWindow.showInformationMessage = (text: string) => Promise.resolve(void told.push(text));
    standInWindow.activeTextEditor = undefined;
    standInWorkspace.isTrusted = true;
    standInWorkspace.textDocuments = [];
    standInWorkspace.getConfiguration = () => ({ get: () => undefined });
    const prefix = `${onDisk.root}/`;
    context = {
      registry: {
        paths: { toOpened: (path: string) => [path] },
        locate: (path: string) =>
          path.startsWith(prefix) ? { repository, path: path.slice(prefix.length) } : undefined,
      },
      git: {
        run: async (_: Repository, command: GitCommand) => {
          const program = { path: 'git', env: gitEnvironment(sandbox.env) };
          const result = await runGit(program, onDisk.root, command, new AbortController().signal);
          if (result.code !== 0) told.push(result.stderr.toString());
          return result.code === 0 ? result : undefined;
        },
      },
    } as unknown as CommandContext;
  });
  afterEach(() => {
    sandbox.remove();
    delete standInWindow.showInformationMessage;
    delete standInWindow.showInputBox;
    delete standInWindow.activeTextEditor;
    delete standInWindow.tabGroups;
    delete standInWorkspace.isTrusted;
    delete standInWorkspace.getConfiguration;
    standInWorkspace.textDocuments = [];
  });

  async function run(id: string, ...args: unknown[]): Promise<void> {
    const { commandTable } = await import('../../../../extension/features/index.js');
    await (commandTable as Record<string, (...args: unknown[]) => unknown>)[id]?.(context, ...args);
  }
  async function rowOf(path: string, kind: 'untracked' | 'workingTree' = 'untracked'): Promise<object> {
    const { Resource } = await import('../../../../extension/scm/Resource.js');
    const entry = { kind, path } as StatusEntry;
    entries.push(entry);
    return Object.assign(Object.create(Resource.prototype) as object, { repository, entry, group: kind });
  }
  const uriOf = (path: string) => new FakeUri(`${onDisk.root}/${path}`);
  const ignored = (): string =>
    onDisk.git('ls-files', '--others', '--ignored', '--exclude-standard', '--directory');

  describe('a folder', () => {
    it('is ignored by one line, with what it will have', async () => {
      for (const path of ['a[1]/x', 'a[1]/deep/y', 'a1/z', 'b/a[1]/z']) onDisk.write(path, '');
      const rows = [await rowOf('a[1]/x'), await rowOf('a[1]/deep/y')];
      await run('residentGit.ignoreFolder', ...rows);
      assert.equal(onDisk.read('.gitignore'), '/a\\[1\\]/\n');
      assert.equal(ignored(), 'a[1]/\n');
      assert.deepEqual(opened, [`vscode.open ${onDisk.root}/.gitignore`]);
    });

    it('is excluded in this clone alone', async () => {
      onDisk.write('out/x', '');
      await run('residentGit.excludeFolder', await rowOf('out/x'));
      assert.match(onDisk.read('.git/info/exclude'), /^\/out\/\n$/m);
      assert.equal(ignored(), 'out/\n');
      assert.ok(!onDisk.exists('.gitignore'));
    });

    it('is not ignored where several are selected, or nothing in it is untracked', async () => {
      await rowOf('src/c/z');
      await run('residentGit.ignoreFolder', await rowOf('src/a/x'), await rowOf('src/b/y'));
      entries = [];
      await run('residentGit.ignoreFolder', await rowOf('lib/x', 'workingTree'));
      assert.deepEqual(told, [
        'Select only one folder.',
        '"lib" has no untracked files. Ignore rules do not hide tracked files.',
      ]);
      assert.ok(!onDisk.exists('.gitignore'));
    });

    it('has its path copied, and is revealed', async () => {
      const row = await rowOf('src/deep/x');
      await run('residentGit.copyFolderPath', row);
      await run('residentGit.copyFolderRelativePath', row);
      assert.deepEqual(copied, [`${onDisk.root}/src/deep`, 'src/deep']);
      await run('residentGit.revealFolderInExplorer', row);
      assert.deepEqual(opened, [`revealInExplorer ${onDisk.root}/src/deep`]);
    });
  });

  it('show the file of a row in the explorer and in the file manager', async () => {
    const row = await rowOf('src/x');
    await run('residentGit.revealInExplorer', row, row);
    await run('residentGit.revealFileInOS.linux', row, row);
    const file = `${onDisk.root}/src/x`;
    assert.deepEqual(opened, [`revealInExplorer ${file}`, `revealFileInOS ${file}`]);
  });

  /** Opens the path in a single editor, the active one. */
  function openInEditor(path: string, isDirty = false) {
    const document = {
      uri: uriOf(path),
      isDirty,
      save: () => {
        onDisk.write(path, 'typed\n');
        document.isDirty = false;
        return Promise.resolve(true);
      },
    };
    standInWorkspace.textDocuments = [document];
    standInWindow.activeTextEditor = { document };
    const inputs = [uriOf('other'), uriOf(path)].map((uri) => ({ input: new FakeTabInput(uri) }));
    standInWindow.tabGroups = {
      all: [{ tabs: [...inputs, { input: {} }] }],
      close: (tabs: { input: FakeTabInput }[]) =>
        Promise.resolve(void closed.push(...tabs.map(({ input }) => input.uri.fsPath))),
    };
  }
  function answer(with_: (options: { value: string; valueSelection: [number, number] }) => string) {
    standInWindow.showInputBox = (options: { value: string; valueSelection: [number, number] }) =>
      Promise.resolve(with_(options));
  }

  describe('Rename', () => {
    it('moves the file in the worktree and the index, whatever it is called, with what was typed', async () => {
      onDisk.write('src/:(top)-x*', 'x\n');
      onDisk.commit();
      openInEditor('src/:(top)-x*', true);
      answer(({ value, valueSelection: [from, to] }) => `${value.slice(0, from)}--y${value.slice(to)}`);
      await run('residentGit.rename');
      assert.deepEqual(told, []);
      assert.equal(onDisk.git('ls-files'), 'src/--y\n');
      assert.equal(onDisk.read('src/--y'), 'typed\n');
      assert.deepEqual(closed, [`${onDisk.root}/src/:(top)-x*`]);
      assert.deepEqual(opened, [`vscode.open ${onDisk.root}/src/--y`]);
    });

    it('opens it where git has put it: in a folder that is there, by a path of any form', async () => {
      onDisk.write('lib/y', 'y\n');
      for (const [path, to, moved] of [
        ['x', 'lib', 'lib/x'],
        ['lib/x', `${onDisk.root}/z`, 'z'],
        ['z', 'lib/../w', 'w'],
      ] as const) {
        if (path === 'x') onDisk.write('x', 'x\n');
        onDisk.commit();
        openInEditor(path);
        answer(() => to);
        await run('residentGit.rename');
        assert.equal(opened.at(-1), `vscode.open ${onDisk.root}/${moved}`);
        assert.equal(onDisk.git('ls-files', moved), `${moved}\n`);
      }
      assert.deepEqual(told, []);
    });

    it("tells git's reason, and leaves the editor, where git refuses", async () => {
      onDisk.write('x', 'x\n');
      onDisk.write('y', 'y\n');
      onDisk.commit();
      openInEditor('x');
      answer(() => 'y');
      await run('residentGit.rename');
      assert.match(told.join(), /destination exists/);
      assert.deepEqual([closed, opened], [[], []]);
      for (const same of ['x', '']) {
        answer(() => same);
        await run('residentGit.rename');
      }
      assert.equal(told.length, 1);
    });
  });

  describe('Delete', () => {
    it('takes a committed file from the worktree and the index, and closes its editor', async () => {
      for (const path of ['*', 'other']) onDisk.write(path, '');
      onDisk.commit();
      openInEditor('*');
      await run('residentGit.delete');
      assert.deepEqual(told, []);
      assert.equal(onDisk.git('status', '--porcelain'), 'D  *\n');
      assert.deepEqual(closed, [`${onDisk.root}/*`]);
    });

    it('leaves what would be lost', async () => {
      onDisk.write('x', 'x\n');
      onDisk.commit();
      openInEditor('x', true);
      await run('residentGit.delete');
      openInEditor('x');
      entries = [{ kind: 'untracked', path: 'x' }];
      await run('residentGit.delete');
      const text = 'Delete can only be performed on committed files without uncommitted changes.';
      assert.deepEqual(told, [text, text]);
      // No event has reported this change yet.
      entries = [];
      onDisk.append('x', 'more\n');
      await run('residentGit.delete');
      assert.match(told.at(-1) ?? '', /local modifications/);
      assert.equal(onDisk.read('x'), 'x\nmore\n');
      assert.deepEqual(closed, []);
    });
  });
});
