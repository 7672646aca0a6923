import { strict as assert } from 'node:assert';
import { type Saveable, saveDocuments } from '../../../extension/commands/saveDocuments';

/** `outcomes`: for each save, its return value and whether the document stays dirty. */
class FakeDocument implements Saveable {
  isDirty = true;
  saves = 0;

  constructor(private readonly outcomes: { said: boolean; dirty: boolean }[]) {}

  save(): Promise<boolean> {
    const { said, dirty } = this.outcomes[this.saves++] ?? { said: false, dirty: true };
    this.isDirty = dirty;
    return Promise.resolve(said);
  }
}

describe('saving documents', () => {
  it('saves each, once', async () => {
    const documents = [1, 2].map(() => new FakeDocument([{ said: true, dirty: false }]));
    assert.equal(await saveDocuments(documents), true);
    assert.deepEqual(
      documents.map(({ saves }) => saves),
      [1, 1],
    );
  });

  it('takes one for saved that its editor saves by itself', async () => {
    assert.equal(await saveDocuments([new FakeDocument([{ said: false, dirty: false }])]), true);
  });

  it('asks once more where the editor was in the middle of it', async () => {
    const document = new FakeDocument([
      { said: false, dirty: true },
      { said: true, dirty: false },
    ]);
    assert.equal(await saveDocuments([document]), true);
  });

  it('ends at one that cannot be saved', async () => {
    const refused = new FakeDocument([]);
    const next = new FakeDocument([{ said: true, dirty: false }]);
    assert.equal(await saveDocuments([refused, next]), false);
    assert.deepEqual([refused.saves, next.saves], [2, 0]);
  });
});
