import assert from 'node:assert/strict';
import { commentsOf, faultsOf, sentencesOf } from './check-comments.mjs';

describe('check-comments', () => {
  const faults = (...lines) => faultsOf('a.cc', lines.join('\n'));
  const words = (count) => Array.from({ length: count }, () => 'word').join(' ');

  it('accepts a sentence with a subject', () => {
    assert.deepEqual(faults('// Returns the oldest entry. Thread: the owner.', 'int a;  // in bytes'), []);
  });

  it('finds a sentence that opens without a subject', () => {
    for (const opener of ['What', 'Of', 'Where', 'As', 'Who', 'Those', 'So', 'That', 'Than', 'Whoever']) {
      assert.equal(faults(`// A rule. ${opener} it holds.`).length, 1, opener);
    }
    assert.equal(faults('int a;  // of the output').length, 1);
    assert.equal(faults('/* What ships. */').length, 1);
    assert.equal(faults('/**', ' * What ships.', ' */').length, 1);
  });

  it('accepts a question and a word that only begins alike', () => {
    assert.deepEqual(faults('// Where does it lead?', '', '// Sources of the table. Offset in bytes.'), []);
  });

  it('finds a sentence over 25 words, across lines', () => {
    assert.deepEqual(faults(`// ${words(25)}.`), []);
    assert.equal(faults(`// ${words(20)}`, `// ${words(6)}.`).length, 1);
    assert.deepEqual(faults(`// ${words(20)}`, '//', `// ${words(6)}.`), []);
    assert.deepEqual(faults(`int a;  // ${words(20)}`, `int bb;  // ${words(6)}.`), []);
  });

  it('knows strings, templates and regular expressions', () => {
    const source = ["const a = '// What';", 'const b = `/* Of */`;', 'const c = /\\/\\/ Who/;', '// Fine.'];
    assert.deepEqual(
      commentsOf(source.join('\n')).map(({ line }) => line),
      [4],
    );
  });

  it('ends a sentence at a list item and at an example', () => {
    assert.deepEqual(sentencesOf([' First:', ' - one', ' - two', '', '     what is an example', ' Last.']), [
      'First:',
      'one',
      'two',
      'Last.',
    ]);
  });
});
