/** Tests the front alone: with the git on PATH in place of a built git, and without git's test scripts. */
import { strict as assert } from 'node:assert';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { residentBinary } from '../../support/binary';
import { Repository } from '../../support/repository';
import { run, type RunResult } from '../../support/run';
import type { Sandbox } from '../../support/sandbox';
import { withSandbox } from '../case';
import { type FrontSettings, installFront } from './front';

/** Prints its directory, arguments and environment, and fails with 3. */
const witness = `#!/bin/sh
pwd
printf '<%s>\\n' "$@"
env | grep -e ^GIT_DIR= -e ^GIT_WORK_TREE= -e ^GIT_OPTIONAL_LOCKS= -e ^GIT_LITERAL_PATHSPECS= | sort
git config --get test.value
echo 'a word on stderr' >&2
exit 3
`;

class Fronted {
  readonly repo: Repository;
  private readonly log: string;

  constructor(
    readonly sandbox: Sandbox,
    settings: Pick<FrontSettings, 'program' | 'source'>,
  ) {
    this.log = sandbox.path('log');
    writeFileSync(this.log, '');
    mkdirSync(sandbox.path('state'));
    const realGit = run('sh', ['-c', 'command -v git'], { cwd: sandbox.root, env: sandbox.env });
    installFront(sandbox.path("the 'front'"), {
      ...settings,
      mode: 'answer',
      realGit: realGit.stdout.toString().trim(),
      log: this.log,
      state: sandbox.path('state'),
    });
    this.repo = Repository.init(sandbox, 'w');
    this.repo.write('sub/file', 'content\n');
    this.repo.write('status', '');
  }

  git(args: string[], cwd = this.repo.root, variables: NodeJS.ProcessEnv = {}): RunResult {
    const env = { ...this.sandbox.env, ...variables };
    const PATH = `${this.sandbox.path("the 'front'")}:${env.PATH}`;
    return run('git', args, { cwd, env: { ...env, PATH } });
  }

  says(args: string[], cwd?: string): string {
    const { stdout, stderr, code } = this.git(args, cwd);
    assert.equal(stderr.toString(), 'a word on stderr\n');
    assert.equal(code, 3);
    return stdout.toString();
  }

  /** New lines of the log since the last call. */
  logged(): string[] {
    const lines = readFileSync(this.log, 'utf8').trim().split('\n').filter(Boolean);
    writeFileSync(this.log, '');
    return lines.map((line) => line.trim());
  }
}

function program(sandbox: Sandbox, text: string): string {
  const path = sandbox.path('program');
  writeFileSync(path, text);
  chmodSync(path, 0o755);
  return path;
}

async function fronted(text: string, body: (front: Fronted) => void): Promise<void> {
  await withSandbox((sandbox) => {
    body(new Fronted(sandbox, { program: program(sandbox, text), source: 'scan' }));
  });
}

