import { strict as assert } from 'node:assert';
import { Prng } from './prng';

describe('Prng', () => {
  const draw = (prng: Prng): number[] => Array.from({ length: 50 }, () => prng.below(1000));

  it('gives the same numbers for the same seed and stream, and others for others', () => {
    assert.deepEqual(draw(new Prng(7, 3)), draw(new Prng(7, 3)));
    assert.notDeepEqual(draw(new Prng(7, 3)), draw(new Prng(7, 4)));
    assert.notDeepEqual(draw(new Prng(7, 3)), draw(new Prng(8, 3)));
  });

  it('reaches every value', () => {
    const prng = new Prng(1);
    assert.equal(new Set(Array.from({ length: 500 }, () => prng.below(10))).size, 10);
  });

  it('samples different elements in order', () => {
    const prng = new Prng(5);
    for (let i = 0; i < 50; i++) {
      const sample = prng.sample([1, 2, 3, 4, 5], 3);
      assert.equal(sample.length, 3);
      assert.deepEqual(sample, [...new Set(sample)].sort());
    }
    assert.deepEqual(prng.sample([1, 2], 9), [1, 2]);
  });

  it('follows weights', () => {
    const prng = new Prng(9);
    const list = [
      { weight: 1, name: 'rare' },
      { weight: 0, name: 'never' },
      { weight: 9, name: 'often' },
    ];
    const drawn = Array.from({ length: 1000 }, () => prng.weighted(list).name);
    const often = drawn.filter((name) => name === 'often').length;
    assert.ok(often > 800 && often < 980, String(often));
    assert.ok(!drawn.includes('never'));
  });
});
