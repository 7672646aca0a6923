/**
 * Runs random operations by hand on a repository whose git asks us for changes.
 *
 *     npx tsx test/conformance/monitor/soak.ts A..B [operations] [directory of another git] [hook|socket]
 */
import { oracleVersion, useGitOf } from '../../support/oracle';
import { soak } from './world';

async function main(): Promise<number> {
  const [range = '1..10', operations = '30', git, way = 'hook'] = process.argv.slice(2);
  if (git !== undefined) useGitOf(git);
  if (way !== 'hook' && way !== 'socket') throw new Error(`git asks by hook or socket, not by ${way}`);
  const [first = 1, last = first] = range.split('..').map(Number);
  console.log(`beside git ${oracleVersion()}`);
  const failed: number[] = [];
  for (let seed = first; seed <= last; seed++) {
    try {
      await soak(seed, Number(operations), way);
    } catch (error) {
      failed.push(seed);
      console.log((error as Error).message);
    }
    if (seed % 20 === 0) console.log(`seed ${seed}, ${failed.length} failed`);
  }
  console.log(failed.length > 0 ? `failed: ${failed.join(' ')}` : 'all equal');
  return failed.length > 0 ? 1 : 0;
}

void main().then((code) => process.exit(code));
