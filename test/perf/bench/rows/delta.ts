/** Time from `write()` to the delta in the extension's model, through the built helper. */
import { measureDeltaLatency, percentile } from '../../deltaLatency';
import type { Context } from '../context';
import { figure, type Row, type Verdict } from '../result';

const samples = 300;

export function measureDelta(context: Context): Promise<Row> {
  const { subject } = context;
  return subject.changing(async () => {
    const tracked = subject
      .git(['ls-files', '-z'])
      .split('\0')
      .filter((path) => path !== '' && !path.endsWith('.gitignore'));
    const stride = Math.max(1, Math.floor(tracked.length / samples));
    const files = tracked.filter((_, i) => i % stride === 0).slice(0, samples);
    const latency = await measureDeltaLatency(subject.worktree, files, subject.env);
    const verdicts: Verdict[] = (['edit', 'create', 'remove'] as const).map((kind) => ({
      ours: `${kind}: p50 ${percentile(latency[kind], 0.5).toFixed(2)} ms, p99 ${percentile(latency[kind], 0.99).toFixed(2)} ms`,
      goal: { words: 'p50 below 1 ms, p99 below 5 ms' },
      met: percentile(latency[kind], 0.5) < 1 && percentile(latency[kind], 0.99) < 5,
    }));
    return {
      id: 'delta',
      title: "From `write()` to the delta in the extension's model",
      figures: [
        figure('a file edited', 'ms', latency.edit),
        figure('a file created', 'ms', latency.create),
        figure('a file removed', 'ms', latency.remove),
        figure('first answer, through the helper', 'ms', [latency.firstAnswer]),
      ],
      verdicts,
      remarks: [],
    };
  });
}
