import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { inRoot } from './shell.mjs';

/** Runs mocha with one test, whose body is `body`. */
async function runTest(body, patience) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'reporter-'));
  const [test, counts] = [path.join(folder, 'one.test.mjs'), path.join(folder, 'counts')];
  fs.writeFileSync(test, `import { spawn } from 'node:child_process';\nit('one', () => { ${body} });\n`);
  const args = [
    '--reporter',
    inRoot('.dev', 'mocha-reporter.cjs'),
    '--reporter-option',
    `patience=${patience}`,
    test,
  ];
  const child = spawn(process.execPath, [inRoot('node_modules', 'mocha', 'bin', 'mocha.js'), ...args], {
    env: { ...process.env, RESIDENT_COUNTS: counts },
  });
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) child[name].on('data', (bytes) => (said[name] += bytes));
  // Waits until all its child processes have closed their pipes.
  const code = await new Promise((resolve) => child.once('close', resolve));
  const counted = JSON.parse(fs.readFileSync(counts, 'utf8'));
  fs.rmSync(folder, { recursive: true });
  return { code, ...said, counted };
}

describe('mocha-reporter', () => {
  it('leaves the counts', async () => {
    const { code, stderr, counted } = await runTest('', 60_000);
    assert.deepEqual(
      { code, stderr, counted },
      { code: 0, stderr: '', counted: { passed: 1, failed: 0, skipped: 0, lines: [] } },
    );
  });

  it('tells why a test failed', async () => {
    const { code, stdout, counted } = await runTest("throw new Error('the reason');", 60_000);
    assert.equal(code, 1);
    assert.match(stdout, /^ +Error: the reason$/m);
    assert.deepEqual(counted, { passed: 0, failed: 1, skipped: 0, lines: ['one: the reason'] });
  });

  it('names and ends what tests have left running', async () => {
    const { code, stderr, counted } = await runTest("spawn('sleep', ['1234'], { stdio: 'inherit' });", 200);
    assert.equal(code, 1);
    assert.match(stderr, /^error: all tests have ended, and something of theirs has not$/m);
    assert.match(stderr, /^ {2}\d+ sleep 1234$/m);
    assert.deepEqual(counted, { passed: 1, failed: 0, skipped: 0, lines: [] });
  });
});
