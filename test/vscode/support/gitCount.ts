/** Counts the gits that a sandbox's spy has logged, after all have started. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Sandbox } from '../../support/sandbox';
import { poll } from './poll';

/** After this time without a new git, no more gits of the action are expected. */
const kQuietMs = 3_000;

export class GitCount {
  constructor(private readonly sandbox: Sandbox) {}

  /** Waits until no git has started for kQuietMs. Returns the total number. */
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
