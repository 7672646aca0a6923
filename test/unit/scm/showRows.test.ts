import assert from 'node:assert/strict';
import { showRows } from '../../../extension/scm/showRows';

/** Tells what it is given, in order. */
class FakeGroup {
  readonly given: string[] = [];
  private name = 'Changes';

  get label(): string {
    return this.name;
  }
  set label(label: string) {
    this.name = label;
    this.given.push(label);
  }
  get resourceStates(): string[] {
    return [];
  }
  set resourceStates(rows: string[]) {
    this.given.push(rows.join(' '));
  }
}

describe('rows of a group that are shown', () => {
  it('come with a name only where that is another one', () => {
    const group = new FakeGroup();
    showRows(group, 'Changes', ['a']);
    showRows(group, 'Changes (1 of 2)', ['a']);
    showRows(group, 'Changes (1 of 2)', ['b']);
    assert.deepEqual(group.given, ['a', 'a', 'Changes (1 of 2)', 'b']);
  });
});
