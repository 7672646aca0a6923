import { strict as assert } from 'node:assert';
import { mock } from 'node:test';
import { LostRedraws } from '../../../extension/scm/LostRedraws';

describe('LostRedraws', () => {
  let redraws: LostRedraws;
  const drawn: string[] = [];
  const repositoryOf = (name: string) => ({ redraw: () => void drawn.push(name) });
  const a = repositoryOf('a');
  const b = repositoryOf('b');
  const c = repositoryOf('c');

  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout', 'Date'] });
    redraws = new LostRedraws();
    drawn.length = 0;
  });
  afterEach(() => {
    redraws.dispose();
    mock.timers.reset();
  });

  it('draws one that changes alone once, when it rests', () => {
    redraws.note(a);
    mock.timers.tick(300);
    redraws.note(a);
    mock.timers.tick(100);
    assert.deepEqual(drawn, []);
    mock.timers.tick(10_000);
    assert.deepEqual(drawn, ['a']);
    redraws.note(b);
    mock.timers.tick(10_000);
    assert.deepEqual(drawn, ['a', 'b']);
  });

  it('draws one that goes on changing now and then, and once more when it rests', () => {
    for (let i = 0; i < 40; i++) {
      redraws.note(a);
      mock.timers.tick(100);
    }
    assert.ok(drawn.length >= 2 && drawn.length <= 4, `${drawn.length} in 4 s`);
    const before = drawn.length;
    mock.timers.tick(10_000);
    assert.equal(drawn.length, before + 1);
  });

  it('draws each of several twice, one at a time', () => {
    for (const repository of [a, b, c, a]) redraws.note(repository);
    for (let i = 0; i < 3; i++) mock.timers.tick(400);
    assert.deepEqual(drawn.sort(), ['a', 'b', 'c']);
    mock.timers.tick(2_000);
    assert.equal(drawn.length, 3);
    for (let i = 0; i < 20; i++) {
      const before = drawn.length;
      mock.timers.tick(400);
      assert.ok(drawn.length <= before + 1);
    }
    assert.deepEqual(drawn.sort(), ['a', 'a', 'b', 'b', 'c', 'c']);
  });

  it('draws one that rests while another goes on changing', () => {
    redraws.note(a);
    for (let i = 0; i < 30; i++) {
      redraws.note(b);
      mock.timers.tick(100);
    }
    assert.equal(drawn.filter((name) => name === 'a').length, 1);
  });

  it('draws nothing that is gone', () => {
    redraws.note(a);
    redraws.note(b);
    redraws.forget(a);
    for (let i = 0; i < 30; i++) mock.timers.tick(400);
    assert.deepEqual(drawn, ['b', 'b']);
  });
});
