/** No end of an environment or a Worktree crashes, hangs or leaks. */
import { strict as assert } from 'node:assert';
import { defaultConfiguration } from '../../extension/protocol';
import { type ProgramResult, runProgram } from './fakeAddon';

function assertClean(result: ProgramResult, stdout: string, code = 0): void {
  assert.deepEqual(result, { code, signal: null, stdout, stderr: '' });
}

/** Counts threads of this process, from inside. */
/** The worker pool stays while the addon is loaded. Extra workers for waiting ones end. */
const threadCount = `
  const threads = () => require('node:fs').readdirSync('/proc/self/task').length;
  const pool = require('node:os').availableParallelism();
  const onlyPool = async (idle) => {
    while (threads() > idle + pool) await sleep(5);
    return true;
  };`;

describe('addon: lifetimes', () => {
  it('does not keep the process alive with an open worktree', async () => {
    assertClean(await runProgram(`await open(); console.log('open');`), 'open');
  });

  it('keeps the process alive during a call', async () => {
    const program = `const w = await open(); w.rescan().then(({ filesSeen }) => console.log(filesSeen));`;
    assertClean(await runProgram(program), '1000');
  });

  it('ends with process.exit in the middle of an open, a scan and a burst of deltas', async () => {
    assertClean(await runProgram(`open(); process.exit(3);`), '', 3);
    const busy = `
      const w = await open('/fake', () => { while (w.takeDelta()); });
      await w.content('wait /nowhere/at/all', 'HEAD');
      const asked = [w.rescan(), w.content('many 200000\\nsend', 'HEAD')];
      await sleep(10);`;
    assertClean(await runProgram(`${busy} process.exit(4);`), '', 4);
  });

  it('ends with process.exit inside each listener', async () => {
    assertClean(await runProgram(`await open('/fake', () => process.exit(5)); await sleep(5000);`), '', 5);
    const inProgress = `const w = await open(); await w.rescan({ onProgress: () => process.exit(6) });`;
    assertClean(await runProgram(inProgress), '', 6);
  });

  it('answers what is asked while the process exits', async () => {
    const program = `
      const w = await open();
      process.on('exit', () => {
        console.log(w.takeDelta(), w.identity.root);
        for (const attempt of [() => w.replay(), () => w.metadataChanged(), () => w.configure(${JSON.stringify(defaultConfiguration)})]) {
          try { attempt(); } catch (error) { console.log(error.code); }
        }
        void w.close(); void open().catch(() => {}); void w.ignored([]).catch(() => {});
      });
      process.exit(0);`;
    assertClean(await runProgram(program), 'undefined /fake\nClosed\nClosed\nClosed');
  });

  it('ends with an uncaught exception in the middle of a scan', async () => {
    const result = await runProgram(`
      const w = await open(); void w.rescan(); await sleep(5);
      setImmediate(() => { throw new Error('on purpose'); });`);
    assert.equal(result.code, 1);
    assert.equal(result.signal, null);
    assert.match(result.stderr, /on purpose/);
  });

  it('needs no thread for each worktree', async () => {
    const program = `${threadCount}
      const idle = threads();
      const all = await Promise.all(Array.from({ length: 20 }, (_, i) => open('/fake' + i)));
      await Promise.all(all.map((w) => w.rescan()));
      console.log(await onlyPool(idle));
      await Promise.all(all.map((w) => w.close()));
      console.log(await onlyPool(idle));`;
    assertClean(await runProgram(program), 'true\ntrue');
  });

  it('closes a worktree that is garbage collected, although its listeners refer to it', async () => {
    const program = `${threadCount}
      const idle = threads();
      let collected = 0;
      const registry = new FinalizationRegistry(() => ++collected);
      await (async () => {
        for (let i = 0; i < 10; ++i) {
          const w = await open('/fake' + i, () => w.takeDelta(), () => w.close());
          registry.register(w, i);
        }
      })();
      for (let i = 0; i < 100 && collected < 10; ++i) { gc(); await sleep(10); }
      console.log(collected, await onlyPool(idle));`;
    assertClean(await runProgram(program), '10 true');
  });

  it('does not collect a worktree during a call', async () => {
    const program = `
      const started = (async () => { const w = await open(); return [w.rescan()]; })();
      const [rescan] = await started;
      for (let i = 0; i < 20; ++i) { gc(); await sleep(2); }
      console.log((await rescan).filesSeen);`;
    assertClean(await runProgram(program), '1000');
  });

  const worker = (code: string): string => `
    const { Worker } = require('node:worker_threads');
    const source = \`
      const { parentPort } = require('node:worker_threads');
      const addon = require(\${JSON.stringify(require.resolve ? addonPath : '')});
      const open = (onDeltas = () => {}) => addon.openWorktree('/fake', { trusted: true }, onDeltas, () => {});
      (async () => { ${code} })();\`;
    const start = () => new Worker(source, { eval: true });
    const ended = (w) => new Promise((resolve) => w.on('exit', resolve));`;
  const addonPath = `const addonPath = Object.keys(require.cache).find((path) => path.endsWith('.node'));`;

  it('works in several workers at once, beside the main thread', async () => {
    const program = `${addonPath} ${worker(`
      const w = await open(() => { while (w.takeDelta()); });
      await w.content('many 5000\\\\nsend', 'HEAD');
      parentPort.postMessage((await w.rescan()).filesSeen);
      await w.close();`)}
      const w = await open();
      const seen = [];
      const workers = [start(), start(), start()];
      for (const one of workers) one.on('message', (n) => seen.push(n));
      await Promise.all(workers.map(ended));
      console.log(seen.join(), (await w.rescan()).filesSeen);
      await w.close();`;
    assertClean(await runProgram(program), '1000,1000,1000 1000');
  });

  it('survives workers that are terminated, or exit, at any moment', async () => {
    const program = `${addonPath} ${threadCount} ${worker(`
      const w = await open(() => { while (w.takeDelta()); });
      await w.content('wait /nowhere/at/all', 'HEAD');
      void w.rescan({ onProgress: () => {} });
      parentPort.postMessage('busy');
      for (;;) await w.content('many 3000\\\\nsend', 'HEAD');`)}
      const first = start(); await ended(await (async () => { first.terminate(); return first; })());
      const idle = threads();
      for (let i = 0; i < 20; ++i) {
        const w = start();
        await new Promise((resolve) => w.once('message', resolve));
        await sleep(i % 5);
        await w.terminate();
      }
      for (let i = 0; i < 10; ++i) {
        const w = start();
        await sleep(i * 6);
        await w.terminate();
      }
      console.log(await onlyPool(idle));`;
    assertClean(await runProgram(program), 'true');
  });

  it('survives workers that are terminated while they open, ask and close', async () => {
    const program = `${addonPath} ${threadCount} ${worker(`
      parentPort.postMessage('busy');
      for (;;) {
        const w = await open(() => { while (w.takeDelta()); });
        void w.rescan({ onProgress: () => {}, signal: new AbortController().signal }).catch(() => {});
        await Promise.all([w.content('many 300\\\\nsend', 'HEAD'), w.ignored(['a', 'b']), w.status()]);
        w.replay(); w.metadataChanged();
        await addon.discover('/', 0);
        await w.close();
      }`)}
      const idle = threads();
      for (let i = 0; i < 60; ++i) {
        const w = start();
        await new Promise((resolve) => w.once('message', resolve));
        await sleep((i * 7) % 20);
        await w.terminate();
      }
      console.log(await onlyPool(idle));`;
    assertClean(await runProgram(program), 'true');
  });

  it('survives that JavaScript cannot be run any more, from any moment on', async () => {
    const program = `
      setTimeout(() => process.exit(9), 150);
      const abort = new AbortController();
      const w = await open('/fake', () => { while (w?.takeDelta()); });
      await Promise.all([
        w.content('? a\\nM. b\\nu 7 c\\nbranch main\\nsend', 'HEAD'), w.ignored(['a', 'b']), w.status(),
        w.rescan({ onProgress: () => abort.abort(), signal: abort.signal }).catch(() => {}),
        addon.discover('/', 0), w.content('fail x', 'HEAD'), w.ignored([]).catch(() => {}),
      ]);
      void w.identity; w.replay(); w.metadataChanged();
      await w.content('gone x', 'HEAD');
      await w.close(); await w.ignored([]).catch(() => {});
      process.exit(0);`;
    const outcome = async (after: number): Promise<ProgramResult> =>
      runProgram(program, { RESIDENT_NODE_API_FAILS_AFTER: String(after) });
    let reachedTheEnd = false;
    for (let after = 0; !reachedTheEnd; after += 4) {
      const moments = [after, after + 1, after + 2, after + 3];
      for (const result of await Promise.all(moments.map(outcome))) {
        assert.equal(result.signal, null, `after ${after} calls or a few more: ${result.stderr}`);
        if (result.code === 0) reachedTheEnd = true;
      }
    }
  });

  it('survives a worker that the process leaves behind', async () => {
    const program = `${addonPath} ${worker(`
      const w = await open(); void w.rescan(); parentPort.postMessage('busy');
      await w.content('many 200000\\\\nsend', 'HEAD');`)}
      const w = start();
      w.once('message', () => process.exit(7));`;
    assertClean(await runProgram(program), '', 7);
  });
});
