import assert from 'node:assert/strict';
import { Places } from '../../../../extension/features/refs/Places';

const letters = (text: string) => Array.from(text);

describe('Places', () => {
  it('leaves in its place what is found again, and what was found the time before', () => {
    const places = new Places(letters('ab'));
    assert.deepEqual(places.show(letters('acde')), letters('cde'));
    assert.deepEqual(places.show(letters('ebf')), letters('cdef'));
    assert.deepEqual(places.show(letters('gh')), letters('ghef'));
    assert.deepEqual(places.show([]), letters('ghef'));
    assert.deepEqual(places.show(letters('xyz')), letters('xyzf'));
  });

  it('has never more of them than two lists need', () => {
    const places = new Places<number>([]);
    for (let list = 0; list < 100; list++) {
      const shown = places.show(Array.from({ length: 10 }, (_, i) => list * 7 + i));
      assert.ok(shown.length <= 20, String(shown.length));
      for (let i = 0; i < 10; i++) assert.equal(shown.filter((one) => one === list * 7 + i).length, 1);
    }
  });
});
