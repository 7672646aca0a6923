/** The text about a commit. */
import { strict as assert } from 'node:assert';
import { blameText, dateText, plain, withoutIcons } from '../../../../extension/features/blame/template';

const kNow = 1_700_000_000;
const kCommit = {
  hash: '0123456789abcdef0123456789abcdef01234567',
  authorName: 'Ada Author',
  authorEmail: 'ada@example.com',
  authorDate: kNow - 3 * 24 * 3600,
  subject: 'Fix the door',
};
const text = (template: string, commit = {}, limit = 100) =>
  blameText({ ...kCommit, ...commit }, { template, limit, language: 'en', now: kNow });

describe('the text of blame', () => {
  it('has every variable of the built-in', () => {
    assert.equal(text('${authorName}, ${authorDateAgo}'), 'Ada Author, 3 days ago');
    assert.equal(
      text('${subject}, ${authorName} (${authorDateAgo})'),
      'Fix the door, Ada Author (3 days ago)',
    );
    assert.equal(text('${hashShort} ${hash}'), `0123456 ${kCommit.hash}`);
    assert.equal(text('<${authorEmail}>'), '<ada@example.com>');
    assert.equal(text('${authorDate}'), dateText(kCommit.authorDate, 'en'));
    assert.match(text('${authorDate}'), /^Nov 1[01], 2023, /);
  });

  it('leaves what is no variable', () => {
    assert.equal(text('${nobody} $x ${} ${toString} $(sync)'), '${nobody} $x ${} ${toString} $(sync)');
    assert.equal(text(''), '');
  });

  it('does not expand the values again', () => {
    assert.equal(text('${subject}', { subject: '${hash} $& $1' }), '${hash} $& $1');
  });

  it('shortens the subject first, then the name, and keeps the age', () => {
    const long = { authorName: 'Wolfeschlegelsteinhausenbergerdorff the Elder', subject: 'x'.repeat(80) };
    assert.equal(text('${subject}', long), `${'x'.repeat(49)}…`);
    assert.equal(
      text('${authorName}, ${authorDateAgo}', long, 40),
      'Wolfeschlegelsteinhausenber…, 3 days ago',
    );
    assert.equal(text('${subject}, ${authorName}', long, 40), 'xxxxxxx…, Wolfeschlegelsteinhausenberge…');
    for (const limit of [1, 10, 39, 40])
      for (const template of ['${hash}', '${subject} ${authorName} ${authorDateAgo}', '${authorEmail}'])
        assert.ok(text(template, long, limit).length <= limit);
  });

  it('counts characters as a reader sees them', () => {
    const name = '👩‍👩‍👧'.repeat(10);
    assert.equal(text('${authorName}', { authorName: name }, 10), name);
    assert.equal(text('${authorName}', { authorName: name }, 9), `${'👩‍👩‍👧'.repeat(8)}…`);
  });

  it('is one line without controls, whatever the commit says', () => {
    assert.equal(
      text('${authorName}\n${subject}', { authorName: 'a\r\nb\u0000', subject: '\u202ec\td' }),
      'a b c d',
    );
    assert.equal(plain('\u2028 x \u2029'), 'x');
    assert.equal(withoutIcons('$(bell) $( $(sync~spin) $(x y)'), '\\$(bell) $( \\$(sync~spin) $(x y)');
  });

  it('has an age and a date for every number', () => {
    assert.equal(dateText(1e300, 'en'), '');
    assert.equal(text('${authorDateAgo}', { authorDate: kNow + 100 }), '0 seconds ago');
    assert.equal(text('${authorDateAgo}', { authorDate: 0 }), '53 years ago');
  });
});
