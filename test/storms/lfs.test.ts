/** Files of git-lfs: only its filter can compare the file on disk with the committed one. */
import { strict as assert } from 'node:assert';
import * as fs from 'node:fs';
import { everything, furnish, size, storm } from './storm';

const files = size(200, 5000);
const names = Array.from({ length: files }, (_, i) => `assets/${i % 20}/${i}.bin`);
/** A changed mtime: stat data cannot show that the file is unchanged. */
const touched = 1_600_000_000;

describe('Storms: git-lfs', () => {
  storm(
    `${files} files, touched, edited, as pointers and half downloaded`,
    async ({ sandbox, repo, server, check, checkThat }) => {
      const path = (name: string): string => `${repo.root}/${name}`;
      check();
      assert.match(
        repo.git('cat-file', 'blob', `:${names[0]}`),
        /^version https:\/\/git-lfs/,
        'the filter has run',
      );
      for (const name of names) fs.utimesSync(path(name), touched, touched);
      checkThat([everything]);
      const [edited = '', pointer = '', half = '', locked = '', same = ''] = names;
      repo.write(edited, 'edited');
      await server.tells(/^ M assets\/0\/0\.bin$/);
      // A checkout without a download leaves the pointer file.
      fs.writeFileSync(path(pointer), repo.git('cat-file', 'blob', `:${pointer}`));
      fs.truncateSync(path(half), 10);
      fs.chmodSync(path(locked), 0o444);
      fs.writeFileSync(path(same), fs.readFileSync(path(same)));
      check();
      repo.git('add', '-A');
      check();
      sandbox.env.GIT_LFS_SKIP_SMUDGE = '1';
      repo.git('checkout', '-q', 'HEAD', '--', 'assets/1', 'assets/2');
      checkThat([everything]);
      repo.git('reset', '-q', '--hard');
      check();
    },
    {
      furnish: (repo) => {
        repo.git('lfs', 'install', '--local', '--skip-smudge');
        repo.write('.gitattributes', '*.bin filter=lfs diff=lfs merge=lfs -text\n');
        for (const [i, name] of names.entries()) repo.write(name, `content ${i}\n`.repeat(20 + (i % 7)));
        furnish(repo);
      },
    },
  );
});
