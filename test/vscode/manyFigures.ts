/**
 * Measures many repositories in a window, compared with VS Code's own Git. Reports when the changes of all are
 * counted, and how long a save takes until it is counted.
 *
 *     npm run package && npx tsx test/vscode/manyFigures.ts [repositories] [saves]
 */
import { percentile } from '../perf/deltaLatency';
import { besideBuiltIn } from './support/figures';
import { ManyRepositories } from './support/many';
import { type AtWork, Session } from './support/session';

const repositories = Number(process.argv[2] ?? 200);
const saves = Number(process.argv[3] ?? 40);

async function measure(name: string, atWork: AtWork): Promise<void> {
  try {
    const many = await ManyRepositories.open(repositories, { atWork });
    const samples: number[] = [];
    for (let i = 0; i < saves; i++) {
      const repository = many.repositories[(i * 7) % repositories];
      if (repository !== undefined)
        samples.push(await many.save(repository, 1 + Math.floor(i / repositories)));
    }
    const [p50, p99] = [percentile(samples, 0.5), percentile(samples, 0.99)];
    console.log(
      `${name}: ${repositories} repositories counted ${(many.milliseconds / 1000).toFixed(1)} s after the page was asked for; ` +
        `a save is counted after ${p50} ms (p50), ${p99} ms (p99)`,
    );
  } finally {
    await Session.closeAll();
  }
}

besideBuiltIn(measure);
