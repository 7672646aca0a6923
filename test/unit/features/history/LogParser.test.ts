/** The parser of git's log: any cut of the output, and hostile bytes. */
import { strict as assert } from 'node:assert';
import { LogParser } from '../../../../extension/features/history/LogParser';
import { HistoryCommit, Subject } from '../../../../extension/features/history/plan';

const kMark = 'f00d'.repeat(8);
const kOids = ['a', 'b', 'c'].map((letter) => letter.repeat(40));
const [kNew = '', kOld = '', kOldest = ''] = kOids;

function fields(oid: string, parents: string, subject = 'subject'): string {
  return `${kMark}${[oid, parents, '1700000000', 'Ada ', 'ada@example.com', subject].map((each) => `${each}\0`).join('')}`;
}

function parse(kind: Subject['kind'], chunks: readonly Buffer[], ends = true): HistoryCommit[] {
  const commits: HistoryCommit[] = [];
  const parser = new LogParser(kMark, kind, (commit) => commits.push(commit));
  for (const chunk of chunks) parser.add(chunk);
  if (ends) parser.end();
  return commits;
}

const kRaw = [
  `${fields(kNew, kOld)}\0\n:100644 100755 ${kOld} ${kNew} R090\0old\0new\0`,
  `${fields(kOld, kOldest)}\0\n:100644 000000 ${kOld} ${'0'.repeat(40)} D\0old\0`,
  `${fields(kOldest, '')}\0\n:000000 100644 ${'0'.repeat(40)} ${kOldest} A\0old\0`,
].join('');
const kLines = [
  `${fields(kNew, kOld)}\n\ndiff --git a/x b/y\n--- a/x\n+++ b/y\n@@ -3,1 +7,2 @@\n --- a/no\n@@ -1 +1 @@\n`,
  `${fields(kOld, `${kOldest} ${kNew}`)}\n`,
  `${fields(kOldest, '')}\n\ndiff --git "a/\\"q\\"" b/z\nnew file mode 100644\n--- /dev/null\n+++ "b/\\"\\001\\n"\n@@ -0,0 +1 @@\n+1\n`,
].join('');

describe('the parser of git log', () => {
  it('reads renames, deletions and additions', () => {
    const files = parse('file', [Buffer.from(kRaw)]).map(({ oid, file }) => [oid, file?.from, file?.path]);
    assert.deepEqual(files, [
      [kNew, 'old', 'new'],
      [kOld, 'old', 'old'],
      [kOldest, undefined, 'old'],
    ]);
  });

  it('reads the names and the place of changed lines, and no change of a merge', () => {
    const files = parse('lines', [Buffer.from(kLines)]).map(({ oid, file }) => [oid, file]);
    assert.deepEqual(files, [
      [kNew, { path: 'y', from: 'x', line: 6 }],
      [kOld, undefined],
      [kOldest, { path: '"\u0001\n', from: undefined, line: 0 }],
    ]);
  });

  for (const [kind, output] of [
    ['file', kRaw],
    ['lines', kLines],
    ['folder', kRaw],
  ] as const) {
    const bytes = Buffer.from(output);
    it(`gives the same commits for any pieces of the output, kind ${kind}`, () => {
      const whole = parse(kind, [bytes]);
      assert.equal(whole.length, 3);
      for (const size of [1, 2, 7, 33, 100]) {
        const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
          bytes.subarray(i * size, (i + 1) * size),
        );
        assert.deepEqual(parse(kind, chunks), whole, `pieces of ${size}`);
      }
    });

    it(`gives no commit before all of it is there, and then at once, kind ${kind}`, () => {
      const whole = parse(kind, [bytes]);
      let known = 0;
      for (let length = 0; length <= bytes.length; length++) {
        const commits = parse(kind, [bytes.subarray(0, length)], false);
        assert.deepEqual(commits, whole.slice(0, commits.length), `${length} bytes`);
        assert.ok(commits.length >= known);
        known = commits.length;
      }
      assert.equal(known, 3, 'the last commit needs no end');
    });
  }

  it('skips what is no commit', () => {
    const output = `${fields('not an id', '')}\0${fields('--output=x', '')}\0${kRaw}`;
    assert.equal(parse('file', [Buffer.from(output)]).length, 3);
    assert.deepEqual(parse('folder', [Buffer.from('\0'.repeat(1000))]), []);
  });

  it('keeps a commit whose change cannot be read', () => {
    const output = `${fields(kNew, kOld)}\0\n:nothing\0${fields(kOld, '')}`;
    assert.deepEqual(
      parse('file', [Buffer.from(output)]).map(({ oid, file }) => [oid, file?.path]),
      [
        [kNew, undefined],
        [kOld, undefined],
      ],
    );
  });

  it('holds little, however much git prints', () => {
    const endless = Buffer.alloc(1 << 16, 'x');
    const bytesOf = (parser: LogParser) => (parser as unknown as { bytes: Buffer }).bytes.length;
    for (const start of ['', fields(kNew, '').slice(0, -3), `${fields(kNew, '')}--- a/x`]) {
      const parser = new LogParser(kMark, 'lines', () => undefined);
      parser.add(Buffer.from(start));
      for (let i = 0; i < 64; i++) {
        parser.add(endless);
        assert.ok(bytesOf(parser) <= (1 << 20) + endless.length + 1000, start);
      }
      const found: string[] = [];
      const after = new LogParser(kMark, 'folder', ({ oid }) => found.push(oid));
      for (const chunk of [start, ...Array.from({ length: 20 }, () => endless.toString()), fields(kOld, '')])
        after.add(Buffer.from(chunk));
      assert.equal(found.at(-1), kOld, 'the next commit is found');
    }
  });
});
