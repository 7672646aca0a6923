/**
 * Answers git's prompts like a person. Uses a real HTTP remote that wants a password, and a message written by hand.
 */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { HttpRemote } from '../support/httpRemote';
import { Repository } from '../support/repository';
import { Sandbox } from '../support/sandbox';
import { poll } from './support/poll';
import { Session } from './support/session';

describe('what git asks, in the workbench', () => {
  let session: Session;
  let repository: Repository;
  let bare: Repository;
  let remote: HttpRemote;

  before(async () => {
    const sandbox = new Sandbox();
    bare = Repository.init(sandbox, 'remote.git', '--bare');
    bare.config('http.receivepack', 'true');
    remote = await HttpRemote.start(sandbox, 'me:secret');
    repository = Repository.init(sandbox, "it's a project");
    repository.write('alpha.txt', 'alpha\n');
    repository.commit('base');
    repository.git('remote', 'add', 'origin', `${remote.url}/remote.git`);
    session = await Session.open(sandbox, { folder: repository.root });
    await session.workbench.showSourceControl();
    await session.matchesGit(repository);
  });
  Session.ofSuite();
  after(() => remote.stop());

  const log = (where: Repository, ...revision: string[]) =>
    where
      .git('log', '--format=%s', ...revision)
      .trimEnd()
      .split('\n');

  it('asks for a name and a password, hides the password, and asks again where it was wrong', async () => {
    await session.workbench.command('Resident Git: Publish Branch...');
    assert.equal(await session.workbench.prompt(/Username for 'http:/, 'me'), 'text');
    assert.equal(await session.workbench.prompt(/Password for 'http:/, 'wrong'), 'password');
    await session.workbench.notifications.answer('Try Again');
    await session.workbench.prompt(/Username for 'http:/, 'me');
    assert.equal(await session.workbench.prompt(/Password for 'http:/, 'secret'), 'password');
    await poll(() => assert.deepEqual(log(bare, 'main'), ['base']), { what: 'it is published' });
    assert.deepEqual(remote.tried, ['me:wrong', 'me:secret']);
    assert.doesNotMatch(session.extensionLog(), /secret|wrong/);
  });

  it('ends the question with the command, and says nothing of who does not answer', async () => {
    await session.workbench.command('Resident Git: Fetch');
    await session.workbench.prompted(/Username for 'http:/);
    await session.workbench.titleAction('Cancel the Running Git Command');
    await session.workbench.nothingIsAsked();
    await poll(() => assert.match(session.extensionLog(), /> git fetch \[\d+ ms, cancelled\]/), {
      what: 'git has ended',
    });
    await session.workbench.command('Resident Git: Fetch');
    await session.workbench.prompted(/Username for 'http:/);
    await session.workbench.page.keyboard.press('Escape');
    await poll(() => assert.match(session.extensionLog(), /> git fetch \[\d+ ms, exit code 128\]/), {
      what: 'git has failed',
    });
    assert.deepEqual(await session.workbench.notifications.messages(), []);
  });

  it('asks of an unknown host whether it is the right one', async () => {
    const ssh = session.sandbox.path('ssh');
    const words = [
      "The authenticity of host 'example.test (192.0.2.1)' can't be established.",
      'ED25519 key fingerprint is SHA256:abc.',
      'Are you sure you want to continue connecting (yes/no/[fingerprint])? ',
    ].join('\n');
    const refuse = '{ echo "Host key verification failed." >&2; exit 255; }';
    const script = `#!/bin/sh\n[ "$("$SSH_ASKPASS" "${words}")" = yes ] || ${refuse}\neval "$2"\n`;
    writeFileSync(ssh, script, { mode: 0o755 });
    repository.config('core.sshCommand', ssh);
    repository.config('ssh.variant', 'simple');
    repository.git('remote', 'set-url', 'origin', `ssh://example.test${bare.root}`);
    bare.git('branch', 'from-afar', 'main');
    await session.workbench.command('Resident Git: Fetch');
    await session.workbench.prompted(/The authenticity of host 'example\.test/);
    await session.workbench.pick('no');
    await session.workbench.notifications.clear(/The host key of the remote was not verified/);
    await session.workbench.command('Resident Git: Fetch');
    await session.workbench.prompted(/SHA256:abc/);
    await session.workbench.pick('yes');
    await poll(() => assert.deepEqual(log(repository, 'origin/from-afar'), ['base']), {
      what: 'it is fetched',
    });
  });

  it("asks for the passphrase of a key, hides it, and gives ssh's question and answer as they are", async () => {
    const ssh = session.sandbox.path('ssh-with-key');
    const key = session.sandbox.path('key');
    const passphrase = 'open "the" $door';
    session.sandbox.exec('ssh-keygen', '-q', '-t', 'ed25519', '-N', passphrase, '-f', key);
    // Prompts like ssh. The script itself checks whether the passphrase opens the key.
    const script = [
      '#!/bin/sh',
      `answer=$("$SSH_ASKPASS" "Enter passphrase for key '${key}': ") || exit 255`,
      `ssh-keygen -y -P "$answer" -f '${key}' >/dev/null || exit 255`,
      'eval "$2"',
    ];
    writeFileSync(ssh, `${script.join('\n')}\n`, { mode: 0o755 });
    repository.config('core.sshCommand', ssh);
    bare.git('branch', 'by-key', 'main');
    await session.workbench.command('Resident Git: Fetch');
    const question = /Enter passphrase for key '.*\/key'/;
    assert.equal(await session.workbench.prompt(question, 'wrong phrase'), 'password');
    await session.workbench.notifications.clear(/./);
    await session.workbench.command('Resident Git: Fetch');
    assert.equal(await session.workbench.prompt(question, passphrase), 'password');
    await poll(() => assert.deepEqual(log(repository, 'origin/by-key'), ['base']), {
      what: 'it is fetched',
    });
    assert.doesNotMatch(session.extensionLog(), /wrong phrase|the" \$door/);
  });

  it('has a message written in an editor, and commits when that is closed', async () => {
    repository.append('alpha.txt', 'more\n');
    repository.git('add', '-A');
    await session.matchesGit(repository);
    await session.workbench.titleAction('Commit');
    await session.workbench.editorShows(/Please enter the commit message/);
    await session.workbench.typeAtStart('by hand');
    await session.workbench.editorShows(/^by hand/);
    assert.deepEqual(log(repository), ['base']);
    await session.workbench.save();
    await session.workbench.command('View: Close Editor');
    await poll(() => assert.deepEqual(log(repository), ['by hand', 'base']), { what: 'it is committed' });
    await session.matchesGit(repository);
  });

  it('commits nothing where the editor is closed without a message', async () => {
    repository.append('alpha.txt', 'still more\n');
    repository.git('add', '-A');
    await session.matchesGit(repository);
    await session.workbench.titleAction('Commit');
    await session.workbench.editorShows(/Please enter the commit message/);
    await session.workbench.command('View: Close Editor');
    await poll(() => assert.match(session.extensionLog(), /commit --quiet \[\d+ ms, exit code 1\]/), {
      what: 'git has ended',
    });
    assert.deepEqual(log(repository), ['by hand', 'base']);
    assert.deepEqual(await session.workbench.notifications.messages(), []);
  });
});

describe("what git asks, beside VS Code's own Git", () => {
  let remote: HttpRemote;

  Session.ofSuite();
  after(() => remote.stop());

  it('is asked by that', async () => {
    const sandbox = new Sandbox();
    const bare = Repository.init(sandbox, 'remote.git', '--bare');
    bare.config('http.receivepack', 'true');
    remote = await HttpRemote.start(sandbox, 'me:secret');
    const repository = Repository.init(sandbox, 'project');
    repository.commit('base');
    repository.git('remote', 'add', 'origin', `${remote.url}/remote.git`);
    const { workbench } = await Session.open(sandbox, { folder: repository.root }, { atWork: 'both' });
    await workbench.showSourceControl();
    await poll(
      async () => {
        const providers = (await workbench.scmRows()).filter((row) => row.kind === 'repository');
        assert.deepEqual(providers.map(({ provider }) => provider).sort(), ['Git', 'Resident Git']);
      },
      { what: 'both are there' },
    );
    await workbench.command('Resident Git: Publish Branch...');
    // Only the built-in's boxes have these placeholders.
    await workbench.type('Username', 'me');
    await workbench.type('Password', 'secret');
    await poll(() => assert.equal(bare.git('log', '--format=%s', 'main'), 'base\n'), {
      what: 'it is published',
    });
    assert.deepEqual(remote.tried, ['me:secret']);
  });
});
