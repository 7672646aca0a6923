/** Where no watch tells of changes, or too few do: what is looked at without being told is git's answer all the same. */
import { strict as assert } from 'node:assert';
import { join } from 'node:path';
import { Repository } from '../support/repository';
import { run } from '../support/run';
import { enoughMarks, limitedTo } from '../support/limited';
import { mountOnFuse, mountOverlay, withMounts } from '../support/mounted';
import { furnish, itAsRoot, needsRoot, size, withSandboxOnDisk, withServer } from './storm';

const root = join(__dirname, '../..');
const operations = 20;
const timeoutMs = 18 * 60_000;

/** So many random repositories, made in `directory` (by default in memory), by a program that follows these words. */
function drawRepositories(seeds: readonly [number, number], before: string[] = [], directory?: string): void {
  const script = join(root, 'test/conformance/random.ts');
  const asked = ['--seeds', seeds.join('..'), '--operations', String(operations), '--source', 'resident'];
  const where = directory === undefined ? [] : ['--in', directory];
  const words = [...before, process.execPath, '--import', 'tsx', script, ...asked, ...where];
  const drawn = run(words[0] ?? '', words.slice(1), { cwd: root, env: process.env, timeoutMs });
  assert.equal(drawn.code, 0, `${drawn.stdout.toString('latin1')}${drawn.stderr.toString('latin1')}`);
  assert.match(drawn.stdout.toString('latin1'), /answers compared, 0 seeds failed/);
}

describe('Storms: polled', () => {
  itAsRoot(`a file system that others write to ${needsRoot}`, async () => {
    await withSandboxOnDisk(async (sandbox) => {
      await withMounts(sandbox, async () => {
        const { beneath, above } = mountOnFuse(sandbox, 0);
        const others = Repository.init(sandbox, 'beneath/w');
        furnish(others);
        const repo = new Repository(sandbox, join(above, 'w'));
        repo.git('update-index', '-q', '--refresh');
        await withServer(repo, async ({ server, check }) => {
          assert.match(await server.tells(/^== watching/), /polling \d+ director(?:y|ies) without events/);
          check();
          others.write('a/x/deep/3', 'edited beneath');
          check();
          others.write('c/new/deep/file', 'made beneath');
          others.rename('b', 'moved');
          check();
          repo.write('a/y/2', 'edited above');
          others.write('moved/.gitignore', '3\n');
          check();
          others.write('moved/.gitignore', '2\n');
          check();
          others.git('add', '-A');
          check();
          // Unasked.
          const from = server.told;
          others.write('c/y/deep/3', 'nobody asks');
          await server.tells(/^ M c\/y\/deep\/3$/, from);
          assert.notEqual(beneath, above);
        });
      });
    });
  });

  itAsRoot(`random repositories with few watches ${needsRoot}`, () => {
    drawRepositories([1, size(4, 50)], limitedTo(7));
    drawRepositories([51, size(54, 100)], limitedTo(0));
  });

  itAsRoot(`random repositories with few inotify watches, and fanotify ${needsRoot}`, () => {
    drawRepositories([101, size(102, 115)], limitedTo(7, enoughMarks));
    drawRepositories([116, size(117, 130)], limitedTo(0, enoughMarks));
  });

  itAsRoot(`random repositories on FUSE ${needsRoot}`, async () => {
    await withSandboxOnDisk((sandbox) =>
      withMounts(sandbox, () => drawRepositories([101, size(102, 150)], [], mountOnFuse(sandbox, 0).above)),
    );
  });

  for (const [by, seeds] of [
    ['kernel', [151, size(154, 200)]],
    ['fuse', [201, size(202, 250)]],
  ] as const) {
    itAsRoot(`random repositories on an overlay by ${by} ${needsRoot}`, async () => {
      await withSandboxOnDisk((sandbox) =>
        withMounts(sandbox, () => drawRepositories(seeds, [], mountOverlay(sandbox, by).above)),
      );
    });
  }
});
