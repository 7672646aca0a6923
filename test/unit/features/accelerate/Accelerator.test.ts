import assert from 'node:assert/strict';
import { mkdirSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname } from 'node:path';
import { Accelerator } from '../../../../extension/features/accelerate/Accelerator';
import { residentBinary } from '../../../support/binary';
import { oracleGit } from '../../../support/oracle';
import { Repository } from '../../../support/repository';
import { Sandbox } from '../../../support/sandbox';

describe('Accelerator', () => {
  let sandbox: Sandbox;
  beforeEach(() => {
    sandbox = new Sandbox();
  });
  afterEach(() => sandbox.remove());

  const of = (binary: string) => new Accelerator(binary, () => sandbox.env);
  const byHook = { bySocket: false, manyFiles: false };
  const bySocket = { bySocket: true, manyFiles: false };
  const namesIn = (settings: string[]) => settings.map((line) => line.split(' = ')[0]);
  /** Uses a git whose build options say whether it has the fsmonitor daemon. */
  function withDaemon(has: boolean): Accelerator {
    const said = has ? 'feature: fsmonitor--daemon' : '';
    const script = `case " $* " in *' --build-options '*) echo '${said}'; exit;; esac\nexec '${oracleGit()}' "$@"\n`;
    writeFileSync(sandbox.path('bin/git'), `#!/bin/sh\n${script}`, { mode: 0o755 });
    const env = { ...sandbox.env, PATH: `${sandbox.path('bin')}${delimiter}${sandbox.env.PATH}` };
    return new Accelerator(residentBinary(), () => env);
  }
  const get = (repository: Repository, name: string) =>
    repository.tryGit('config', name).stdout.toString('utf8').trim();

  it('says what it would write, writes it, and undoes it', async () => {
    const repository = Repository.init(sandbox, 'project');
    const accelerator = of(residentBinary());
    const before = repository.read('.git/config');
    const settings = await accelerator.preview(repository.root, { ...byHook, manyFiles: true });
    assert.deepEqual(namesIn(settings), [
      'core.fsmonitor',
      'core.fsmonitorHookVersion',
      'core.untrackedCache',
      'feature.manyFiles',
    ]);
    assert.equal(repository.read('.git/config'), before);
    await accelerator.write(repository.root, byHook);
    assert.match(get(repository, 'core.fsmonitor'), /\/resident-git\/git-resident$/);
    assert.equal(get(repository, 'feature.manyFiles'), '');
    assert.deepEqual(await accelerator.preview(repository.root, byHook), []);
    assert.equal((await accelerator.undo(repository.root)).length, 3);
    assert.equal(repository.read('.git/config'), before);
  });

  it('does the same in place of the daemon of a git that has one', async () => {
    const repository = Repository.init(sandbox, 'project');
    const accelerator = withDaemon(true);
    const before = repository.read('.git/config');
    assert.deepEqual(namesIn(await accelerator.preview(repository.root, bySocket)), [
      'residentGit.standsInForDaemon',
      'core.fsmonitor',
      'core.untrackedCache',
    ]);
    assert.equal(repository.read('.git/config'), before);
    await accelerator.write(repository.root, bySocket);
    assert.equal(get(repository, 'core.fsmonitor'), 'true');
    assert.deepEqual(await accelerator.preview(repository.root, bySocket), []);
    await assert.rejects(
      accelerator.preview(repository.root, byHook),
      /first run: git-resident accelerate --undo$/,
    );
    assert.equal((await accelerator.undo(repository.root)).length, 3);
    assert.equal(repository.read('.git/config'), before);
  });

  it('does not do so where git has none', async () => {
    const { root } = Repository.init(sandbox, 'project');
    await assert.rejects(
      withDaemon(false).preview(root, bySocket),
      /^Error: the git on PATH has no fsmonitor daemon/,
    );
  });

  it('tells why it writes nothing', async () => {
    const repository = Repository.init(sandbox, 'project');
    repository.config('core.fsmonitor', '/usr/bin/another');
    const preview = of(residentBinary()).preview(repository.root, byHook);
    await assert.rejects(
      preview,
      /^Error: core\.fsmonitor is already \/usr\/bin\/another .*; nothing was changed\.\nTo use/,
    );
  });

  describe('the link', () => {
    const link = () => sandbox.path('home/.local/share/resident-git/git-resident');
    const version = (name: string, folder = 'extensions') =>
      sandbox.path(folder, `someone.resident-git-${name}`, 'dist/bin/git-resident');
    function install(binary: string): string {
      mkdirSync(dirname(binary), { recursive: true });
      writeFileSync(binary, '');
      return binary;
    }
    function leadTo(target: string): void {
      mkdirSync(dirname(link()), { recursive: true });
      symlinkSync(target, link());
    }

    it('is none where nobody asked for it', async () => {
      assert.equal(await of(install(version('2'))).followLink(), undefined);
      assert.throws(() => readlinkSync(link()));
    });

    for (const [what, before] of [
      ['another version of this extension', () => install(version('1'))],
      ['what is there no more', () => version('1', 'elsewhere')],
    ] as const) {
      it(`leads here where it led to ${what}`, async () => {
        const [old, ours] = [before(), install(version('2'))];
        leadTo(old);
        assert.equal(await of(ours).followLink(), old);
        assert.equal(readlinkSync(link()), ours);
        assert.equal(await of(ours).followLink(), undefined);
      });
    }

    it('stays where it leads to a program of another place', async () => {
      const other = install(version('1', 'elsewhere'));
      leadTo(other);
      assert.equal(await of(install(version('2'))).followLink(), undefined);
      assert.equal(readlinkSync(link()), other);
    });
  });
});
