/** More events than the kernel's queue holds, or than we want to process singly. */
import { strict as assert } from 'node:assert';
import * as fs from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Repository } from '../support/repository';
import {
  everything,
  furnish,
  itAsRoot,
  needsRoot,
  size,
  storm,
  withSandboxOnDisk,
  withServer,
} from './storm';

/** Limit of events in a new inotify queue. */
const queueLimit = '/proc/sys/fs/inotify/max_queued_events';

function queueLength(): number {
  return Number(fs.readFileSync(queueLimit, 'latin1'));
}

/** The limit applies to queues created meanwhile. Call `restore` once the server has its queues. */
async function withShortQueues(length: number, body: (restore: () => void) => Promise<void>): Promise<void> {
  const before = fs.readFileSync(queueLimit);
  const restore = (): void => fs.writeFileSync(queueLimit, before);
  fs.writeFileSync(queueLimit, `${length}\n`);
  try {
    await body(restore);
  } finally {
    restore();
  }
}

describe('Storms: overflow', () => {
  storm('the server is stopped while more happens than the queue holds', async (context) => {
    const { repo, server, check, checkThat } = context;
    server.signal('SIGSTOP');
    const from = server.told;
    repo.write('a/x/deep/3', 'before the queue was full');
    // Each name has at least two events: created, closed.
    const directory = repo.absolute('b/many').toString();
    fs.mkdirSync(directory);
    for (let i = 0; i < queueLength() / 2; i++) fs.writeFileSync(`${repo.root}/b/x/${i % 3000}.o`, '');
    for (let i = 0; i < queueLength() / 2; i++) fs.rmSync(`${repo.root}/b/x/${i % 3000}.o`, { force: true });
    repo.write('c/y/deep/3', 'after the queue was full');
    repo.write('b/many/new', 'in a directory that nobody heard of');
    server.signal('SIGCONT');
    // A verification is only reported if it takes long.
    await server.tells(/^ M c\/y\/deep\/3$/, from);
    checkThat([everything], /^ M a\/x\/deep\/3$/m, /^\?\? b\/many\/new$/m);
    repo.write('b/many/new2', 'watched again');
    check();
  });

  storm('a question is what wakes up first after an overflow', ({ repo, server, check }) => {
    server.signal('SIGSTOP');
    for (let i = 0; i < queueLength(); i++) fs.writeFileSync(`${repo.root}/a/${i % 2}.o`, '');
    repo.write('c/x/2', 'unseen');
    server.signal('SIGCONT');
    check();
  });

  storm('the server is stopped for a while in which little happens', async ({ repo, server, check }) => {
    server.signal('SIGSTOP');
    await sleep(size(0, 60_000));
    repo.write('a/x/2', 'other');
    repo.rename('b', 'moved');
    repo.write('moved/x/deep/new', '1');
    repo.git('add', 'a');
    server.signal('SIGCONT');
    check();
  });

  itAsRoot(`a short queue overflows again and again ${needsRoot}`, async () => {
    await withSandboxOnDisk(async (sandbox) => {
      const repo = Repository.init(sandbox, 'w');
      furnish(repo);
      await withShortQueues(16, (restore) =>
        withServer(repo, ({ server, checkThat }) => {
          restore();
          for (let round = 0; round < 3; round++) {
            server.signal('SIGSTOP');
            for (let i = 0; i < 500; i++) fs.writeFileSync(`${repo.root}/a/x/new${i}`, `${round}`);
            repo.write(`b/x/round${round}`, '');
            server.signal('SIGCONT');
            checkThat([everything]);
            for (let i = 0; i < 500; i++) fs.unlinkSync(`${repo.root}/a/x/new${i}`);
            repo.write(`b/x/deep/3`, `${round}`);
            checkThat([everything], /^ M b\/x\/deep\/3$/m);
          }
        }),
      );
    });
  });

  const events = size(8000, 1_000_000);
  storm(`a burst of ${events} events`, async ({ repo, server, check, checkThat }) => {
    const memory = server.memory;
    const [files, directory] = [1000, `${repo.root}/a/y`];
    // Per file: created, written, closed, deleted.
    for (let told = 0; told < events; told += 4 * files) {
      for (let i = 0; i < files; i++) fs.writeFileSync(`${directory}/${i}.tmp`, 'x');
      for (let i = 0; i < files; i++) fs.unlinkSync(`${directory}/${i}.tmp`);
    }
    repo.write('a/y/last', '1');
    checkThat([everything], /^\?\? a\/y\/last$/m);
    const from = server.told;
    repo.write('a/y/2', 'and on');
    await server.tells(/^ M a\/y\/2$/, from);
    check();
    assert.ok(server.memory < memory + 24, `${server.memory} MiB after a burst, ${memory} before`);
  });
});
