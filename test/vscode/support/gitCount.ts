/** How many gits the spy of a sandbox has seen, once no more come. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Sandbox } from '../../support/sandbox';
import { poll } from './poll';

/** Beyond this nothing comes any more of what was asked for. */
const kQuietMs = 3_000;

export class GitCount {
  constructor(private readonly sandbox: Sandbox) {}

  /** Waits until none was started for a while. Returns how many were. */
  async atRest(): Promise<number> {
    let seen = this.now;
    let since = Date.now();
    await poll(
      () => {
        const { now } = this;
        if (now !== seen) [seen, since] = [now, Date.now()];
        assert.ok(Date.now() - since >= kQuietMs, 'gits are being started');
      },
      { what: 'git rests' },
    );
    return seen;
  }

  private get now(): number {
    return readFileSync(this.sandbox.spyLog, 'latin1').split('\n').length - 1;
  }
}
