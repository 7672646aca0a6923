import { strict as assert } from 'node:assert';
import { parseReport } from './tap';
import { compareReports, sightOf } from './verdict';

const withGit = `ok 1 - setup
ok 2 - status -s
ok 3 - writes the index
ok 4 # skip case (missing CASE_INSENSITIVE_FS)
not ok 5 - to be done # TODO known breakage
# passed all remaining 4 test(s)
1..5
`;

function withUs(outcomes: { second?: string; third?: string } = {}): string {
  return `ok 1 - setup
# front: native -s
# front: delegated
${outcomes.second ?? 'ok'} 2 - status -s
# front: serve /w
# front: refused --no-such
${outcomes.third ?? 'ok'} 3 - writes the index
ok 4 # skip case (missing CASE_INSENSITIVE_FS)
not ok 5 - to be done # TODO known breakage
1..5
`;
}

const reason = { suite: 't1', title: 'writes the index', sources: ['scan'], reason: 'a reader' } as const;

describe("git's own tests: the verdict", () => {
  const baseline = parseReport(withGit);

  it('reads cases, and whose questions were answered how', () => {
    const report = parseReport(withUs());
    assert.deepEqual(
      report.cases.map(({ title, outcome }) => [title, outcome]),
      [
        ['setup', 'ok'],
        ['status -s', 'ok'],
        ['writes the index', 'ok'],
        ['case', 'skipped'],
        ['to be done', 'known breakage'],
      ],
    );
    assert.deepEqual(report.cases[1]?.asked, {
      native: 1,
      delegated: 1,
      refused: 0,
      untranslated: 0,
      differs: 0,
    });
    assert.equal(report.cases[2]?.asked.refused, 1);
    assert.equal(report.served, 1);
    assert.ok(report.complete);
    assert.equal(parseReport('1..0 # SKIP no such thing\n').skipped, 'no such thing');
  });

  it('passes what is as with git', () => {
    const verdict = compareReports(baseline, parseReport(withUs()), []);
    assert.deepEqual(verdict.problems, []);
    assert.deepEqual([verdict.asking, verdict.passed], [2, 2]);
  });

  it('fails a case that differs without a reason, and passes it with one', () => {
    const report = parseReport(withUs({ third: 'not ok' }));
    assert.deepEqual(compareReports(baseline, report, []).problems, [
      '3 writes the index: ok with git, not ok with us',
    ]);
    const verdict = compareReports(baseline, report, [reason]);
    assert.deepEqual(verdict.problems, []);
    assert.equal(verdict.differences[0]?.reason, 'a reader');
    assert.equal(verdict.passed, 1);
  });

  it('fails a reason without a difference', () => {
    const verdict = compareReports(baseline, parseReport(withUs()), [reason]);
    assert.deepEqual(verdict.problems, ['named as different 1 times, and is so 0 times: writes the index']);
  });

  it('fails a script that ended early', () => {
    const early = withUs().split('\n').slice(0, 4).join('\n');
    const { problems } = compareReports(baseline, parseReport(early), []);
    assert.equal(problems.length, 4, problems.join('\n'));
    assert.equal(problems[0], 'the script did not come to its end');
  });

  it('tells which cases find out a wrong program, by their own questions', () => {
    const wrong = new Map([
      ['one', parseReport(withUs({ second: 'not ok' }).replace('ok 1', 'not ok 1'))],
      ['other', parseReport(withUs({ second: 'not ok' }))],
    ]);
    assert.deepEqual(sightOf(baseline, wrong), [
      { number: 2, title: 'status -s', foundOut: ['one', 'other'] },
      { number: 3, title: 'writes the index', foundOut: [] },
    ]);
  });
});
