/** The parser of `git blame --incremental`, also with pieces of any size and with output that git never writes. */
import { strict as assert } from 'node:assert';
import { BlameRange, IncrementalParser } from '../../../../extension/features/blame/incremental';

const kFirst = 'a'.repeat(40);
const kSecond = 'b'.repeat(40);
const kOutput = `${kFirst} 3 5 2
author Ada Author
author-mail <ada@example.com>
author-time 1700000000
author-tz +0100
committer C
committer-mail <c@example.com>
committer-time 1700000001
committer-tz +0000
summary Fix: the door — at last
previous ${kSecond} old name
filename "new\\tname"
${kSecond} 1 1 4
author Bob
author-mail <>
author-time nonsense
summary
boundary
filename f
${kFirst} 9 7 1
filename f
`;

function parse(pieces: readonly Buffer[], mostLines = 100): BlameRange[] {
  const ranges: BlameRange[] = [];
  const parser = new IncrementalParser(mostLines, (range) => ranges.push(range));
  for (const piece of pieces) parser.push(piece);
  parser.end();
  return ranges;
}

describe('the output of git blame --incremental', () => {
  const ada = {
    hash: kFirst,
    authorName: 'Ada Author',
    authorEmail: 'ada@example.com',
    authorDate: 1_700_000_000,
    subject: 'Fix: the door — at last',
  };
  const bob = { hash: kSecond, authorName: 'Bob', authorEmail: '', authorDate: 0, subject: '' };
  const expected = [
    { start: 4, end: 6, commit: ada },
    { start: 0, end: 4, commit: bob },
    { start: 6, end: 7, commit: ada },
  ];

  it('is parsed, and a commit is described once', () => {
    const ranges = parse([Buffer.from(kOutput)]);
    assert.deepEqual(ranges, expected);
    assert.equal(ranges[0]?.commit, ranges[2]?.commit);
  });

  it('is parsed in pieces of any size', () => {
    const bytes = Buffer.from(kOutput);
    for (const size of [1, 2, 3, 7, 40, 41, 64]) {
      const pieces = [];
      for (let at = 0; at < bytes.length; at += size) pieces.push(bytes.subarray(at, at + size));
      assert.deepEqual(parse(pieces), expected, String(size));
    }
  });

  it('tells of each range as soon as its record is whole', () => {
    const ranges: BlameRange[] = [];
    const parser = new IncrementalParser(100, (range) => ranges.push(range));
    const end = kOutput.indexOf('filename') + 'filename "new\\tname"\n'.length;
    parser.push(Buffer.from(kOutput.slice(0, end - 1)));
    assert.equal(ranges.length, 0);
    parser.push(Buffer.from('\n'));
    assert.equal(ranges.length, 1);
  });

  it('is refused if it is cut off', () => {
    const lines = kOutput.split(/(?<=\n)/);
    const isWhole = (count: number) => [12, 19, lines.length].includes(count);
    for (let count = 1; count <= lines.length; count++) {
      const cut = () => parse([Buffer.from(lines.slice(0, count).join(''))]);
      if (isWhole(count)) cut();
      else assert.throws(cut, /unexpected output of git blame/, String(count));
    }
    assert.throws(() => parse([Buffer.from(kOutput.slice(0, -1))]), /unexpected/);
    assert.deepEqual(parse([]), []);
  });

  it('is refused if it is not that of git blame', () => {
    const bad = [
      'fatal: no such path\n',
      '\n',
      `${kFirst} 1 0 1\nfilename f\n`,
      `${kFirst} 1 1 0\nfilename f\n`,
      `${kFirst} 1 100 2\nfilename f\n`,
      `${kFirst} 1 99999999999999999999 1\nfilename f\n`,
      `${kFirst} 1 1 -1\nfilename f\n`,
      `${kFirst}0 1 1 1\nfilename f\n`,
      `${kFirst.toUpperCase()} 1 1 1\nfilename f\n`,
      `${kFirst} 1 1\nfilename f\n`,
      'x'.repeat((1 << 20) + 1),
    ];
    for (const output of bad)
      assert.throws(() => parse([Buffer.from(output)]), /unexpected/, output.slice(0, 60));
    assert.deepEqual(parse([Buffer.from(`${kFirst} 1 100 1\nfilename f\n`)])[0]?.start, 99);
  });

  it('may have ids of SHA-256, and bytes that are no text', () => {
    const hash = 'c'.repeat(64);
    const bytes = Buffer.from(`${hash} 1 1 1\nauthor \xff\xfe\nfilename f\n`, 'latin1');
    const [range] = parse([bytes]);
    assert.deepEqual([range?.commit.hash, range?.commit.authorName], [hash, '\ufffd\ufffd']);
  });
});
