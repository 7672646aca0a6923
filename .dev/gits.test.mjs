import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isBuilt, programsOf } from './gits.mjs';

describe('gits', () => {
  let folder;

  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'resident-gits-'));
  });
  afterEach(() => fs.rmSync(folder, { recursive: true }));

  function putGit(...parts) {
    const programs = path.join(folder, ...parts);
    fs.mkdirSync(programs, { recursive: true });
    fs.writeFileSync(path.join(programs, 'git'), '#!/bin/sh\necho git version 2.99.0\n', { mode: 0o755 });
    return programs;
  }

  for (const parts of [['bin'], ['bin-wrappers'], []]) {
    it(`finds a git in ${parts[0] ?? 'the directory itself'}`, () => {
      const programs = putGit(...parts);
      assert.equal(programsOf(folder), programs);
    });
  }

  it('names the directory in which there is none', () => {
    assert.throws(() => programsOf(folder), new RegExp(`no working git in ${folder}`));
  });

  describe('kept ones', () => {
    const before = process.env.XDG_CACHE_HOME;
    beforeEach(() => {
      process.env.XDG_CACHE_HOME = folder;
    });
    afterEach(() => {
      if (before === undefined) delete process.env.XDG_CACHE_HOME;
      else process.env.XDG_CACHE_HOME = before;
    });

    it('are found by their number, without asking anybody', () => {
      const kept = ['resident-git', 'gits', '2.99.0'];
      const programs = putGit(...kept, 'bin');
      fs.writeFileSync(path.join(folder, ...kept, 'complete'), '1:2.99.0-1\n');
      assert.equal(programsOf('2.99.0'), programs);
    });

    it('do not count while their build has not come to its end', () => {
      putGit('resident-git', 'gits', '2.99.0', 'bin');
      assert.equal(isBuilt('2.99.0'), false);
    });

    it('have their source where it was asked for', () => {
      putGit('resident-git', 'gits', '2.99.0', 'bin');
      fs.writeFileSync(path.join(folder, 'resident-git', 'gits', '2.99.0', 'complete'), '');
      assert.equal(isBuilt('2.99.0'), true);
      assert.equal(isBuilt('2.99.0', { source: true }), false);
    });
  });
});
