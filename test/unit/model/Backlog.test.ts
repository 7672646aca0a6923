import { strict as assert } from 'node:assert';
import { Backlog } from '../../../extension/model/Backlog';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('Backlog', () => {
  let slices: number[][];
  let done: number;
  let backlog: Backlog<number>;

  beforeEach(() => {
    slices = [];
    done = 0;
    backlog = new Backlog(
      100,
      (slice) => slices.push(slice),
      () => done++,
    );
  });

  const numbers = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

  it('does what fits a slice at once', () => {
    backlog.add([1, 2, 3]);
    assert.deepEqual(slices, [[1, 2, 3]]);
    assert.equal(done, 1);
    backlog.add([]);
    assert.equal(done, 1);
  });

  it('does the rest in slices, one a turn', async () => {
    backlog.add(numbers(250));
    for (let turns = 1; turns <= 3; turns++) {
      assert.equal(slices.length, turns);
      assert.equal(done, turns === 3 ? 1 : 0);
      await turn();
    }
    assert.deepEqual(slices.flat(), numbers(250));
    assert.deepEqual(
      slices.map(({ length }) => length),
      [100, 100, 50],
    );
  });

  it('does once what is added again while it waits', async () => {
    backlog.add(numbers(150));
    backlog.add([149, 0, 300]);
    assert.equal(slices.length, 1, 'what is added while something waits has to wait too');
    while (!backlog.isEmpty) await turn();
    assert.deepEqual(slices.flat(), [...numbers(150), 0, 300]);
    assert.equal(done, 1);
  });

  it('takes more from the work itself', async () => {
    const seen: number[] = [];
    const grow = (more: number[]): void => growing.add(more);
    const growing = new Backlog<number>(2, (slice) => {
      seen.push(...slice);
      grow(slice.filter((n) => n < 5).map((n) => n + 10));
    });
    growing.add([1, 2, 3]);
    while (!growing.isEmpty) await turn();
    assert.deepEqual(seen, [1, 2, 3, 11, 12, 13]);
  });

  it('does a set in slices too, and tells its end once', async () => {
    backlog.add(new Set(numbers(200)));
    assert.deepEqual(slices, [numbers(100)]);
    backlog.add(new Set([1000, 1001]));
    backlog.add([1000]);
    while (!backlog.isEmpty) await turn();
    assert.deepEqual(slices.flat(), [...numbers(200), 1000, 1001]);
    assert.equal(done, 1);
    backlog.add(new Set<number>());
    assert.equal(done, 1);
  });

  it('forgets what waits', async () => {
    backlog.add(numbers(250));
    backlog.clear();
    await turn();
    await turn();
    assert.equal(slices.length, 1);
    backlog.add([7]);
    assert.deepEqual(slices.at(-1), [7]);
  });
});
