/** The program's own messages: help, and unknown commands. */
import { strict as assert } from 'node:assert';
import { residentBinary } from '../../support/binary';
import { run } from '../../support/run';

describe('Commands', () => {
  const ask = (...args: string[]): { code: number; out: string; error: string } => {
    const { code, stdout, stderr } = run(residentBinary(), args, { cwd: '/', env: process.env });
    return { code, out: stdout.toString(), error: stderr.toString() };
  };

  it('tell how they are used', () => {
    const help = ask('help');
    assert.match(
      help.out,
      /^usage: git-resident <command> .*\n\n.*\n\n +status .*\n[^]* serve [^]* watch [^]* version /,
    );
    for (const args of [['--help'], ['-h'], ['serve', '--help'], ['watch', '-h'], ['version', '--help']]) {
      assert.deepEqual(ask(...args), { code: 0, out: help.out, error: '' }, args.join(' '));
    }
    assert.deepEqual(ask(), { code: 1, out: help.out, error: '' });
  });

  it('are those that help names', () => {
    const { code, out, error } = ask('stauts');
    assert.deepEqual([code, out], [1, '']);
    assert.match(error, /'stauts' is not a command/);
    assert.equal(ask('serve', '--sweep=never', '.').code, 129);
  });
});
