import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import ts from 'typescript';
import {
  anchorsOf,
  deadLinks,
  helpBlocks,
  messagesOf,
  proseOf,
  relativeLinks,
  sentenceProblems,
  sentences,
  titleProblems,
} from './check-texts.mjs';

const some = (count, word = 'word') => Array.from({ length: count }, () => word).join(' ');

describe('check-texts', () => {
  it('counts the words of each sentence', () => {
    assert.deepEqual(sentenceProblems(`${some(20)}. ${some(20)}\n${some(20)}`), []);
    assert.match(sentenceProblems(`Short. ${some(21)}.`).join(), /^21 words in a sentence, at most 20: word/);
    assert.deepEqual(sentenceProblems(`${some(18)} \`git status --porcelain\` **now** | -.`), []);
  });

  it('ends a sentence where it ends', () => {
    const text = 'It takes 0.11 s (see "x.y."). Is it? [Open It](command:a.b)\n$(sync) Fetch... e.g. a tag';
    const expected = ['It takes 0.11 s (see "x.y.").', 'Is it?', 'Open It', 'Fetch...', 'e.g a tag'];
    assert.deepEqual(sentences(text), expected);
  });

  it('finds openings that have no subject', () => {
    for (const word of ['What', 'Of', 'Where', 'As', 'Who', 'Those', 'So', 'That', 'Than'])
      assert.deepEqual(sentenceProblems(`Yes. "${word} it is"`), [`opens with "${word}": "${word} it is"`]);
    assert.deepEqual(sentenceProblems('Where to put it?'), []);
    assert.deepEqual(sentenceProblems('What goes where? Ask.'), []);
    assert.deepEqual(sentenceProblems('what {0} says'), []);
    assert.equal(sentenceProblems('what it says', { isLower: true }).length, 1);
  });

  it('lets a noun phrase describe a setting', () => {
    const setting = { isSetting: true };
    assert.deepEqual(sentenceProblems('What to do when a branch is protected.', setting), []);
    assert.equal(sentenceProblems('Sets a limit. What is over it fails.', setting).length, 1);
    assert.equal(sentenceProblems('Where untracked files are.', setting).length, 1);
  });

  it('finds titles that are not in Title Case', () => {
    const good = 'Add to .gitignore|Verify Against git status|Pull from...|Push to... (Force)|Pull, Push';
    for (const title of good.split('|')) assert.deepEqual(titleProblems(title), []);
    assert.deepEqual(titleProblems('Add to .git/info/exclude'), []);
    for (const title of [
      'Show log',
      'from Here',
      'Commit (amend)',
      'Why is This Here?',
      'Show git Log status',
    ])
      assert.deepEqual(titleProblems(title), [`not in Title Case: ${title}`]);
  });

  it('knows the blocks of a page', () => {
    const page =
      '# A title\nA line\nand more.\n\n- one\n  on\n- two\n\n```\ncode\n```\n| a | `b` |\n| --- | --- |\n<img alt="x">\nEnd';
    assert.deepEqual(proseOf(page), ['A title', 'A line and more.', 'one on', 'two', 'a', '`b`', 'End']);
  });

  it('names anchors by the headings, as GitHub does', () => {
    const page = '# The `git` page, once\n## Limits\n## Limits\n```\n# code\n```\n### [A link](b.md): it?';
    assert.deepEqual([...anchorsOf(page)], ['the-git-page-once', 'limits', 'limits-1', 'a-link-it']);
  });

  it('finds links that lead nowhere', () => {
    const root = fs.mkdtempSync(path.join(os.tmpdir(), 'texts-'));
    try {
      fs.mkdirSync(path.join(root, 'docs'));
      fs.writeFileSync(path.join(root, 'docs/b.md'), '# There\n[up](../a.md) [gone](../c.md)\n');
      const links = '[b](docs/b.md#there) [c](docs/b.md#gone) ![p](p.png) [w](https://a.b/c) [self](#a)';
      fs.writeFileSync(path.join(root, 'a.md'), `# A\n${links} <img src="q.png"> \`[x](y)\`\n`);
      assert.deepEqual(deadLinks(root, 'a.md'), ['docs/b.md#gone', 'p.png', 'q.png']);
      assert.deepEqual(deadLinks(root, 'docs/b.md'), ['../c.md']);
      assert.deepEqual(relativeLinks('[w](command:a) [m](mailto:a@b.c)'), []);
    } finally {
      fs.rmSync(root, { recursive: true });
    }
  });

  it('reads the help of a program', () => {
    const source = String.raw`#include "a.h"
      "usage: x <y>\n\n   status [--all] [<path>...]\n              prints the status\n"
      "              of \"all\"\n   version    the version\n   help       this text\n"`;
    assert.deepEqual(helpBlocks(source), ['prints the status of "all"', 'the version', 'this text']);
  });

  it('reads the messages of the extension', () => {
    const source = `
      t('One {0}', x); template('Two ' + 'three'); vscode.l10n.t(\`Four\`); other('Five');
      const item = { label: 'a', detail: t('Six') };
      const options = { modal: true, detail: t('Seven') };`;
    const { messages, details } = messagesOf(ts, 'a.ts', source);
    const texts = messages.map(({ text }) => text);
    assert.deepEqual(texts, ['One {0}', 'Two three', 'Four', 'Six', 'Seven']);
    assert.deepEqual(details, [{ where: 'a.ts:3', text: 'Six' }]);
  });
});
