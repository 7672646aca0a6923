import { strict as assert } from 'node:assert';
import { DeltaPump } from '../../../extension/helper/DeltaPump';
import type { Delta } from '../../../extension/helper/native';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('DeltaPump', () => {
  let waiting: number[];
  let sent: number[];
  let acknowledge: (() => void)[];
  let pump: DeltaPump;

  beforeEach(() => {
    waiting = [];
    sent = [];
    acknowledge = [];
    pump = new DeltaPump(
      () => {
        const version = waiting.shift();
        return version === undefined ? undefined : ({ version } as Delta);
      },
      ({ version }) => {
        sent.push(version);
        return new Promise((resolve) => acknowledge.push(resolve));
      },
    );
  });

  async function settle(): Promise<void> {
    for (let i = 0; i < 20; ++i) await turn();
  }

  it('sends the first delta at once', () => {
    waiting.push(1);
    pump.wake();
    assert.deepEqual(sent, [1]);
  });

  it('takes one at a time, in order', async () => {
    waiting.push(1, 2, 3, 4, 5, 6, 7);
    pump.wake();
    await settle();
    assert.deepEqual(sent, [1]);
    pump.wake();
    await settle();
    assert.deepEqual(sent, [1]);
    acknowledge.shift()?.();
    await settle();
    assert.deepEqual(sent, [1, 2]);
    while (acknowledge.length > 0) {
      acknowledge.shift()?.();
      await settle();
    }
    assert.deepEqual(sent, [1, 2, 3, 4, 5, 6, 7]);
  });

  it('lets others have their turn between two deltas', async () => {
    waiting.push(1, 2);
    pump.wake();
    acknowledge.shift()?.();
    // Settled promises alone must not start the next send.
    for (let i = 0; i < 20; ++i) await Promise.resolve();
    assert.deepEqual(sent, [1]);
    await settle();
    assert.deepEqual(sent, [1, 2]);
  });

  it('goes on when it is woken again', async () => {
    waiting.push(1);
    pump.wake();
    acknowledge.shift()?.();
    await settle();
    waiting.push(2);
    pump.wake();
    pump.wake();
    assert.deepEqual(sent, [1, 2]);
  });

  it('sends nothing once it is stopped', async () => {
    waiting.push(1, 2);
    pump.wake();
    pump.stop();
    pump.wake();
    await settle();
    assert.deepEqual(sent, [1]);
  });
});
