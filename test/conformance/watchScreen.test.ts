/** `git-resident watch` in a terminal. */
import { strict as assert } from 'node:assert';
import { readFileSync, statSync } from 'node:fs';
import { residentBinary } from '../support/binary';
import { Repository } from '../support/repository';
import { run } from '../support/run';
import { memoryDirectory, Sandbox } from '../support/sandbox';
import { Terminal } from '../support/terminal';

describe('git-resident watch in a terminal', function () {
  this.timeout(120_000);
  let sandbox: Sandbox;
  let repo: Repository;
  let env: NodeJS.ProcessEnv;
  let terminal: Terminal;

  beforeEach(() => {
    sandbox = new Sandbox(memoryDirectory());
    repo = Repository.init(sandbox, 'w');
    for (const name of ['a', 'b', 'c']) repo.write(name, name);
    repo.commit();
    repo.write('a', 'staged');
    repo.git('add', 'a');
    repo.write('b', 'changed');
    env = { ...sandbox.questionEnv({ spy: false }), LC_ALL: 'C.UTF-8' };
  });
  afterEach(() => {
    terminal.end();
    sandbox.remove();
  });

  /** The view, once it shows the status. */
  async function watch(columns = 80, rows = 24): Promise<void> {
    terminal = new Terminal(sandbox.root, repo.root, env, { columns, rows });
    await terminal.shows('$');
    terminal.type(
      `clear; stty -g > ../before; '${residentBinary()}' watch; echo ended $?; stty -g > ../after`,
    );
    await terminal.shows('1 staged');
    assert.deepEqual(terminal.modes, { alternate: true, cursor: false, wraps: false });
  }
  /** The shell's screen again, as it was left. */
  async function ended(said: string): Promise<void> {
    const screen = await terminal.shows(said);
    assert.ok(!screen.includes('Staged changes'), screen);
    assert.deepEqual(terminal.modes, { alternate: false, cursor: true, wraps: true });
    terminal.type('echo the shell goes on');
    await terminal.until((shown) => /^the shell goes on$/m.test(shown));
    assert.equal(readFileSync(sandbox.path('after'), 'utf8'), readFileSync(sandbox.path('before'), 'utf8'));
  }

  it('shows the groups, and each change with its latency', async () => {
    await watch();
    const shown = await terminal.shows('Changes (1)');
    assert.match(shown, /^main\nwatching 1 directory\n[^]*\n1 staged, 1 changed\n\n/);
    assert.match(shown, /\nStaged changes \(1\)\n {2}M {2}a\nChanges \(1\)\n {2}M {2}b\n/);
    repo.write('new', '');
    assert.match(await terminal.shows('Last changes'), /\nUntracked files \(1\)\n {2}\? {2}new\n/);
    assert.match(terminal.screen(), /\n {2}\d\d:\d\d:\d\d +\d+\.\d\d ms {2}\? {2}new\n/);
    repo.git('commit', '-qam', 'all');
    await terminal.shows('\n1 untracked\n');
    terminal.press('q');
    await ended('ended 0');
  });

  it('names the operation and its step', async () => {
    repo.git('commit', '-qam', 'first');
    repo.git('commit', '-q', '--allow-empty', '-m', 'second');
    repo.write('c', 'c2');
    repo.git('add', 'c');
    await watch();
    repo.git('commit', '-qm', 'third');
    repo.git('-c', 'sequence.editor=sed -i s/^pick/edit/', 'rebase', '-q', '-i', 'HEAD~2');
    await terminal.shows('HEAD detached at ');
    await terminal.shows('  rebasing 1/2');
    repo.git('-c', 'core.editor=true', 'rebase', '--continue');
    await terminal.shows('  rebasing 2/2');
    repo.git('rebase', '--abort');
    await terminal.until((screen) => screen.startsWith('main\n'));
  });

  for (const [how, end, said] of [
    ['Ctrl-C', () => terminal.press('C-c'), 'ended 0'],
    ['SIGTERM', () => process.kill(terminal.child, 'SIGTERM'), 'ended 0'],
    ['SIGHUP', () => process.kill(terminal.child, 'SIGHUP'), 'ended 0'],
    ['a crash', () => process.kill(terminal.child, 'SIGSEGV'), 'ended 139'],
    ['an assertion', () => process.kill(terminal.child, 'SIGABRT'), 'ended 134'],
  ] as const) {
    it(`restores the terminal after ${how}`, async () => {
      await watch();
      end();
      await ended(said);
    });
  }

  it('stops and goes on as a job of the shell', async () => {
    await watch();
    for (const stop of [() => terminal.press('C-z'), () => process.kill(terminal.child, 'SIGTSTP')]) {
      stop();
      await terminal.shows('Stopped');
      assert.deepEqual(terminal.modes, { alternate: false, cursor: true, wraps: true });
      terminal.type('clear; fg');
      await terminal.shows('Staged changes');
      assert.deepEqual(terminal.modes, { alternate: true, cursor: false, wraps: false });
    }
    // Without a chance to restore anything.
    process.kill(terminal.child, 'SIGSTOP');
    await terminal.shows('Stopped');
    terminal.type('clear; stty sane; fg');
    await terminal.until((screen) => screen.startsWith('main\n') && !screen.includes('fg'));
    terminal.press('q');
    await terminal.until(() => !terminal.modes.alternate);
    assert.deepEqual(terminal.modes, { alternate: false, cursor: true, wraps: true });
  });

  it('keeps to any size, and scrolls', async () => {
    for (let i = 10; i < 90; ++i) repo.write(`directory/with a long name/u${i}`, '');
    await watch(100, 30);
    await terminal.shows('… and ');
    terminal.resize(20, 5);
    const narrow = 'main\n1 staged, 1 changed…\n';
    await terminal.shows(`${narrow}Staged changes (1)\n  M  a\n… and 81 more\n`);
    terminal.press('End');
    await terminal.shows(`${narrow}… 80 above\n  ?  … long name/u88\n  ?  … long name/u89\n`);
    terminal.press('Up');
    await terminal.shows(`${narrow}… 79 above\n  ?  … long name/u87\n… and 2 more\n`);
    terminal.press('PageUp', 'Home', 'Down');
    await terminal.shows(`${narrow}… 1 above\nChanges (1)\n… and 81 more\n`);
    terminal.press('PageDown');
    await terminal.shows(`${narrow}… 1 above\n  M  b\n… and 80 more\n`);
    terminal.resize(1, 1);
    await terminal.until((screen) => screen === '…\n');
    terminal.resize(100, 30);
    await terminal.shows('q: quit, arrows and PgUp/PgDn: scroll');
  });

  it('shows any name, and none breaks the screen', async () => {
    const escapes = '\x1b[2J\x1b]0;x\x07';
    for (const name of [escapes, 'line\nfeed', '\xff', '\xc2\x9bJ']) repo.write(name, '');
    repo.write(Buffer.from('漢字ファイル').toString('latin1'), '');
    await watch(40, 24);
    const shown = await terminal.shows('漢字ファイル');
    assert.match(shown, /\nUntracked files \(5\)\n/);
    for (const quoted of [
      '"\\033[2J\\033]0;x\\a"',
      '"line\\nfeed"',
      '"\\302\\233J"',
      '"\\377"',
      '漢字ファイル',
    ]) {
      assert.ok(shown.includes(`\n  ?  ${quoted}\n`), `${quoted}\n${shown}`);
    }
    terminal.resize(12, 24);
    await terminal.shows('\n  ?  …ァイル\n');
  });

  it("has the colours of the user's config, or none", async () => {
    repo.git('config', 'color.status.added', 'magenta');
    await watch();
    const colored = terminal.screen({ colors: true });
    assert.match(colored, /\x1b\[35mM/);
    assert.match(colored, /\x1b\[31mM/);
    for (const without of [() => (env.NO_COLOR = '1'), () => repo.git('config', 'color.ui', 'never')]) {
      terminal.end();
      without();
      await watch();
      assert.ok(!terminal.screen({ colors: true }).includes('\x1b'), terminal.screen({ colors: true }));
      delete env.NO_COLOR;
    }
  });

  it('writes what changed alone', async () => {
    for (let i = 10; i < 50; ++i) repo.write(`u${i} ${'long '.repeat(12)}`, '');
    await watch(80, 24);
    repo.write('v', '');
    await terminal.shows('Last changes');
    const record = sandbox.path('record');
    terminal.record(record);
    repo.write('w', '');
    await terminal.shows('Untracked files (42)');
    await terminal.until(() => (statSync(record, { throwIfNoEntry: false })?.size ?? 0) > 0);
    const written = statSync(record).size;
    assert.ok(written < terminal.screen().length, `${written} bytes`);
  });

  it('does not wait for a terminal that takes nothing', async () => {
    await watch();
    terminal.press('C-s');
    for (let i = 0; i < 20; ++i) repo.write(`u${i}`, '');
    const told = run(residentBinary(), ['status', '--source=resident', '--porcelain'], {
      cwd: repo.root,
      env,
    });
    assert.equal(told.code, 0, String(told.stderr));
    assert.match(String(told.stdout), /\?\? u19\n/);
    process.kill(terminal.child, 'SIGTERM');
    await ended('ended 0');
  });

  it('is lines in a dumb terminal', async () => {
    env.TERM = 'dumb';
    terminal = new Terminal(sandbox.root, repo.root, env, { columns: 80, rows: 24 });
    await terminal.shows('$');
    terminal.type(`clear; TERM=dumb '${residentBinary()}' watch`);
    assert.match(await terminal.shows(' M b'), /\n\d\d:\d\d:\d\d {2}M b\n/);
    assert.equal(terminal.modes.alternate, false);
  });
});
