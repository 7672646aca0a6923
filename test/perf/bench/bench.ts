/** One whole run: takes subjects and options, returns a report. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { cpus, release, totalmem } from 'node:os';
import { join } from 'node:path';
import { residentBinary } from '../../support/binary';
import { Sandbox } from '../../support/sandbox';
import { reportChart } from './chart';
import type { Context } from './context';
import { reportMarkdown, verdictText } from './markdown';
import { Programs } from './programs';
import type { Report, Row, SizeReport } from './result';
import { measureCold } from './rows/cold';
import { measureDelta } from './rows/delta';
import { measureEdits } from './rows/edits';
import { growthRow } from './rows/growth';
import { measureHistory } from './rows/history';
import { measureAdd, measureCheckout, measureHead, measureLoad } from './rows';
import { measureMany } from './rows/many';
import { measureMonitor } from './rows/monitor';
import { measureNarrow } from './rows/narrow';
import { measurePolled } from './rows/polled';
import { measurePrompt } from './rows/prompt';
import { measureRefs } from './rows/refs';
import { measureResident } from './rows/resident';
import { measureScan } from './rows/scan';
import { entryCount, Subject } from './subject';

export interface BenchOptions {
  /** Shapes to generate; [] with `repository`. */
  sizes: string[];
  repository?: string;
  /** Names of `rowGroups`. */
  rows: string[];
  runs: number;
  threads: number;
  /** Number of worktrees in the row `many`. */
  worktrees: number;
  /** True: count system calls. */
  strace: boolean;
  /** Folder of generated repositories. */
  cache: string;
  /** Folder of the report. */
  output: string;
  say: (text: string) => void;
}

interface RowGroup {
  /** True: the row edits files, and needs a generated repository. */
  changes: boolean;
  measure: (context: Context, files: number) => Row | Row[] | Promise<Row | Row[]>;
}

/** Sorted like the report. */
export const rowGroups: Record<string, RowGroup> = {
  scan: { changes: false, measure: measureScan },
  resident: { changes: false, measure: measureResident },
  prompt: { changes: false, measure: measurePrompt },
  load: { changes: false, measure: measureLoad },
  head: { changes: false, measure: measureHead },
  refs: { changes: false, measure: measureRefs },
  history: { changes: false, measure: measureHistory },
  cold: { changes: false, measure: measureCold },
  polled: { changes: true, measure: measurePolled },
  narrow: { changes: true, measure: measureNarrow },
  edits: { changes: true, measure: measureEdits },
  delta: { changes: true, measure: measureDelta },
  add: { changes: true, measure: measureAdd },
  checkout: { changes: true, measure: measureCheckout },
  monitor: { changes: true, measure: measureMonitor },
  many: { changes: false, measure: measureMany },
};

function fileSystemOf(path: string): string {
  // From `df`, because statfs only returns a number.
  const lines = execFileSync('df', ['--output=fstype', path], { encoding: 'utf8' }).trim().split('\n');
  return lines.at(-1) ?? `type ${statfsSync(path).type}`;
}

function describeMachine(subject: Subject, { runs, threads }: BenchOptions): Record<string, string> {
  const processors = cpus();
  return {
    processor: `${processors.length} x ${processors[0]?.model ?? 'unknown'}`,
    memory: `${Math.round(totalmem() / 2 ** 30)} GB`,
    kernel: `Linux ${release()}`,
    'file system': fileSystemOf(subject.worktree),
    git: subject.git(['--version']).trim().replace('git version ', ''),
    rounds: String(runs),
    'threads of scans and floors': String(threads),
    'load average at the start': readFileSync('/proc/loadavg', 'utf8').split(' ').slice(0, 3).join(' '),
  };
}

async function measureSubject(
  subject: Subject,
  programs: Programs,
  options: BenchOptions,
): Promise<SizeReport> {
  const files = entryCount(subject.indexPath);
  const context: Context = {
    subject,
    programs,
    binary: residentBinary(),
    runs: options.runs,
    threads: options.threads,
    worktrees: options.worktrees,
    cache: options.cache,
    strace: options.strace,
    say: options.say,
  };
  const size: SizeReport = {
    name: subject.name,
    files,
    directories: Number(programs.floor('index', subject.indexPath, 1).directories),
    indexBytes: statSync(subject.indexPath).size,
    rows: [],
  };
  for (const [name, { changes, measure }] of Object.entries(rowGroups)) {
    if (!options.rows.includes(name)) continue;
    if (changes && !subject.writable) {
      const remarks = ['Not measured: it would change files of a repository that is not ours.'];
      size.rows.push({ id: name, title: name, figures: [], verdicts: [], remarks });
      continue;
    }
    options.say(`${subject.name}: ${name}`);
    const started = performance.now();
    const rows = [await measure(context, files)].flat();
    for (const verdict of rows.flatMap(({ verdicts }) => verdicts)) options.say(`  ${verdictText(verdict)}`);
    options.say(`  (${((performance.now() - started) / 1000).toFixed(0)} s)`);
    size.rows.push(...rows);
  }
  subject.stopGit();
  return size;
}

/** Measures, and writes bench.md, bench.json and bench.svg into `options.output`. */
export async function runBench(options: BenchOptions): Promise<Report> {
  const began = new Date().toISOString();
  let report: Report | undefined;
  const names = options.repository === undefined ? options.sizes : [options.repository];
  for (const name of names) {
    // A sandbox for each, because it holds copies of the index.
    const sandbox = new Sandbox();
    try {
      const programs = new Programs(sandbox.env);
      if (options.repository === undefined && !existsSync(join(options.cache, name, 'complete'))) {
        options.say(`${name}: making the repository in ${options.cache}`);
      }
      const subject =
        options.repository === undefined
          ? Subject.generated(sandbox, programs, name, options.cache)
          : Subject.existing(sandbox, options.repository);
      report ??= { began, machine: describeMachine(subject, options), sizes: [] };
      report.sizes.push(await measureSubject(subject, programs, options));
      const growth = growthRow(report.sizes);
      if (growth !== undefined) report.growth = growth;
      // After each size, because the next can take long.
      write(report, options.output);
    } finally {
      sandbox.remove();
    }
  }
  if (report === undefined) throw new Error('nothing to measure');
  return report;
}

function write(report: Report, output: string): void {
  mkdirSync(output, { recursive: true });
  writeFileSync(join(output, 'bench.json'), `${JSON.stringify(report, undefined, 1)}\n`);
  writeFileSync(join(output, 'bench.md'), reportMarkdown(report, 'bench.svg'));
  writeFileSync(join(output, 'bench.svg'), reportChart(report));
}
