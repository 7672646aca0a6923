/** Prompts of a running git reach the user. Uses real gits and our askpass program. A handler replaces the user. */
import { strict as assert } from 'node:assert';
import { ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname, resolve } from 'node:path';
import { EditorMode, gitEnvironment, isAskedByBuiltIn } from '../../../extension/git/environment';
import { explain } from '../../../extension/git/failures';
import { PromptHandler, PromptRun, PromptServer } from '../../../extension/git/prompts/PromptServer';
import { kSocketVariable, kTokenVariable, PromptRequest } from '../../../extension/git/prompts/wire';
import { GitResult, runGit } from '../../../extension/git/runGit';
import { promptQuestion } from '../../../extension/git/prompts/promptQuestion';
import { HttpRemote } from '../../support/httpRemote';
import { Repository } from '../../support/repository';
import { Sandbox } from '../../support/sandbox';

const prompts = resolve(__dirname, '../../../extension/git/prompts');
const script = resolve(prompts, 'git-prompt.sh');
const program = {
  RESIDENT_GIT_PROMPT_NODE: process.execPath,
  RESIDENT_GIT_PROMPT_NODE_OPTIONS: `--import ${resolve(prompts, '../../../node_modules/tsx/dist/loader.mjs')}`,
  RESIDENT_GIT_PROMPT_MAIN: resolve(prompts, 'main.ts'),
};

describe('promptQuestion', () => {
  it('shows what is typed for a name only', () => {
    const isSecret = (text: string) => {
      const question = promptQuestion(text);
      return question.kind === 'input' && question.isSecret;
    };
    assert.equal(isSecret("Username for 'https://example.com': "), false);
    for (const text of [
      "Password for 'https://me@example.com': ",
      "Enter passphrase for key '/home/me/.ssh/id_ed25519': ",
      "me@example.com's password: ",
      '(me@example.com) One-time code: ',
    ]) {
      assert.equal(isSecret(text), true, text);
    }
  });

  it('asks yes or no of a key that is not known, with its fingerprint', () => {
    const text =
      "The authenticity of host 'example.com (192.0.2.1)' can't be established.\n" +
      'ED25519 key fingerprint is SHA256:abc.\nThis key is not known by any other names.\n' +
      'Are you sure you want to continue connecting (yes/no/[fingerprint])? ';
    assert.deepEqual(promptQuestion(text), {
      kind: 'yesNo',
      title: "The authenticity of host 'example.com (192.0.2.1)' can't be established.",
      detail: 'ED25519 key fingerprint is SHA256:abc. This key is not known by any other names.',
      byExitCode: false,
    });
  });

  it('believes ssh where that says what it wants', () => {
    assert.deepEqual(promptQuestion('Allow use of key k?', 'confirm'), {
      kind: 'yesNo',
      title: 'Allow use of key k?',
      detail: '',
      byExitCode: true,
    });
    assert.equal(promptQuestion('Confirm user presence for key k', 'none').kind, 'notice');
  });

  it('is one line of bounded length, without control characters', () => {
    const question = promptQuestion(`a\n\x1b[31mb${'c'.repeat(9999)}`);
    assert.ok(question.kind === 'input' && question.prompt.startsWith('a \\033[31mbc'));
    assert.equal(question.prompt.length, 500);
  });
});

