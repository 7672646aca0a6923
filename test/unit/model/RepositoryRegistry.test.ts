import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RepositoryRegistry } from '../../../extension/model/RepositoryRegistry';
import { kMaxSubmodules } from '../../../extension/model/SubmoduleSearch';
import { withModes } from '../../support/withModes';
import { poll } from '../../vscode/support/poll';
import { delta, entry, kWatching } from '../support/deltas';
import { FakeHelper, kTrusted, RepositoriesOnDisk } from '../support/registry';
import { uncaughtDuring } from '../support/uncaught';

describe('RepositoryRegistry', () => {
  let helper: FakeHelper;
  let registry: RepositoryRegistry;
  let reports: string[];
  beforeEach(() => {
    helper = new FakeHelper();
    reports = [];
    registry = new RepositoryRegistry(helper, (severity, message) => reports.push(`${severity}: ${message}`));
  });
  const roots = () => registry.repositories.map((repository) => repository.root).sort();
  const finds = (folder: string, ...found: string[]) =>
    helper.found.set(folder, { roots: found, problems: [] });

  it('opens what every folder contains and closes what is gone', async () => {
    finds('/a', '/a', '/a/sub');
    finds('/b', '/b');
    await registry.setWorkspace(['/a', '/b'], kTrusted);
    assert.deepEqual(roots(), ['/a', '/a/sub', '/b']);
    finds('/a', '/a');
    await registry.setWorkspace(['/a'], kTrusted);
    assert.deepEqual(roots(), ['/a']);
    assert.ok(helper.calls.includes('close /b') && helper.calls.includes('close /a/sub'));
  });

  it('drops nothing after a discovery that failed', async () => {
    finds('/a', '/a');
    await registry.setWorkspace(['/a'], kTrusted);
    helper.found.clear();
    await registry.discoverAll();
    assert.deepEqual(roots(), ['/a']);
  });

  it('shows a repository as soon as its first delta is there', async () => {
    finds('/a', '/a');
    const opened: string[] = [];
    registry.onDidOpen((repository) => opened.push(repository.root));
    helper.open = () => {
      registry.didChange(delta({ root: '/a', upserted: [entry('?? x')], state: kWatching }));
      assert.deepEqual(opened, ['/a']);
      return Promise.resolve({ root: '/a', gitDir: '/a/.git', commonDir: '/a/.git' });
    };
    await registry.setWorkspace(['/a'], kTrusted);
    assert.deepEqual(opened, ['/a']);
    assert.equal(registry.get('/a')?.size, 1);
  });

  it('loses no row, and asks for no state in vain, where views fail', async () => {
    finds('/a', '/a');
    const messages = await uncaughtDuring(async () => {
      registry.onDidOpen((repository) => {
        repository.onDidChange(() => {
          throw new Error('no row can be made');
        });
        throw new Error('no view can be made');
      });
      const rows: string[] = [];
      registry.onDidOpen((repository) =>
        repository.onDidChange(({ paths }) => {
          rows.push(...paths);
        }),
      );
      // The first delta arrives before the answer to `open` and creates the view.
      helper.open = ({ root }) => {
        registry.didChange(delta({ root, state: kWatching }));
        registry.didChange(delta({ root, baseVersion: 1, upserted: [entry(' M f')] }));
        return Promise.resolve({ root, gitDir: `${root}/.git`, commonDir: `${root}/.git` });
      };
      await registry.setWorkspace(['/a'], kTrusted);
      assert.deepEqual(rows, ['f']);
      // The view's listener also fails on the news of a missed delta. The registry still requests the state.
      let asked = 0;
      helper.open = ({ root }) => {
        asked++;
        return Promise.resolve({ root, gitDir: `${root}/.git`, commonDir: `${root}/.git` });
      };
      registry.didChange(delta({ root: '/a', baseVersion: 7 }));
      assert.equal(asked, 1);
    });
    assert.ok(messages.includes('no view can be made') && messages.includes('no row can be made'));
    assert.equal(registry.get('/a')?.size, 1);
    assert.deepEqual(roots(), ['/a']);
  });

  it('asks for the whole state when a delta was missed', async () => {
    finds('/a', '/a');
    await registry.setWorkspace(['/a'], kTrusted);
    registry.didChange(delta({ root: '/a', state: kWatching }));
    helper.calls.length = 0;
    registry.didChange(delta({ root: '/a', baseVersion: 4 }));
    registry.didChange(delta({ root: '/a', baseVersion: 5 }));
    assert.deepEqual(helper.calls, ['open /a']);
  });

  it('opens everything again with a new helper, and shows it as stale until then', async () => {
    finds('/a', '/a');
    await registry.setWorkspace(['/a'], kTrusted);
    registry.didChange(delta({ root: '/a', upserted: [entry(' M f')], state: kWatching }));
    const repository = registry.get('/a');
    registry.helperLost();
    assert.deepEqual([repository?.stale, repository?.size], [true, 1]);
    helper.calls.length = 0;
    registry.helperStarted();
    assert.deepEqual(helper.calls, ['open /a']);
    registry.didChange(delta({ root: '/a', upserted: [entry(' M f')], state: kWatching }));
    assert.equal(repository?.stale, false);
  });

  it('does not blame a repository for a helper that went away', async () => {
    finds('/a', '/a');
    const lost = new Error('the helper ended');
    lost.name = 'ConnectionLostError';
    helper.refused.set('/a', lost);
    await registry.setWorkspace(['/a'], kTrusted);
    await new Promise(setImmediate);
    assert.equal(registry.problems.size, 0);
    helper.refused.clear();
    registry.helperStarted();
    await new Promise(setImmediate);
    assert.deepEqual(roots(), ['/a']);
  });

  it('tells the helper another time for the sweep', async () => {
    finds('/a', '/a');
    await registry.setWorkspace(['/a'], { ...kTrusted, sweepMinutes: 10 });
    assert.ok(helper.calls.includes('open /a sweep 10'));
    await registry.setWorkspace(['/a'], { ...kTrusted, sweepMinutes: 10 });
    await registry.setWorkspace(['/a'], { ...kTrusted, sweepMinutes: 0 });
    assert.deepEqual(
      helper.calls.filter((call) => call.startsWith('open')),
      ['open /a sweep 10', 'open /a sweep 0'],
    );
  });

  it('reopens with trust once it is given', async () => {
    finds('/a', '/a');
    await registry.setWorkspace(['/a'], { depth: 1, trusted: false });
    assert.ok(helper.calls.includes('open /a untrusted'));
    await registry.setWorkspace(['/a'], kTrusted);
    assert.ok(helper.calls.includes('open /a'));
  });

  it('finds the deepest repository of a file, by whole names', async () => {
    finds('/a', '/a', '/a/b', '/a/bc');
    await registry.setWorkspace(['/a'], kTrusted);
    const at = (path: string) => {
      const located = registry.locate(path);
      return located && `${located.repository.root} ${located.path}`;
    };
    assert.equal(at('/a/b/f'), '/a/b f');
    assert.equal(at('/a/bd/f'), '/a bd/f');
    assert.equal(at('/a/b'), '/a/b ');
    assert.equal(at('/ab'), undefined);
    assert.equal(registry.locateAsContent('/a/b')?.path, 'b');
  });

  describe('on a disk', () => {
    let disk: RepositoriesOnDisk;
    let folder: string;
    const at = (...names: string[]) => disk.at(...names);
    const repositoryAt = (...names: string[]) => disk.repositoryAt(...names);
    const linkedAt = (name: string, gitDir: string) => disk.linkedAt(name, gitDir);
    beforeEach(() => {
      disk = new RepositoriesOnDisk();
      ({ folder } = disk);
    });
    afterEach(() => {
      disk.remove();
    });
    const below = () => roots().map((root) => root.slice(folder.length + 1));
    const discoveries = () => helper.calls.filter((call) => call.startsWith('discover'));

    it('asks git about the folder alone, whatever is found below it', async () => {
      repositoryAt('a');
      repositoryAt('b');
      linkedAt('linked', at('a/.git/worktrees/linked'));
      linkedAt('near', '../a/.git/worktrees/near');
      linkedAt('lost', at('a/.git/worktrees/lost'));
      rmSync(at('a/.git/worktrees/lost'), { recursive: true });
      mkdirSync(at('shell/.git'), { recursive: true });
      repositoryAt('node_modules/c');
      repositoryAt('deep/d');
      symlinkSync(at('a'), at('link'));
      finds(folder);
      await registry.setWorkspace([folder], kTrusted);
      assert.deepEqual(below(), ['a', 'b', 'linked', 'near']);
      assert.deepEqual(discoveries(), [`discover ${folder}`]);
      await registry.setWorkspace([folder], { ...kTrusted, depth: 2 });
      assert.deepEqual(below(), ['a', 'b', 'deep/d', 'linked', 'near']);
      await registry.setWorkspace([folder], { ...kTrusted, depth: 0 });
      assert.deepEqual(below(), []);
    });

    it('opens a deeper repository with the first of its files', async () => {
      repositoryAt('x/y');
      mkdirSync(at('x/y/z'));
      finds(folder, folder);
      await registry.setWorkspace([folder], kTrusted);
      await registry.discoverAround(at('x/y/z/f'));
      await registry.discoverAround('/elsewhere/f');
      assert.deepEqual(below(), ['', 'x/y']);
      assert.deepEqual(discoveries(), [`discover ${folder}`]);
    });

    it('keeps a deeper one when it looks again, as long as it is there', async () => {
      const deep = repositoryAt('x/y/deep');
      finds(folder, folder);
      await registry.setWorkspace([folder], kTrusted);
      await registry.discoverAround(at('x/y/deep/f'));
      await registry.discoverAll();
      assert.deepEqual(below(), ['', 'x/y/deep']);
      assert.ok(!helper.calls.includes(`close ${deep}`));
      rmSync(at('x/y/deep/.git'), { recursive: true });
      await registry.discoverAll();
      assert.deepEqual(below(), ['']);
      repositoryAt('x/y/deep');
      await registry.discoverAround(at('x/y/deep/f'));
      mkdirSync(at('other'));
      finds(at('other'));
      await registry.setWorkspace([at('other')], kTrusted);
      assert.deepEqual(roots(), []);
    });

    it('leaves out what the rule, or an answer, says, and offers it', async () => {
      const [a, b] = [repositoryAt('a'), repositoryAt('b')];
      repositoryAt('c');
      finds(folder);
      const answers = new Map<string, 'open' | 'close'>([[b, 'open']]);
      let edited: string[] = [];
      const settings = {
        nested: 'prompt' as 'prompt' | 'openEditors',
        parent: 'never' as const,
        ignored: ['c'],
      };
      const rule = { settings, answers: () => answers, edited: () => edited };
      await registry.setWorkspace([folder], { ...kTrusted, rule });
      assert.deepEqual(roots(), [b]);
      assert.deepEqual([...registry.leftOut], [[a, 'ask']]);
      answers.set(a, 'open').set(b, 'close');
      await registry.discoverAll();
      assert.deepEqual(roots(), [a]);
      assert.deepEqual([...registry.leftOut], [[b, 'leave']]);
      answers.clear();
      settings.nested = 'openEditors';
      await registry.discoverAll();
      assert.deepEqual(roots(), []);
      await registry.discoverAround(join(b, 'f'));
      assert.deepEqual(roots(), [b]);
      edited = [join(b, 'f')];
      await registry.discoverAll();
      assert.deepEqual(roots(), [b]);
    });

    it('says nothing of what has a .git and is no repository, and takes the worktree that one leads to', async () => {
      const [bad, moved] = [repositoryAt('bad'), repositoryAt('moved')];
      helper.refused.set(
        bad,
        Object.assign(new Error('not a git repository'), { data: { code: 'NotFound' } }),
      );
      const open = helper.open.bind(helper);
      helper.open = (params) => open(params.root === moved ? { ...params, root: at('there') } : params);
      finds(folder);
      await registry.setWorkspace([folder], kTrusted);
      await new Promise(setImmediate);
      assert.deepEqual(below(), ['there']);
      assert.deepEqual([...registry.problems], []);
    });

    describe('with submodules', () => {
      const list = (root: string, ...paths: string[]) => {
        const text = paths.map((path) => `[submodule "${path}"]\n\tpath = ${path}\n`).join('');
        writeFileSync(join(root, '.gitmodules'), text);
      };
      const within = (check: () => void) => poll(check, { what: 'the submodules', timeoutMs: 10_000 });
      const changed = (root: string) => {
        registry.didChange({ ...delta({}), root, contentChanged: true });
      };
      beforeEach(() => {
        repositoryAt();
        finds(folder, folder);
      });
      afterEach(() => {
        registry.dispose();
      });

      it('opens those that are checked out, however deep, and those within them', async () => {
        list(repositoryAt('deep/lib'), 'very/deep/inner', 'absent');
        repositoryAt('deep/lib/very/deep/inner');
        repositoryAt('deep/stranger');
        mkdirSync(at('deep/empty'));
        symlinkSync(at('deep/lib'), at('deep/link'));
        list(folder, 'deep/lib', 'deep/empty', 'deep/link', '../outside');
        await registry.setWorkspace([folder], kTrusted);
        await within(() => assert.deepEqual(below(), ['', 'deep/lib', 'deep/lib/very/deep/inner']));
        await registry.discoverAll();
        assert.deepEqual(below(), ['', 'deep/lib', 'deep/lib/very/deep/inner']);
        assert.deepEqual(discoveries(), [`discover ${folder}`, `discover ${folder}`]);
      });

      it('follows what is added, checked out and removed', async () => {
        list(folder, 'deep/later');
        await registry.setWorkspace([folder], kTrusted);
        repositoryAt('deep/added');
        list(folder, 'deep/later', 'deep/added');
        changed(folder);
        await within(() => assert.deepEqual(below(), ['', 'deep/added']));
        repositoryAt('deep/later');
        // The editor reported the repository's `.git`.
        await registry.discoverAll();
        await within(() => assert.deepEqual(below(), ['', 'deep/added', 'deep/later']));
        rmSync(at('deep/added'), { recursive: true });
        await registry.discoverAll();
        assert.deepEqual(below(), ['', 'deep/later']);
      });

      it('reads a .gitmodules that is not staged', async () => {
        await registry.setWorkspace([folder], kTrusted);
        repositoryAt('deep/lib');
        list(folder, 'deep/lib');
        registry.didChange({ ...delta({ upserted: [entry('?? .gitmodules')] }), root: folder });
        await within(() => assert.deepEqual(below(), ['', 'deep/lib']));
      });

      it('opens and offers them by the rule, and none again that was closed', async () => {
        const closed = repositoryAt('deep/closed');
        repositoryAt('deep/out');
        const asked = repositoryAt('deep/asked');
        list(folder, 'deep/closed', 'deep/out', 'deep/asked');
        const answers = new Map<string, 'open' | 'close'>([[closed, 'close']]);
        const settings = { nested: 'prompt' as const, parent: 'always' as const, ignored: ['deep/out'] };
        const rule = { settings, answers: () => answers, edited: () => [] };
        let told = 0;
        registry.onDidChangeProblems(() => told++);
        await registry.setWorkspace([folder], { ...kTrusted, rule });
        const toldBefore = told;
        const areLeft = (verdict: string) => () => {
          const left = Object.fromEntries(registry.leftOut);
          assert.deepEqual(left, { [closed]: 'leave', [asked]: verdict });
        };
        await within(areLeft('ask'));
        await within(() => assert.ok(told > toldBefore));
        answers.set(asked, 'open');
        await registry.discoverAll();
        assert.deepEqual(below(), ['', 'deep/asked']);
        answers.set(asked, 'close');
        await registry.discoverAll();
        changed(folder);
        await within(areLeft('leave'));
        assert.deepEqual(below(), ['']);
      });

      it('opens so many, of which none is one that is found anyway', async () => {
        const paths = Array.from({ length: kMaxSubmodules + 2 }, (_, n) => `deep/${n}`);
        const near = Array.from({ length: 3 }, (_, n) => `near${n}`);
        for (const path of [...near, ...paths]) repositoryAt(path);
        list(folder, ...near, ...paths);
        await registry.setWorkspace([folder], kTrusted);
        await within(() => assert.equal(below().length, 1 + near.length + kMaxSubmodules));
        changed(folder);
        await registry.discoverAround(at('deep', `${kMaxSubmodules + 1}`, 'f'));
        assert.ok(below().includes(`deep/${kMaxSubmodules + 1}`));
        await new Promise((resolve) => setTimeout(resolve, 1_500));
        assert.equal(below().length, 2 + near.length + kMaxSubmodules);
      });

      it('looks for none where nothing is to be looked for', async () => {
        repositoryAt('deep/lib');
        list(folder, 'deep/lib');
        await registry.setWorkspace([folder], { ...kTrusted, depth: 0 });
        await new Promise((resolve) => setTimeout(resolve, 200));
        assert.deepEqual(below(), ['']);
        await registry.setWorkspace([folder], kTrusted);
        await within(() => assert.deepEqual(below(), ['', 'deep/lib']));
        await registry.setWorkspace([folder], { ...kTrusted, depth: 0 });
        assert.deepEqual(below(), ['']);
      });
    });

    it('tells what cannot be looked into', async () => {
      repositoryAt('a');
      mkdirSync(at('closed'), { mode: 0 });
      finds(folder);
      await withModes(folder, () => registry.setWorkspace([folder], kTrusted));
      assert.deepEqual(below(), ['a']);
      assert.deepEqual([...registry.problems.keys()], [at('closed')]);
    });

    it('finds a folder whose name is no text', async () => {
      const name = Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff])]);
      mkdirSync(Buffer.concat([name, Buffer.from('/.git')]), { recursive: true });
      writeFileSync(Buffer.concat([name, Buffer.from('/.git/HEAD')]), '');
      finds(folder);
      await registry.setWorkspace([folder], kTrusted);
      assert.deepEqual(below(), ['\udcff']);
    });
  });

  it('maps a folder that was opened through a symlink', async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'registry-')));
    try {
      mkdirSync(join(folder, 'real/sub'), { recursive: true });
      symlinkSync(join(folder, 'real'), join(folder, 'link'));
      finds(join(folder, 'link'), join(folder, 'real'));
      await registry.setWorkspace([join(folder, 'link')], kTrusted);
      assert.equal(registry.locate(join(folder, 'link/sub/f'))?.path, 'sub/f');
      assert.deepEqual(registry.paths.toOpened(join(folder, 'real/sub/f')), [join(folder, 'link/sub/f')]);
      assert.deepEqual(registry.paths.toOpened('/else/where'), ['/else/where']);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
