/** The folder that a row of the tree view stands for, of the rows below it. */
import { strict as assert } from 'node:assert';
import { foldersOfRow } from '../../../extension/model/folderRow';

describe('foldersOfRow', () => {
  it('is the deepest folder of all where folders are compact', () => {
    for (const [paths, folder] of [
      [['src/a', 'src/b'], 'src'],
      [['src/deep/a'], 'src/deep'],
      [['src/deep/a', 'src/other/b', 'src/c'], 'src'],
      [['src/deep/a', 'src/deeper/b'], 'src'],
      [['src/deep', 'src/deep/a'], 'src'],
    ] as const) {
      assert.deepEqual(foldersOfRow(paths, true), [folder], paths.join());
    }
  });

  it('may be any folder around it where they are not, the deepest first', () => {
    assert.deepEqual(foldersOfRow(['a/b/c/x', 'a/b/c/d/y'], false), ['a/b/c', 'a/b', 'a']);
    assert.deepEqual(foldersOfRow(['a/x'], false), ['a']);
  });

  it('takes a repository within for what stands in the folder, and any name', () => {
    assert.deepEqual(foldersOfRow(['src/nested/'], true), ['src']);
    assert.deepEqual(foldersOfRow(['a b\n/\udcff/x', 'a b\n/\udcff/y'], true), ['a b\n/\udcff']);
  });

  it('is none where the paths share no folder', () => {
    for (const paths of [[], ['x'], ['a/x', 'b/y'], ['a/x', 'x'], ['nested/']]) {
      assert.deepEqual(foldersOfRow(paths, false), [], paths.join());
    }
  });
});
