/** A file larger than a reasonable memory limit. */
import { strict as assert } from 'node:assert';
import * as fs from 'node:fs';
import { everything, furnish, size, storm } from './storm';

const mebibyte = 1 << 20;
const mebibytes = size(64, 1200);
/** Allowed growth of memory. */
const allowed = 16;

describe('Storms: large files', () => {
  storm(
    `${mebibytes} MiB, touched and rewritten`,
    async ({ repo, server, checkThat }) => {
      const path = `${repo.root}/a/large`;
      checkThat([everything]);
      const before = server.peakMemory;
      // Only a content comparison shows that the file is unchanged.
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
