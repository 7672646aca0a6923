/** Whole trees are created, removed, moved and exchanged while a server watches. */
import { strict as assert } from 'node:assert';
import * as fs from 'node:fs';
import { run } from '../support/run';
import { everything, furnish, size, storm } from './storm';

const directories = size(500, 50_000);

describe('Storms: trees', () => {
  storm(
    `rm -rf of ${directories} watched directories`,
    ({ repo, server, check, checkThat }) => {
      // Makes the server watch everything that a question needs.
      checkThat([everything]);
      const [watches, memory] = [server.watches, server.memory];
      run('rm', ['-rf', `${repo.root}/wide`], { cwd: '/', env: process.env, timeoutMs: 600_000 });
      checkThat([everything], /^ D wide\/0\/d0\/f$/m);
      assert.ok(server.watches <= watches - directories, `${server.watches} watches of ${watches}`);
      repo.git('commit', '-qam', 'gone');
      check();
      // A smaller index needs less memory.
      assert.ok(server.memory < memory + 8, `${server.memory} MiB afterwards, ${memory} before`);
      repo.write('wide/0/d0/f', 'made anew');
      repo.write('wide/0/d1/g', 'made anew');
      check();
    },
    { furnish: (repo) => furnishWide(repo) },
  );

  const buildSeconds = size(1, 120);
  storm(`a build writes into ignored directories for ${buildSeconds} s`, ({ repo, server, check }) => {
    fs.mkdirSync(`${repo.root}/build`);
    check();
    const { told, watches, cpu } = server;
    const end = Date.now() + buildSeconds * 1000;
    for (let round = 0; Date.now() < end; round++) {
      const directory = `${repo.root}/build/${round % 7}/obj`;
      fs.mkdirSync(directory, { recursive: true });
      for (let i = 0; i < 500; i++) fs.writeFileSync(`${directory}/${i}.o`, 'x');
      fs.rmSync(directory, { recursive: true });
    }
    assert.equal(server.told, told, 'nothing is told of it');
    assert.equal(server.watches, watches, 'and nothing of it is watched');
    // The sweep may use a hundredth of a core.
    assert.ok(server.cpu - cpu < 0.1 + buildSeconds / 100, `${server.cpu - cpu} s of a core`);
    check();
  });

  storm('a directory is renamed back and forth while its files change', (context) => {
    const { repo, check } = context;
    for (let round = 0; round < size(40, 2000); round++) {
      fs.renameSync(`${repo.root}/a`, `${repo.root}/moved`);
      fs.writeFileSync(`${repo.root}/moved/x/deep/3`, `${round}`);
      fs.writeFileSync(`${repo.root}/moved/x/deep/new${round % 3}`, `${round}`);
      fs.renameSync(`${repo.root}/moved`, `${repo.root}/a`);
      fs.writeFileSync(`${repo.root}/a/y/deep/3`, `${round}`);
      if (round % 20 === 0) check();
    }
    check();
    fs.writeFileSync(`${repo.root}/a/x/deep/3`, 'two levels below');
    check();
  });

  storm('two directories change places, and are edited two levels below', async ({ repo, server, check }) => {
    const swap = (): void => {
      fs.renameSync(`${repo.root}/a`, `${repo.root}/.swap`);
      fs.renameSync(`${repo.root}/b`, `${repo.root}/a`);
      fs.renameSync(`${repo.root}/.swap`, `${repo.root}/b`);
    };
    swap();
    repo.write('a/x/deep/3', 'edited after the first');
    check();
    swap();
    swap();
    repo.write('b/x/deep/new', 'edited after three');
    check();
    const from = server.told;
    repo.write('b/y/deep/new', 'without a question');
    await server.tells(/^\?\? b\/y\/deep\/new$/, from);
    check();
  });

  storm('a directory moves below another, out of the worktree, and in again', async (context) => {
    const { sandbox, repo, server, check } = context;
    repo.rename('a', 'b/x/deep/a');
    check();
    repo.write('b/x/deep/a/x/deep/3', 'below another');
    check();
    repo.rename('b/x', '../outside');
    check();
    const outside = sandbox.path('outside');
    fs.writeFileSync(`${outside}/2`, 'edited outside');
    fs.writeFileSync(`${outside}/deep/a/y/deep/3`, 'edited outside');
    fs.writeFileSync(`${outside}/deep/new`, 'made outside');
    check();
    repo.rename('../outside', 'b/x');
    check();
    repo.write('b/x/deep/a/y/deep/new', 'edited after it came back');
    check();
    repo.rename('b/x/deep/a', 'a');
    // Moved out, edited and moved in again before the server notices.
    server.signal('SIGSTOP');
    repo.rename('c', '../outside');
    fs.writeFileSync(`${outside}/x/deep/3`, 'edited outside');
    fs.rmSync(`${outside}/y/deep`, { recursive: true });
    fs.mkdirSync(`${outside}/y/deep`);
    repo.rename('../outside', 'c');
    repo.write('c/y/deep/3', 'another directory of that name');
    server.signal('SIGCONT');
    check();
    const from = server.told;
    repo.write('c/y/deep/new', '1');
    await server.tells(/^\?\? c\/y\/deep\/new$/, from);
    check();
  });
});

function furnishWide(repo: Parameters<typeof furnish>[0]): void {
  furnish(repo);
  const each = 50;
  for (let i = 0; i < directories / each; i++) {
    for (let j = 0; j < each; j++) {
      const directory = `${repo.root}/wide/${i}/d${j}`;
      fs.mkdirSync(directory, { recursive: true });
      fs.writeFileSync(`${directory}/f`, '');
    }
  }
  repo.commit();
}
