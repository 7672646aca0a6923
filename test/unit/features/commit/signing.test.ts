/**
 * Really signed commits, verified by git with temporary keys. These tests never install gpg. Without gpg, only ssh
 * signatures are tested.
 */
import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { commit } from '../../../../extension/features/commit/git';
import { Run, runGit } from '../../../../extension/git/runGit';
import { Repository } from '../../../support/repository';
import { Sandbox } from '../../../support/sandbox';

const kMail = 'author@example.com';
const hasGpg = spawnSync('gpg', ['--version']).status === 0;

describe('a signed commit', () => {
  let sandbox: Sandbox;
  let repository: Repository;
  let env: NodeJS.ProcessEnv;

  beforeEach(() => {
    sandbox = new Sandbox();
    repository = Repository.init(sandbox, 'r');
    env = { ...sandbox.env, GNUPGHOME: sandbox.path('g') };
  });
  afterEach(() => {
    if (hasGpg) spawnSync('gpgconf', ['--kill', 'all'], { env });
    sandbox.remove();
  });

  const git = (args: readonly string[], input?: Uint8Array) =>
    runGit(
      { path: 'git', env },
      repository.root,
      input === undefined ? { args } : { args, input },
      new AbortController().signal,
    );
  const run: Run = async ({ args, input }) => {
    const result = await git(args, input);
    return result.code === 0 ? result : undefined;
  };
  function does(program: string, ...args: string[]): void {
    const { status, stderr } = spawnSync(program, args, { env });
    assert.equal(status, 0, `${program}: ${String(stderr)}`);
  }
  /** Commits. Returns git's verdict: "G" for a good signature, "N" for none. */
  async function signature(sign: boolean): Promise<string> {
    const request = { options: { empty: true, sign }, message: 'message', stageFirst: [] };
    assert.ok(await commit(run, repository.root, request));
    const { stdout } = await git(['log', '-1', '--format=%G?']);
    return stdout.toString().trim();
  }
  async function isProved(): Promise<void> {
    assert.equal(await signature(false), 'N');
    assert.equal(await signature(true), 'G');
    repository.config('commit.gpgSign', 'true');
    assert.equal(await signature(false), 'G', "by git's config alone");
  }

  if (hasGpg) {
    it('by gpg', async () => {
      mkdirSync(sandbox.path('g'), { mode: 0o700 });
      const batch = ['--batch', '--quiet', '--pinentry-mode', 'loopback', '--passphrase', ''];
      does('gpg', ...batch, '--quick-generate-key', `A U Thor <${kMail}>`, 'ed25519', 'sign', 'never');
      repository.config('user.signingKey', kMail);
      await isProved();
    });
  }

  it('by ssh', async () => {
    const key = sandbox.path('key');
    does('ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-C', kMail, '-f', key);
    const allowed = sandbox.path('allowed');
    const { stdout } = spawnSync('ssh-keygen', ['-y', '-f', key]);
    writeFileSync(allowed, `${kMail} ${String(stdout)}`);
    repository.config('gpg.format', 'ssh');
    repository.config('user.signingKey', `${key}.pub`);
    repository.config('gpg.ssh.allowedSignersFile', allowed);
    await isProved();
  });
});
