import assert from 'node:assert/strict';
import { percentile } from '../deltaLatency';
import { formatValue, verdictText } from './markdown';
import { parseSystemCalls } from './programs';
import { againstFloor, againstValue, figure, type SizeReport } from './result';
import { growthRow } from './rows/growth';
import { median, ratio, sum } from './statistics';

describe('statistics of the bench', () => {
  it('takes the middle', () => {
    assert.equal(median([3, 1, 2]), 2);
    assert.equal(median([4, 1, 2, 3]), 2.5);
    assert.equal(percentile([5, 1, 4, 2, 3], 0.5), 3);
    assert.equal(percentile([5, 1, 4, 2, 3], 0.99), 5);
  });

  it('compares round by round', () => {
    // The second round was slow for both.
    assert.deepEqual(ratio([2, 20, 2], [1, 10, 1]), { least: 2, median: 2 });
    assert.deepEqual(ratio([2, 4], [1, 1, 2]), { least: 2, median: 3 });
    assert.deepEqual(sum([1, 2], [10, 20], [100, 200, 300]), [111, 222]);
  });

  it('holds a goal against both ratios', () => {
    const goal = { words: 'at most 1.2 x', factor: 1.2 };
    assert.equal(againstFloor(figure('a', 'ms', [1.1, 1.1]), [1, 1], goal).met, true);
    assert.equal(againstFloor(figure('a', 'ms', [1.1, 1.4, 1.4]), [1, 1, 1], goal).met, false);
    assert.equal(againstValue(figure('a', 'ms', [3, 5, 9]), { words: '', value: 5 }).met, true);
    assert.equal(againstValue(figure('a', 'ms', [3, 6, 9]), { words: '', value: 5 }).met, false);
  });

  it('tells growth per file, and that of one edit as it is', () => {
    const size = (name: string, files: number, scan: number, edit: number): SizeReport => ({
      ...{ name, files, directories: 1, indexBytes: 1 },
      rows: [row('scan', 'git-resident status --source=scan', scan), row('edits-1', 'in the core', edit)],
    });
    const row = (id: string, name: string, value: number) => ({
      ...{ id, title: id, verdicts: [], remarks: [] },
      figures: [figure(name, 'ms', [value])],
    });
    const grown = growthRow([size('small', 100, 10, 1), size('large', 200, 24, 1)]);
    assert.deepEqual(
      grown?.verdicts.map(({ ratio: found, met }) => [found?.least, met]),
      [
        [1.2, false],
        [1, true],
      ],
    );
    assert.equal(growthRow([size('small', 100, 10, 1)]), undefined);
  });
});

describe('the text of the bench', () => {
  it('reads the table of strace', () => {
    const table = `strace: Process 12 attached
% time     seconds  usecs/call     calls    errors syscall
------ ----------- ----------- --------- --------- ----------------
 73.86    0.006302           2      2427         3 newfstatat
  4.52    0.000386          11        33           read
------ ----------- ----------- --------- --------- ----------------
100.00    0.008532           3      2460         3 total
`;
    assert.deepEqual(parseSystemCalls(table), { total: 2460, byName: { newfstatat: 2427, read: 33 } });
  });

  it('writes times in the unit that suits them', () => {
    assert.equal(formatValue(0.00154, 'ms'), '1.54 µs');
    assert.equal(formatValue(0.0215, 'ms'), '21.5 µs');
    assert.equal(formatValue(1.234, 'ms'), '1.23 ms');
    assert.equal(formatValue(1234.5, 'ms'), '1235 ms');
    assert.equal(formatValue(63.96, 'MB'), '64.0 MB');
    assert.equal(formatValue(50000, 'rows'), '50,000');
  });

  it('says how far a goal is', () => {
    const verdict = againstFloor(figure('ours', 'ms', [3]), [2], {
      words: 'at most 1.2 x the floor',
      factor: 1.2,
    });
    assert.equal(
      verdictText(verdict),
      'ours: 1.50 x (min), 1.50 x (median); goal: at most 1.2 x the floor; **missed**',
    );
  });
});
