import assert from 'node:assert/strict';
import { attentionOf } from '../../../extension/model/attention';

describe('attentionOf', () => {
  it('tells each worktree its own files, those of an inner one to that alone', () => {
    const open = ['/w/a', '/w/sub/b', '/elsewhere/c', '/w/d/e', '/w/a', '/other/f'];
    const roots = ['/w', '/w/sub', '/other', '/none'];
    assert.deepEqual(
      [...attentionOf(roots, { focused: true, open })],
      [
        ['/w', { visible: true, openFiles: ['a', 'd/e'] }],
        ['/w/sub', { visible: true, openFiles: ['b'] }],
        ['/other', { visible: true, openFiles: ['f'] }],
        ['/none', { visible: true, openFiles: [] }],
      ],
    );
  });

  it('tells no more than the first of many, and that nobody looks', () => {
    const open = Array.from({ length: 100 }, (_, i) => `/w/${i}`);
    const told = attentionOf(['/w'], { focused: false, open }).get('/w');
    assert.equal(told?.visible, false);
    assert.deepEqual(
      told.openFiles,
      Array.from({ length: 32 }, (_, i) => `${i}`),
    );
  });
});