describe('gitEnvironment, for one who is asked', () => {
  const own = { env: { TOKEN: 't' }, script: "/it's/ask" };

  it('asks through ours only where nobody else is there to ask', () => {
    assert.deepEqual(
      [gitEnvironment({}, { own }).SSH_ASKPASS, gitEnvironment({}, { own }).SSH_ASKPASS_REQUIRE],
      [own.script, 'force'],
    );
    for (const theirs of [{ GIT_ASKPASS: '/mine' }, { SSH_ASKPASS: '/mine' }]) {
      const { TOKEN, ...env } = gitEnvironment(theirs, { own });
      assert.equal(TOKEN, 't');
      assert.deepEqual([env.GIT_ASKPASS ?? env.SSH_ASKPASS, env.SSH_ASKPASS_REQUIRE], ['/mine', undefined]);
    }
  });

  it('opens an editor only where one is wanted', () => {
    const editor = (mode?: EditorMode, ofBuiltIn = {}) =>
      gitEnvironment({ GIT_EDITOR: 'vi' }, { own, editor: mode, ofBuiltIn }).GIT_EDITOR;
    assert.equal(editor(), 'false');
    assert.equal(editor('keeps'), 'true');
    assert.equal(editor('asks'), `'/it'\\''s/ask' --editor`);
    assert.match(editor({ gives: "/it's" }) ?? '', /cat '\/it'\\''s' >"\$1"/);
    assert.equal(gitEnvironment({}, { editor: { gives: '/it' } }).GIT_SEQUENCE_EDITOR, 'true');
    assert.equal(editor('asks', { GIT_EDITOR: '"theirs"' }), '"theirs"');
    assert.equal(gitEnvironment({}, { editor: 'asks' }).GIT_EDITOR, 'false');
  });

  it("leaves all to the built-in's where that has all", () => {
    assert.equal(isAskedByBuiltIn(undefined), false);
    assert.equal(isAskedByBuiltIn({ GIT_ASKPASS: 'a' }), true);
    assert.equal(isAskedByBuiltIn({ GIT_ASKPASS: 'a' }, 'asks'), false);
    assert.equal(isAskedByBuiltIn({ GIT_ASKPASS: 'a', GIT_EDITOR: 'e' }, 'asks'), true);
  });
});

describe('PromptServer', () => {
  let sandbox: Sandbox;
  let server: PromptServer;
  let run: PromptRun;
  let asked: PromptRequest[];
  let handler: PromptHandler;
  let onAsked: () => void;

  /** Starts the server. `silenceMs`: its timeout for silent connections. */
  async function begin(silenceMs?: number): Promise<void> {
    server = new PromptServer([undefined, sandbox.path('nowhere'), sandbox.root], silenceMs);
    run = await server.begin((request, signal) => {
      asked.push(request);
      onAsked();
      return handler(request, signal);
    });
  }

  beforeEach(async () => {
    sandbox = new Sandbox();
    asked = [];
    handler = () => Promise.resolve({ text: 'answered' });
    onAsked = () => undefined;
    await begin();
  });
  afterEach(async () => {
    await server.dispose();
    sandbox.remove();
  });

  const socketPath = () => run.env[kSocketVariable] ?? '';
  function start(args: string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
    return spawn(script, args, { env: { ...sandbox.env, ...program, ...run.env, ...env } });
  }
  async function ends(child: ChildProcess): Promise<{ code: number | null; said: string }> {
    let said = '';
    child.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, said };
  }
  const isAsked = () => new Promise<void>((done) => (onAsked = done));
  /** Sends `line` on a new connection. Returns the answer. */
  async function say(line: string): Promise<string> {
    const socket = connect(socketPath());
    let answer = '';
    socket.on('data', (chunk) => (answer += chunk.toString()));
    socket.on('error', () => undefined);
    socket.write(line);
    await once(socket, 'close');
    return answer;
  }

  it('leads a question to its run, and the answer back', async () => {
    handler = () => Promise.resolve({ text: 'pässword "1"' });
    assert.deepEqual(await ends(start(['Password: '], { SSH_ASKPASS_PROMPT: 'confirm' })), {
      code: 0,
      said: 'pässword "1"\n',
    });
    assert.deepEqual(await ends(start(['--editor', 'COMMIT_EDITMSG'])), { code: 0, said: 'pässword "1"\n' });
    const [question, file] = asked.map((each) => ({ ...each, token: undefined }));
    assert.deepEqual(question, { kind: 'ask', text: 'Password: ', hint: 'confirm', token: undefined });
    assert.deepEqual(file, { kind: 'edit', file: resolve('COMMIT_EDITMSG'), token: undefined });
  });

  it('fails where nobody answers, and where nobody can', async () => {
    handler = () => Promise.resolve(undefined);
    assert.equal((await ends(start(['x']))).code, 1);
    handler = () => Promise.reject(new Error('on purpose'));
    assert.equal((await ends(start(['x']))).code, 1);
    assert.equal((await ends(start(['x'], { [kSocketVariable]: sandbox.path('no socket') }))).code, 1);
    assert.equal((await ends(start(['x'], { [kTokenVariable]: undefined }))).code, 1);
  });

  it('stands in a directory of this user alone, which goes with it', async () => {
    assert.equal(statSync(dirname(socketPath())).mode & 0o777, 0o700);
    await server.dispose();
    assert.ok(!existsSync(dirname(socketPath())));
  });

  it('listens only to runs that are under way', async () => {
    assert.equal((await ends(start(['x'], { [kTokenVariable]: '0'.repeat(64) }))).code, 1);
    run.end();
    assert.equal((await ends(start(['x']))).code, 1);
    assert.deepEqual(asked, []);
  });

  it('ends a question with whoever asks it', async () => {
    const signals: AbortSignal[] = [];
    handler = (_, signal) => {
      signals.push(signal);
      return new Promise(() => undefined);
    };
    const waiting = isAsked();
    const child = start(['x']);
    await waiting;
    await new Promise(setImmediate);
    const [signal] = signals;
    assert.ok(signal !== undefined && !signal.aborted);
    const aborted = once(signal, 'abort');
    child.kill();
    await aborted;
  });

  it('ends a question with its run', async () => {
    handler = (_, signal) =>
      new Promise((done) => signal.addEventListener('abort', () => done({ text: 'late' })));
    const waiting = isAsked();
    const child = ends(start(['x']));
    await waiting;
    run.end();
    assert.deepEqual(await child, { code: 1, said: '' });
  });

  it('takes no line that is none or too long', async () => {
    const token = run.env[kTokenVariable];
    assert.match(await say(`${JSON.stringify({ token, kind: 'ask', text: 'x' })}\n`), /answered/);
    for (const line of ['{}\n', 'x\n', `${JSON.stringify({ token, kind: 'other' })}\n`]) {
      assert.equal(await say(line), '');
    }
    assert.equal(await say(`${JSON.stringify({ token, kind: 'ask', text: 'x'.repeat(20_000) })}\n`), '');
    assert.equal(asked.length, 1);
  });

  it('ends with a line that never ends', async () => {
    await server.dispose();
    await begin(100);
    assert.equal(await say('{"token":'), '');
    assert.deepEqual(asked, []);
  });
});

