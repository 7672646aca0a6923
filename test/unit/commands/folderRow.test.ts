/** The folder of a row in the tree view, computed from the rows below it. */
import { strict as assert } from 'node:assert';
import { foldersOfRow as foldersAmong } from '../../../extension/commands/folderRow';

/** Assumes a view without other rows. */
const foldersOfRow = (paths: readonly string[], isCompact: boolean) =>
  foldersAmong(paths, isCompact, () => paths.length);

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

  it('is no folder that has other rows too, which means that several are selected', () => {
    const shown = ['src/a/x', 'src/b/y', 'src/c/z'];
    const rowsBelow = (folder: string) => shown.filter((path) => path.startsWith(`${folder}/`)).length;
    assert.deepEqual(foldersAmong(['src/a/x', 'src/b/y'], true, rowsBelow), []);
    assert.deepEqual(foldersAmong(shown, true, rowsBelow), ['src']);
    assert.deepEqual(foldersAmong(['src/a/x'], false, rowsBelow), ['src/a']);
  });

  it('is none where the paths share no folder', () => {
    for (const paths of [[], ['x'], ['a/x', 'b/y'], ['a/x', 'x'], ['nested/']]) {
      assert.deepEqual(foldersOfRow(paths, false), [], paths.join());
    }
  });
});
