import { strict as assert } from 'node:assert';
import { mock } from 'node:test';
import { LostRedraws } from '../../../extension/scm/LostRedraws';

describe('LostRedraws', () => {
  let redraws: LostRedraws;
  let hasStrangers: boolean;
  const drawn: string[] = [];
  const repositoryOf = (name: string) => ({ awaitsRedraw: false, redraw: () => void drawn.push(name) });
  const a = repositoryOf('a');
  const b = repositoryOf('b');
  const c = repositoryOf('c');

  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout', 'Date'] });
    hasStrangers = false;
    redraws = new LostRedraws(() => hasStrangers);
    drawn.length = 0;
  });
  afterEach(() => {
    redraws.dispose();
    mock.timers.reset();
  });
  const tick = (ms: number): void => {
    for (let gone = 0; gone < ms; gone += 100) mock.timers.tick(100);
  };

  it('leaves one that changes alone as it is, whatever changed long before', () => {
    for (let i = 0; i < 5; i++) {
      redraws.note(a);
      tick(1_000);
    }
    tick(4_000);
    redraws.note(b);
    tick(60_000);
    assert.deepEqual(drawn, []);
  });

  it('draws what waits for a redraw, when it rests', () => {
    const waiting = { awaitsRedraw: true, redraw: () => void drawn.push('waiting') };
    redraws.note(waiting);
    tick(300);
    redraws.note(waiting);
    tick(100);
    assert.deepEqual(drawn, []);
    tick(10_000);
    assert.deepEqual(drawn, ['waiting']);
  });

  it('draws one that changes beside strangers once, when it rests', () => {
    hasStrangers = true;
    redraws.note(a);
    tick(10_000);
    assert.deepEqual(drawn, ['a']);
    redraws.note(b);
    tick(10_000);
    assert.deepEqual(drawn, ['a', 'b']);
  });

  it('draws one that goes on changing now and then, and once more when it rests', () => {
    hasStrangers = true;
    for (let i = 0; i < 40; i++) {
      redraws.note(a);
      tick(100);
    }
    assert.ok(drawn.length >= 2 && drawn.length <= 4, `${drawn.length} in 4 s`);
    const before = drawn.length;
    tick(10_000);
    assert.equal(drawn.length, before + 1);
  });

  it('draws each of several twice, one at a time', () => {
    for (const repository of [a, b, c, a]) redraws.note(repository);
    tick(1_200);
    assert.deepEqual(drawn.sort(), ['a', 'b', 'c']);
    tick(2_000);
    assert.equal(drawn.length, 3);
    for (let i = 0; i < 20; i++) {
      const before = drawn.length;
      tick(400);
      assert.ok(drawn.length <= before + 1);
    }
    assert.deepEqual(drawn.sort(), ['a', 'a', 'b', 'b', 'c', 'c']);
  });

  it('draws more than it has time for, each of them twice', () => {
    const many = Array.from({ length: 50 }, (_, i) => repositoryOf(`${i}`));
    for (const repository of many) redraws.note(repository);
    tick(48_000);
    assert.equal(drawn.length, 100);
    assert.equal(new Set(drawn).size, 50);
  });

  it('draws one whose change may have been lost to a later one of another', () => {
    redraws.note(a);
    tick(3_000);
    assert.deepEqual(drawn, []);
    redraws.note(b);
    tick(8_000);
    assert.deepEqual(drawn.sort(), ['a', 'a', 'b', 'b']);
  });

  it('draws one that rests while another goes on changing', () => {
    redraws.note(a);
    for (let i = 0; i < 30; i++) {
      redraws.note(b);
      tick(100);
    }
    assert.equal(drawn.filter((name) => name === 'a').length, 1);
  });

  it('leaves one that changes alone again once the others had their rest', () => {
    redraws.note(a);
    redraws.note(b);
    tick(8_000);
    assert.equal(drawn.length, 4);
    for (let i = 0; i < 10; i++) {
      redraws.note(a);
      tick(1_000);
    }
    assert.equal(drawn.length, 4);
  });

  it('draws nothing that is gone', () => {
    redraws.note(a);
    redraws.note(b);
    redraws.forget(a);
    tick(12_000);
    assert.deepEqual(drawn, ['b', 'b']);
  });
});
