/** The times of a Report as bars, a group for each row. An SVG without external scripts, fonts or colours. */
import { formatValue } from './markdown';
import type { Figure, Report, Row } from './result';

const width = 900;
const labelWidth = 380;
const valueWidth = 110;
const barHeight = 14;
const lineHeight = 20;
const titleHeight = 34;

const colours = { floor: '#9aa5b1', git: '#e07a3f', ours: '#2f7d5b' };

function kindOf({ name }: Figure): keyof typeof colours {
  if (name.includes('floor')) return 'floor';
  return /^git(,|$| diff)/.test(name) ? 'git' : 'ours';
}

function escape(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}

/** Hides the steps of a figure that already has a bar. */
function shown(row: Row): Figure[] {
  return row.figures.filter(({ unit, name }) => unit === 'ms' && !name.startsWith('of it:'));
}

export function reportChart(report: Report): string {
  const parts: string[] = [];
  let y = 10;
  const text = (x: number, at: number, content: string, more = ''): void => {
    parts.push(`<text x="${x}" y="${at}"${more}>${escape(content)}</text>`);
  };
  for (const size of report.sizes) {
    for (const row of size.rows) {
      const figures = shown(row);
      if (figures.length === 0) continue;
      y += titleHeight;
      text(10, y - 10, `${size.name}: ${row.title}`, ' font-weight="bold"');
      const most = Math.max(...figures.map(({ summary }) => summary.median));
      for (const figure of figures) {
        const room = width - labelWidth - valueWidth;
        const length = Math.max(1, (figure.summary.median / most) * room);
        text(labelWidth - 8, y + 11, figure.name, ' text-anchor="end"');
        parts.push(
          `<rect x="${labelWidth}" y="${y}" width="${length.toFixed(1)}" height="${barHeight}" fill="${colours[kindOf(figure)]}"/>`,
        );
        text(labelWidth + length + 6, y + 11, formatValue(figure.summary.median, figure.unit));
        y += lineHeight;
      }
    }
  }
  const height = y + 20;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`,
    ' font-family="sans-serif" font-size="12" fill="#1f2933">',
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    ...parts,
    '</svg>',
    '',
  ].join('\n');
}
