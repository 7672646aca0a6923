/** A Report as one page of Markdown. */
import type { Figure, Report, Row, SizeReport, Unit, Verdict } from './result';

export function formatValue(value: number, unit: Unit): string {
  if (unit === 'MB') return `${value.toFixed(1)} MB`;
  if (unit === 'rows' || unit === 'calls') return Math.round(value).toLocaleString('en');
  if (value < 0.1) return `${(value * 1000).toFixed(value < 0.01 ? 2 : 1)} µs`;
  return `${value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0)} ms`;
}

function figureLine({ name, unit, summary, peakMb, systemCalls }: Figure): string {
  const cells = [
    name,
    formatValue(summary.least, unit),
    formatValue(summary.median, unit),
    String(summary.count),
    peakMb === undefined ? '' : `${peakMb.toFixed(1)} MB`,
    systemCalls === undefined ? '' : systemCalls.total.toLocaleString('en'),
  ];
  return `| ${cells.join(' | ')} |`;
}

export function verdictText({ ours, goal, ratio, met }: Verdict): string {
  const found =
    ratio === undefined ? '' : ` ${ratio.least.toFixed(2)} x (min), ${ratio.median.toFixed(2)} x (median);`;
  const word = met === undefined ? '' : met ? ' **met**' : ' **missed**';
  return `${ours}:${found} goal: ${goal.words};${word}`;
}

function callLines(figures: readonly Figure[]): string[] {
  return figures.flatMap(({ name, systemCalls }) => {
    if (systemCalls === undefined) return [];
    const names = Object.entries(systemCalls.byName).map(
      ([call, count]) => `${call} ${count.toLocaleString('en')}`,
    );
    return [`System calls, ${name}: ${names.join(', ')}.`, ''];
  });
}

export function rowMarkdown(row: Row): string {
  const table =
    row.figures.length === 0
      ? []
      : [
          '| | min | median | samples | peak memory | system calls |',
          '| --- | --- | --- | --- | --- | --- |',
          ...row.figures.map(figureLine),
          '',
        ];
  return [
    `### ${row.title}`,
    '',
    ...row.verdicts.map((verdict) => `- ${verdictText(verdict)}`),
    ...(row.verdicts.length > 0 ? [''] : []),
    ...table,
    ...callLines(row.figures),
    ...row.remarks.flatMap((remark) => [remark, '']),
  ].join('\n');
}

function sizeMarkdown(size: SizeReport): string {
  const head = `## ${size.name}: ${size.files.toLocaleString('en')} files in ${size.directories.toLocaleString('en')} directories`;
  const index = `The index has ${(size.indexBytes / 2 ** 20).toFixed(1)} MB.`;
  return [head, '', index, '', ...size.rows.map(rowMarkdown)].join('\n');
}

export function reportMarkdown(report: Report, chart: string): string {
  const machine = Object.entries(report.machine).map(([name, value]) => `| ${name} | ${value} |`);
  return [
    '# Bench',
    '',
    'Made by `npm run bench`. Everything in one row was measured in rounds that alternate between all that is',
    'compared. A ratio is ours over the floor: of the least samples, and the median over the rounds. Times are',
    'of whole processes where nothing else is said.',
    '',
    '| | |',
    '| --- | --- |',
    `| began | ${report.began} |`,
    ...machine,
    '',
    `![Times, relative to the floor](${chart})`,
    '',
    ...report.sizes.map(sizeMarkdown),
    ...(report.growth === undefined ? [] : [rowMarkdown(report.growth).replace('###', '##')]),
  ].join('\n');
}
