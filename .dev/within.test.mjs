import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { inRoot } from './shell.mjs';

/** What a process says that runs `command` within `ms`: its code as the last line of standard output, and stderr. */
async function runWithin(ms, command) {
  const script = `
    import { runWithin } from ${JSON.stringify(inRoot('.dev', 'within.mjs'))};
    console.log(await runWithin(${ms}, 'sh', ['-c', ${JSON.stringify(command)}]));`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script]);
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) child[name].on('data', (bytes) => (said[name] += bytes));
  // Not before all that it started has closed these too.
  await new Promise((resolve) => child.once('close', resolve));
  return said;
}

describe('within', () => {
  it('resolves with the exit code', async () => {
    assert.deepEqual(await runWithin(60_000, 'echo said; exit 3'), { stdout: 'said\n3\n', stderr: '' });
  });

  it('names and ends what does not end, and what that started', async () => {
    const { stdout, stderr } = await runWithin(2000, 'sleep 1234 & sleep 4321');
    assert.equal(stdout, 'null\n');
    assert.match(stderr, /^error: timeout after 2 s:$/m);
    for (const words of ['sh -c ', 'sleep 1234', 'sleep 4321'])
      assert.match(stderr, new RegExp(`^ {2}\\d+ ${words}`, 'm'));
  });
});
