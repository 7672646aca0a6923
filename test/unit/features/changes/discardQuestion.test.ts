import { strict as assert } from 'node:assert';
import { discardQuestion } from '../../../../extension/features/changes/discardQuestion';
import { Chosen } from '../../../../extension/features/changes/plan';
import type { GroupId } from '../../../../extension/model/status';

const rows = (group: GroupId, ...paths: string[]): Chosen[] => paths.map((path) => ({ path, group }));
const kLost = 'You cannot undo this. Your changes will be lost.';

describe('discardQuestion', () => {
  const ask = (chosen: Chosen[], { deleted = [] as string[], canTrash = false } = {}) =>
    discardQuestion(chosen, (path) => deleted.includes(path), canTrash);

  it('names the one file that would be lost', () => {
    assert.deepEqual(ask(rows('workingTree', 'src/a')), {
      message: "Are you sure you want to discard changes in 'a'?",
      detail: kLost,
      buttons: [{ label: 'Discard File', chosen: rows('workingTree', 'src/a') }],
    });
    assert.deepEqual(ask(rows('untracked', 'src/a\n')), {
      message:
        "Are you sure you want to delete the untracked file 'a\\n'?\n\nYou cannot undo this. The file will be lost.",
      buttons: [{ label: 'Delete File', chosen: rows('untracked', 'src/a\n') }],
    });
  });

  it('says of deleted files that they come back', () => {
    const one = ask(rows('workingTree', 'a'), { deleted: ['a'] });
    assert.deepEqual([one?.message, one?.detail], ["Are you sure you want to restore 'a'?", undefined]);
    const some = ask(rows('workingTree', 'a', 'b'), { deleted: ['a'] });
    assert.equal(some?.detail, kLost, 'b is lost');
  });

  it('says of untracked files that they can be restored from the trash', () => {
    const question = ask(rows('untracked', 'a', 'b'), { canTrash: true });
    assert.equal(question?.detail, 'You can restore these files from the Trash.');
    assert.deepEqual(
      question.buttons.map(({ label }) => label),
      ['Move to Trash'],
    );
  });

  it('lets untracked files be spared', () => {
    const chosen = [...rows('untracked', 'new'), ...rows('workingTree', 'a', 'b')];
    const question = ask(chosen);
    assert.deepEqual(question?.buttons, [
      { label: 'Discard All 2 Tracked Files', chosen: rows('workingTree', 'a', 'b') },
      {
        label: 'Discard All 3 Files',
        chosen: [...rows('workingTree', 'a', 'b'), ...rows('untracked', 'new')],
      },
    ]);
  });

  it('has nothing to ask about rows of other groups', () => {
    assert.equal(ask([...rows('index', 'a'), ...rows('merge', 'b')]), undefined);
  });
});
