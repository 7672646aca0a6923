/** Growth of time and memory from the first size of a run to the others. */
import { figure, type Row, type SizeReport, type Verdict } from '../result';

const allowed = 1.1;

function least(size: SizeReport, row: string, name: string): number | undefined {
  return size.rows.find(({ id }) => id === row)?.figures.find((one) => one.name === name)?.summary.least;
}

export function growthRow(sizes: readonly SizeReport[]): Row | undefined {
  const [first, ...others] = sizes;
  if (first === undefined || others.length === 0) return undefined;
  const looked: [title: string, row: string, name: string, perFile: boolean][] = [
    ['first scan', 'scan', 'git-resident status --source=scan', true],
    ['first answer, watched', 'watched', 'git-resident serve: start to first answer', true],
    ['memory', 'memory', 'git-resident serve, at its first answer', true],
    ['one edit', 'edits-1', 'in the core', false],
  ];
  const verdicts: Verdict[] = [];
  for (const [title, row, name, perFile] of looked) {
    const before = least(first, row, name);
    for (const size of others) {
      const after = least(size, row, name);
      if (before === undefined || after === undefined) continue;
      const grown = (after / before) * (perFile ? first.files / size.files : 1);
      verdicts.push({
        ours: `${title}, ${size.name} over ${first.name}${perFile ? ', per file' : ''}`,
        goal: { words: 'within 10%', factor: allowed },
        ratio: { least: grown, median: grown },
        met: grown <= allowed,
      });
    }
  }
  return {
    id: 'growth',
    title: 'Growth',
    figures: sizes.map(({ name, files }) => figure(`files of ${name}`, 'rows', [files])),
    verdicts,
    remarks: ['Ratios of the least samples.'],
  };
}
