/** The examples of docs/prompts.md in the shells that they are for, and shells that speak the protocol themselves. */
import { strict as assert } from 'node:assert';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { residentBinary } from '../../support/binary';
import { fromBuffer } from '../../support/bytes';
import { Repository } from '../../support/repository';
import { run } from '../../support/run';
import { memoryDirectory, Sandbox } from '../../support/sandbox';

const page = readFileSync(resolve(__dirname, '../../../docs/prompts.md'), 'utf8');

function example(language: string): string {
  const found = new RegExp('```' + language + '\\n([^]*?)```').exec(page)?.[1];
  assert.ok(found, `docs/prompts.md has no example for ${language}`);
  return found;
}

describe('prompts of shells', function () {
  this.timeout(60_000);
  let sandbox: Sandbox;
  let repo: Repository;
  let env: NodeJS.ProcessEnv;

  before(() => {
    sandbox = new Sandbox(memoryDirectory());
    repo = Repository.init(sandbox, 'w');
    mkdirSync(sandbox.path('programs'));
    symlinkSync(residentBinary(), sandbox.path('programs/git-resident'));
    env = { ...sandbox.questionEnv({ spy: false }), LC_ALL: 'C.UTF-8' };
    env.PATH = `${sandbox.path('programs')}:${env.PATH}`;
    repo.commit();
    // What a shell that takes it for code would run, or take for escapes.
    repo.git('checkout', '-q', '-b', '$(touch${IFS}run)`touch${IFS}run`%B#{version}');
    repo.write('new', 'new\n');
  });
  after(() => sandbox.remove());
  afterEach(() => assert.equal(repo.exists('run'), false, 'the name of a branch was run'));

  const branch = '$(touch${IFS}run)`touch${IFS}run`%B#{version}';

  function said(program: string, args: string[], cwd = repo.root): string {
    const result = run(program, args, { cwd, env });
    assert.equal(result.code, 0, String(result.stderr));
    return result.stdout.toString('utf8');
  }

  it('bash', () => {
    const script = `${example('bash')}\nprintf '%s' "\${PS1@P}"`;
    assert.equal(said('bash', ['--norc', '-c', script]), `${repo.root} ${branch} ?1 # `);
    assert.equal(said('bash', ['--norc', '-c', script], sandbox.root), `${sandbox.root}  # `);
  });

  it('zsh', () => {
    const script = `${example('zsh')}\nprint -rnP -- "$PROMPT"`;
    assert.equal(said('zsh', ['-f', '-c', script]), `${repo.root} ${branch} ?1 # `);
    assert.equal(said('zsh', ['-f', '-c', script], sandbox.root), `${sandbox.root}  # `);
  });

  it('fish', () => {
    const script = `set -g fish_prompt_pwd_dir_length 0\n${example('fish')}\nfish_prompt`;
    assert.equal(said('fish', ['--no-config', '-c', script]), `${repo.root} ${branch} ?1 > `);
    assert.equal(said('fish', ['--no-config', '-c', script], sandbox.root), `${sandbox.root} > `);
  });

  it('tmux', async () => {
    writeFileSync(sandbox.path('tmux.conf'), example('tmux'));
    // A terminal that can be read: a pane of another server.
    const server = (name: string, ...args: string[]): string =>
      said('tmux', ['-S', sandbox.path(`${name}.socket`), '-f', sandbox.path(`${name}.conf`), ...args]);
    writeFileSync(sandbox.path('outer.conf'), 'set -g status off\n');
    const inner = `env -u TMUX tmux -S ${sandbox.path('tmux.socket')} attach`;
    server('tmux', 'new-session', '-d', 'sleep 600', ';', 'set', 'status-right-length', '150');
    try {
      server('outer', 'new-session', '-d', '-x', '200', '-y', '10', inner);
      const shown = (): string => server('outer', 'capture-pane', '-p').trimEnd();
      const wanted = `${branch} ?1`;
      const end = Date.now() + 20_000;
      while (!shown().endsWith(wanted) && Date.now() < end)
        await new Promise((next) => setTimeout(next, 100));
      assert.ok(shown().endsWith(wanted), shown());
    } finally {
      server('outer', 'kill-server');
      server('tmux', 'kill-server');
    }
  });

  it('starship has a command that its example names', () => {
    const command = /^command = "(.*)"$/m.exec(example('toml'))?.[1];
    assert.ok(command, 'no command');
    assert.equal(said('sh', ['-c', command]), `${branch} ?1\n`);
  });

  /** As the plugins do: the process starts with the pinned version first, is greeted, asked, and let go. */
  const requests = `printf '}hello\\037\\036id\\037%s\\0370\\036' "$PWD" | "$DAEMON" -G v1.5.4 -s -1 -d -1`;
  for (const [shell, args] of [
    ['bash', ['--norc']],
    ['zsh', ['-f']],
  ] as const) {
    it(`${shell} reads the protocol`, () => {
      env.DAEMON = sandbox.path('programs/git-resident');
      const array = shell === 'zsh' ? '-A' : '-a';
      const first = shell === 'zsh' ? 1 : 0;
      const script = `${requests} | {
        IFS=$'\\037' read -r -d $'\\036' ${array} hello
        IFS=$'\\037' read -r -d $'\\036' ${array} told
        printf '%s|' "\${hello[@]}" "\${#told[@]}" "\${told[${first}]}" "\${told[${first + 4}]}" "\${told[${first + 13}]}"
      }`;
      assert.equal(said(shell, [...args, '-c', script]), `}hello|0|29|id|${branch}|1|`);
    });
  }

  it('the protocol tells control characters of a name as question marks', () => {
    const told = run(residentBinary(), ['prompt'], {
      cwd: repo.root,
      env,
      input: Buffer.from(`\u001b\u001f${join(repo.root, 'gone')}\u001e`),
    });
    assert.equal(fromBuffer(told.stdout), '?\x1f0\x1e');
  });
});
