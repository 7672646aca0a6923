/** A mount over a directory hides it without an inotify event. */
import { mkdirSync } from 'node:fs';
import { Repository } from '../support/repository';
import { withMounts } from '../support/mounted';
import { everything, furnish, itAsRoot, needsRoot, storm, withSandboxOnDisk, withServer } from './storm';

describe('Storms: mounts', () => {
  storm(
    'a file system in memory is mounted on a directory and unmounted',
    async ({ sandbox, repo, server, check, checkThat }) => {
      await withMounts(sandbox, async () => {
        const mountPoint = `${repo.root}/a/x`;
        let from = server.told;
        sandbox.exec('mount', '-t', 'tmpfs', 'none', mountPoint);
        await server.tells(/^ D a\/x\/deep\/3$/, from);
        checkThat([everything], /^ D a\/x\/2$/m);
        repo.write('a/x/new/file', '1');
        repo.write('a/x/2', 'other');
        check();
        sandbox.exec('umount', mountPoint);
        checkThat([everything]);
        repo.write('a/x/deep/3', 'edited below');
        check();
        sandbox.exec('mount', '-t', 'tmpfs', 'none', mountPoint);
        check();
        from = server.told;
        sandbox.exec('umount', mountPoint);
        await server.tells(/^ M a\/x\/deep\/3$/, from);
        check();
      });
    },
    { asRoot: true },
  );

  storm(
    'a directory is bound to another place',
    async ({ sandbox, repo, check }) => {
      await withMounts(sandbox, () => {
        sandbox.exec('mount', '--bind', `${repo.root}/b`, `${repo.root}/a`);
        check();
        repo.write('a/x/2', 'through the second place');
        check();
        repo.write('b/y/deep/3', 'through the first place');
        check();
        sandbox.exec('umount', `${repo.root}/a`);
        check();
        repo.write('a/x/deep/3', 'the directory itself');
        check();
        mkdirSync(sandbox.path('elsewhere'));
        sandbox.exec('mount', '--bind', sandbox.path('elsewhere'), `${repo.root}/c/x`);
        check();
        sandbox.exec('sh', '-c', 'echo 1 >elsewhere/from-outside');
        check();
        sandbox.exec('umount', `${repo.root}/c/x`);
        check();
      });
    },
    { asRoot: true },
  );

  storm(
    'a single file is bound over another',
    async ({ sandbox, repo, check }) => {
      await withMounts(sandbox, () => {
        sandbox.exec('mount', '--bind', `${repo.root}/top`, `${repo.root}/a/1`);
        check();
        repo.write('a/1', 'through the second name');
        check();
        repo.write('top', 'through the first name');
        check();
        repo.git('add', '-A');
        check();
        repo.append('a/1', 'through the second name again');
        check();
        sandbox.exec('umount', `${repo.root}/a/1`);
        check();
      });
    },
    { asRoot: true },
  );

  itAsRoot(`the worktree is on an overlay ${needsRoot}`, async () => {
    await withSandboxOnDisk(async (sandbox) => {
      await withMounts(sandbox, async () => {
        const below = Repository.init(sandbox, 'lower');
        furnish(below);
        // The upper directory must be on a file system that overlayfs accepts.
        for (const name of ['layers', 'w']) mkdirSync(sandbox.path(name));
        sandbox.exec('mount', '-t', 'tmpfs', 'none', 'layers');
        for (const name of ['upper', 'work']) mkdirSync(sandbox.path('layers', name));
        const layers = 'lowerdir=lower,upperdir=layers/upper,workdir=layers/work';
        sandbox.exec('mount', '-t', 'overlay', '-o', layers, 'none', 'w');
        const repo = new Repository(sandbox, sandbox.path('w'));
        await withServer(repo, ({ check }) => {
          check();
          repo.write('a/x/2', 'copied up');
          check();
          repo.append('a/x/2', 'and again');
          repo.write('b/y/deep/new', '1');
          check();
          repo.remove('c');
          check();
          repo.write('c/x/2', 'in an opaque directory');
          check();
          repo.chmod('b/x/2', 0o755);
          repo.rename('b/y/deep/3', 'b/y/4');
          check();
          repo.git('add', '-A');
          check();
        });
      });
    });
  });

  itAsRoot(`the worktree is what is unmounted, and mounted again ${needsRoot}`, async () => {
    await withSandboxOnDisk(async (sandbox) => {
      await withMounts(sandbox, async () => {
        mkdirSync(sandbox.path('w'));
        mkdirSync(sandbox.path('stick'));
        sandbox.exec('mount', '-t', 'tmpfs', 'none', 'stick');
        sandbox.exec('mount', '--bind', 'stick', 'w');
        const repo = new Repository(sandbox, sandbox.path('w'));
        repo.git('init', '-q');
        furnish(repo);
        await withServer(
          repo,
          async ({ server, check }) => {
            check();
            // Lazy, because the server's open and mapped files make the worktree busy.
            sandbox.exec('umount', '-l', 'w');
            await server.tells(/^== failed: .*the worktree was removed$/);
            await server.stop();
          },
          { serverEnds: true },
        );
        sandbox.exec('mount', '--bind', 'stick', 'w');
        await withServer(repo, ({ check }) => {
          check();
          repo.write('a/x/2', 'after it came back');
          check();
        });
      });
    });
  });
});
