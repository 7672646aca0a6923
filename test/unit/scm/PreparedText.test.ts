import assert from 'node:assert/strict';
import { PreparedText } from '../../../extension/scm/PreparedText';

describe('PreparedText', () => {
  let text: PreparedText;

  beforeEach(() => {
    text = new PreparedText();
  });

  it('is put where nothing is, changed with what is prepared, and taken back', () => {
    assert.equal(text.offer('merge', ''), 'merge');
    assert.equal(text.offer('merge', 'merge'), undefined);
    assert.equal(text.offer('squash', 'merge'), 'squash');
    assert.equal(text.offer('', 'squash'), '');
    assert.equal(text.offer('', ''), undefined);
  });

  it('leaves what a person wrote, or emptied', () => {
    assert.equal(text.offer('merge', 'mine'), undefined);
    assert.equal(text.offer('', 'mine'), undefined);
    assert.equal(text.offer('merge', ''), 'merge');
    assert.equal(text.offer('merge', ''), undefined);
    assert.equal(text.offer('', 'merge, and why'), undefined);
  });

  it('is taken back where the place said too late that it had come', () => {
    text.offer('merge', '');
    assert.equal(text.offer('', ''), '');
    assert.equal(text.offer('', 'merge'), '');
  });

  it('is put again where the place said too late that it was taken back', () => {
    text.offer('merge', '');
    text.offer('', 'merge');
    assert.equal(text.offer('merge', 'merge'), 'merge');
  });

  it('is left, once it is settled, to who writes it again', () => {
    text.offer('merge', '');
    text.offer('', 'merge');
    text.settle();
    assert.equal(text.offer('', 'merge'), undefined);
  });

  it('knows what nobody changed, also where the place says too late that there is another', () => {
    text.offer('one\n', '');
    assert.ok(text.isPut('one'));
    assert.ok(!text.isPut('one, and why'));
    text.offer('two', 'one\n');
    assert.ok(text.isPut('two') && text.isPut('one'));
    text.settle();
    assert.ok(text.isPut('two') && !text.isPut('one'));
  });
});