describe('a git that asks', () => {
  let sandbox: Sandbox;
  let repository: Repository;
  let server: PromptServer;
  let asked: string[];

  beforeEach(() => {
    sandbox = new Sandbox();
    repository = Repository.init(sandbox, 'r');
    server = new PromptServer([sandbox.root]);
    asked = [];
  });
  afterEach(async () => {
    await server.dispose();
    sandbox.remove();
  });

  async function git(
    args: string[],
    handler: PromptHandler,
    { editor, signal = new AbortController().signal }: { editor?: EditorMode; signal?: AbortSignal } = {},
  ): Promise<GitResult> {
    const run = await server.begin(handler);
    const env = gitEnvironment(sandbox.env, { own: { script, env: { ...program, ...run.env } }, editor });
    try {
      return await runGit({ path: 'git', env }, repository.root, { args }, signal);
    } finally {
      run.end();
    }
  }
  const answering =
    (name: string, password: string): PromptHandler =>
    (request) => {
      if (request.kind !== 'ask') return Promise.resolve(undefined);
      asked.push(request.text);
      return Promise.resolve({ text: request.text.startsWith('Username') ? name : password });
    };

  it('is told a wrong password, and then the right one', async () => {
    const bare = Repository.init(sandbox, 'remote.git', '--bare');
    bare.config('http.receivepack', 'true');
    const remote = await HttpRemote.start(sandbox, 'me:secret');
    try {
      repository.commit('base');
      repository.git('remote', 'add', 'origin', `${remote.url}/remote.git`);
      const push = ['push', '-u', 'origin', 'main'];
      const refused = await git(push, answering('me', 'wrong'));
      assert.equal(explain('push', refused).kind, 'authentication', refused.stderr.toString());
      const { host } = new URL(remote.url);
      assert.deepEqual(asked, [`Username for 'http://${host}': `, `Password for 'http://me@${host}': `]);
      const dismissed = await git(push, () => Promise.resolve(undefined));
      assert.equal(explain('push', dismissed).kind, 'authentication', dismissed.stderr.toString());
      const done = await git(push, answering('me', 'secret'));
      assert.equal(done.code, 0, done.stderr.toString());
      assert.equal(bare.git('log', '--format=%s', 'main'), 'base\n');
      assert.deepEqual(remote.tried, ['me:wrong', 'me:secret']);
    } finally {
      await remote.stop();
    }
  });

  it('ends its question when it is cancelled', async () => {
    const remote = await HttpRemote.start(sandbox, 'me:secret');
    try {
      const controller = new AbortController();
      let ended: Promise<unknown> | undefined;
      const fetching = git(
        ['ls-remote', `${remote.url}/remote.git`],
        (_, signal) => {
          ended = once(signal, 'abort');
          controller.abort();
          return new Promise(() => undefined);
        },
        { signal: controller.signal },
      );
      assert.ok((await fetching).isCancelled);
      await ended;
    } finally {
      await remote.stop();
    }
  });

  it('has its message written by hand', async () => {
    const write: PromptHandler = (request) => {
      assert.ok(request.kind === 'edit');
      assert.match(readFileSync(request.file, 'utf8'), /^# Please enter the commit message/m);
      writeFileSync(request.file, 'by hand\n');
      return Promise.resolve({});
    };
    const commit = ['commit', '-q', '--allow-empty'];
    const done = await git(commit, write, { editor: 'asks' });
    assert.equal(done.code, 0, done.stderr.toString());
    assert.equal(repository.git('log', '--format=%s'), 'by hand\n');
    const refused = await git(commit, () => Promise.resolve(undefined), { editor: 'asks' });
    assert.match(explain('commit', refused).message, /editor/);
    const unwanted = await git(commit, () => Promise.reject(new Error('it must not ask')));
    assert.notEqual(unwanted.code, 0);
    assert.equal(repository.git('rev-list', '--count', 'HEAD'), '1\n');
  });
});
