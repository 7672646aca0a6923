/** A file that is larger than what a program should hold in memory. */
import { strict as assert } from 'node:assert';
import * as fs from 'node:fs';
import { everything, furnish, size, storm } from './storm';

const mebibyte = 1 << 20;
const mebibytes = size(64, 1200);
/** More than before, at most. */
const allowed = 16;

describe('Storms: large files', () => {
  storm(
    `${mebibytes} MiB, touched and rewritten`,
    async ({ repo, server, checkThat }) => {
      const path = `${repo.root}/a/large`;
      checkThat([everything]);
      const before = server.peakMemory;
      // Only the content tells whether it is the one that was committed.
      fs.utimesSync(path, 1_600_000_000, 1_600_000_000);
      checkThat([everything]);
      const file = fs.openSync(path, 'r+');
      fs.writeSync(file, 'other', (mebibytes / 2) * mebibyte);
      fs.closeSync(file);
      await server.tells(/^ M a\/large$/);
      checkThat([everything]);
      assert.ok(server.peakMemory - before <= allowed, `${before} MiB, then ${server.peakMemory}`);
    },
    {
      furnish: (repo) => {
        repo.write('a/large', '');
        fs.truncateSync(`${repo.root}/a/large`, mebibytes * mebibyte);
        furnish(repo);
      },
    },
  );
});
