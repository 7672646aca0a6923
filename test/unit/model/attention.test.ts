import assert from 'node:assert/strict';
import { attentionOf } from '../../../extension/model/attention';

describe('attentionOf', () => {
  it('tells each worktree its own files, those of an inner one to that alone', () => {
    const open = ['/w/a', '/w/sub/b', '/elsewhere/c', '/w/d/e', '/w/a', '/other/f'];
    assert.deepEqual(attentionOf(['/w', '/w/sub', '/other', '/none'], { focused: true, open }), [
      { root: '/w', seen: true, open: ['a', 'd/e'] },
      { root: '/w/sub', seen: true, open: ['b'] },
      { root: '/other', seen: true, open: ['f'] },
      { root: '/none', seen: true, open: [] },
    ]);
  });

  it('tells no more than the first of many, and that nobody looks', () => {
    const open = Array.from({ length: 100 }, (_, i) => `/w/${i}`);
    const [told] = attentionOf(['/w'], { focused: false, open });
    assert.equal(told?.seen, false);
    assert.deepEqual(
      told.open,
      Array.from({ length: 32 }, (_, i) => `${i}`),
    );
  });
});
