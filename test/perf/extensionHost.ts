/**
 * Measures how long a change of many rows blocks the extension host: our part of it, with a stand-in for the
 * editor. Reports CPU time between two turns of the event loop, which other work on the machine does not
 * affect.
 *
 *     npx tsx test/perf/extensionHost.ts [--rows 50000]
 */
import { parseArgs } from 'node:util';
import type { Repository } from '../../extension/model/Repository';
import type { RepositoryRegistry } from '../../extension/model/RepositoryRegistry';
import type { DidChangeParams, StatusEntry } from '../../extension/protocol';
import { installVscodeStandIn, shown } from './vscodeStandIn';

/** The addon's limit of rows in a message. */
const kRowsPerMessage = 2000;
const kRoot = '/home/user/worktree';

const { values } = parseArgs({ options: { rows: { type: 'string', default: '50000' } } });
const count = Number(values.rows);

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const pathOf = (i: number): string => `src/component${i % 97}/part${i % 31}/a_file_of_some_length_${i}.ts`;
const rows = (make: (path: string) => StatusEntry): StatusEntry[] =>
  Array.from({ length: count }, (_, i) => make(pathOf(i)));

function* messages(version: number, upserted: StatusEntry[], removed: string[]): Generator<DidChangeParams> {
  const length = Math.max(upserted.length, removed.length);
  for (let start = 0; start < length; start += kRowsPerMessage) {
    const more = start + kRowsPerMessage < length;
    yield {
      root: kRoot,
      baseVersion: version,
      version: ++version,
      upserted: upserted.slice(start, start + kRowsPerMessage),
      removed: removed.slice(start, start + kRowsPerMessage),
      removedUntracked: [],
      ...(more ? { more } : { state: { state: 'watching', directories: 1 } }),
    };
  }
}

/** The longest CPU time between two turns, from the start of `work` until 200 ms without work. */
async function measure(name: string, work: () => Promise<void>): Promise<void> {
  let longest = 0;
  let isOver = false;
  let last = process.cpuUsage();
  const probe = (): void => {
    const { user, system } = process.cpuUsage(last);
    longest = Math.max(longest, (user + system) / 1000);
    last = process.cpuUsage();
    if (!isOver) setImmediate(probe);
  };
  setImmediate(probe);
  await work();
  let events = -1;
  while (events !== shown.decorationEvents) {
    events = shown.decorationEvents;
    for (let i = 0; i < 50; i++) await turn();
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  isOver = true;
  await turn();
  const drawn = [...shown.rows].map(([id, n]) => `${n} in ${id}`).join(', ');
  console.log(
    `${name}: at most ${longest.toFixed(1)} ms in one turn; ${shown.decorationEvents} decoration events of at most ` +
      `${shown.largestEvent}; rows: ${drawn}`,
  );
  shown.decorationEvents = 0;
}

async function main(): Promise<void> {
  installVscodeStandIn();
  const { RepositoryRegistry } = await import('../../extension/model/RepositoryRegistry.js');
  const { Decorations } = await import('../../extension/decorations/Decorations.js');
  const { RepositorySourceControl } = await import('../../extension/scm/RepositorySourceControl.js');
  const { worktreeUris } = await import('../../extension/scm/uris.js');
  const { DrawTurns } = await import('../../extension/scm/DrawTurns.js');
  const helper = {
    discover: () => Promise.resolve({ roots: [kRoot], problems: [] }),
    open: () => Promise.resolve({ root: kRoot, gitDir: '', commonDir: '' }),
  };
  const registry: RepositoryRegistry = new RepositoryRegistry(helper as never, () => undefined);
  const uris = { urisOf: (r: Repository, path: string) => worktreeUris(registry.paths, r, path) };
  new Decorations(registry, {} as never, uris as never);
  const turns = new DrawTurns(
    () => false,
    () => Promise.resolve(),
  );
  const kept = { restore: () => Promise.resolve() };
  registry.onDidOpen(
    (opened) =>
      new RepositorySourceControl(
        opened,
        registry,
        {} as never,
        kept as never,
        () => Promise.resolve(''),
        turns,
      ),
  );
  await registry.setWorkspace(['/'], { depth: 0, trusted: true });

  let version = 0;
  const tell = async (upserted: StatusEntry[], removed: string[], from = version): Promise<void> => {
    for (const message of messages(from, upserted, removed)) {
      // One message per turn, like a real connection.
      registry.didChange(message);
      ({ version } = message);
      await turn();
    }
  };
  const changed = (path: string): StatusEntry => ({ kind: 'changed', path, index: '.', worktree: 'M' });
  const staged = (path: string): StatusEntry => ({ kind: 'changed', path, index: 'M', worktree: '.' });
  const all = rows(changed);
  await measure(`${count} rows come`, () => tell(all, []));
  await measure('all are staged', () => tell(rows(staged), []));
  await measure('one of them changes', () => tell([changed(pathOf(0))], []));
  await measure('all are told anew after a loss', () => {
    registry.helperLost();
    return tell(rows(changed), [], 0);
  });
  await measure('all go', () =>
    tell(
      [],
      all.map(({ path }) => path),
    ),
  );
}

void main();