describe("git's own tests: the front", () => {
  it('leaves every other command to git, word for word', async () => {
    await fronted(witness, (front) => {
      assert.equal(front.git(['add', 'status', 'sub']).code, 0);
      const { code } = front.git(['-c', 'user.name=An Other', 'commit', '-q', '-m', " it's\n two  lines"]);
      assert.equal(code, 0);
      const { stdout } = front.git(['log', '-1', '--format=%an%n%B']);
      assert.equal(stdout.toString(), "An Other\n it's\n two  lines\n\n");
      assert.equal(front.git(['rev-parse', '--verify', '-q', 'no-such']).code, 1);
      assert.deepEqual(front.logged(), []);
    });
  });

  it('asks the program for the status, and passes on what it says', async () => {
    await fronted(witness, (front) => {
      const said = front.says(['status', '-s', "it's", '', '--', 'a b'], join(front.repo.root, 'sub'));
      assert.equal(
        said,
        `${front.repo.root}/sub\n<status>\n<--source=scan>\n<-s>\n<it's>\n<>\n<-->\n<a b>\n`,
      );
      assert.deepEqual(front.logged(), ["# front: refused -s it's  -- a b"]);
    });
  });

  it('puts the program where the options before the command put git', async () => {
    await fronted(witness, (front) => {
      const { root } = front.repo;
      const words = '<status>\n<--source=scan>\n';
      assert.equal(front.says(['-C', 'sub', '-C', '..', 'status']), `${root}\n${words}`);
      assert.equal(
        front.says(['-c', "test.value=it's one", 'status', '-z']),
        `${root}\n${words}<-z>\nit's one\n`,
      );
      assert.equal(
        front.says(['--git-dir', '.git', '--work-tree=sub', 'status']),
        `${root}\n${words}GIT_DIR=.git\nGIT_WORK_TREE=sub\n`,
      );
      assert.equal(
        front.says(['--no-optional-locks', '--literal-pathspecs', '-p', 'status']),
        `${root}\n${words}GIT_LITERAL_PATHSPECS=1\nGIT_OPTIONAL_LOCKS=0\n`,
      );
      assert.equal(front.logged().length, 4);
    });
  });

  it('takes no value for the command, and leaves options to git that it does not know', async () => {
    await fronted(witness, (front) => {
      assert.equal(front.git(['-C', 'status', 'version']).code, 128);
      assert.match(front.git(['--version', 'status']).stdout.toString(), /^git version/);
      const refused = front.git(['--no-such-option', 'status']);
      assert.equal(refused.code, 129);
      assert.match(refused.stderr.toString(), /unknown option: --no-such-option/);
      assert.deepEqual(front.logged(), [
        '# front: untranslated --version status',
        '# front: untranslated --no-such-option status',
      ]);
    });
  });

  it('tells git in the place of the program from git asked by the program', async () => {
    const answers =
      '#!/bin/sh\ngit rev-parse HEAD >/dev/null 2>&1\n[ "$3" = -s ] && exec git status -s\necho ours\n';
    await fronted(answers, (front) => {
      assert.equal(front.git(['status']).stdout.toString(), 'ours\n');
      assert.equal(front.git(['status', '-s']).stdout.toString(), '?? status\n?? sub/\n');
      assert.deepEqual(front.logged(), ['# front: native', '# front: delegated -s']);
    });
  });

  it('keeps a process for the worktree, in the environment of the question', async () => {
    await withSandbox((sandbox) => {
      const front = new Fronted(sandbox, { program: residentBinary(), source: 'resident' });
      const servers = sandbox.path('state', 'servers');
      const pids = (): number[] =>
        readdirSync(servers).map((name) => Number(readFileSync(join(servers, name, 'pid'), 'latin1')));
      try {
        const asked = ['status', '--porcelain', '-uall'];
        assert.equal(front.git(asked).stdout.toString(), '?? status\n?? sub/file\n');
        const first = pids();
        front.repo.write('more', '');
        assert.equal(front.git(asked).stdout.toString(), '?? more\n?? status\n?? sub/file\n');
        assert.deepEqual(pids(), first);
        assert.equal(
          front.git(['-C', 'sub', ...asked]).stdout.toString(),
          '?? more\n?? status\n?? sub/file\n',
        );
        assert.deepEqual(pids(), first);
        const other = front.git(['-c', 'status.showUntrackedFiles=no', 'status', '-s']);
        assert.equal(other.stdout.toString(), '');
        assert.notDeepEqual(pids(), first);
        assert.ok(!existsSync(`/proc/${first[0]}`), 'the first process has ended');
        assert.deepEqual(front.logged(), [
          `# front: serve ${front.repo.root}`,
          '# front: native --porcelain -uall',
          '# front: native --porcelain -uall',
          '# front: native --porcelain -uall',
          `# front: serve ${front.repo.root}`,
          '# front: native -s',
        ]);
        assert.equal(
          front.git(asked, sandbox.root).code,
          128,
          'git itself refuses where there is no worktree',
        );
        assert.deepEqual(front.logged(), ['# front: delegated --porcelain -uall']);
      } finally {
        for (const pid of pids()) process.kill(pid, 'SIGTERM');
      }
    });
  });
});
