import assert from 'node:assert/strict';
import { checkBinary, pictureProblems } from './check-package.mjs';
import { kThisTarget } from './shell.mjs';
import { kTargets } from './toolchain.mjs';

describe('what a package may hold', () => {
  // Node's own program stands for one that was not built for a package.
  const problemsFor = (target, glibc) =>
    checkBinary(process.execPath, 'node', target, glibc).problems.join('\n');

  it('has small pictures', () => {
    const pictures = [
      { name: 'small.png', size: 153_600 },
      { name: 'large.png', size: 153_601 },
    ];
    assert.deepEqual(pictureProblems(pictures), ['large.png: 153601 bytes; a picture has at most 153600']);
  });

  it('is built for the processor that the package is for', () => {
    for (const [target, { machine }] of Object.entries(kTargets)) {
      const isOther = new RegExp(`node is built for .*, not for ${machine}`);
      if (machine === kTargets[kThisTarget].machine) assert.doesNotMatch(problemsFor(target), isOther);
      else assert.match(problemsFor(target), isOther);
    }
  });

  it('needs no library but the C library', () => {
    assert.match(problemsFor(kThisTarget), /node needs libstdc\+\+\.so\.6/);
  });

  it('is for the C library that the package is for', () => {
    const problems = problemsFor(kThisTarget.replace('linux', 'alpine'));
    assert.match(problems, /node needs glibc 2\.\d\d instead of musl/);
    assert.match(problems, /node needs libc\.so\.6/);
  });

  it('names no version of the C library that is newer than VS Code asks for', () => {
    assert.match(problemsFor(kThisTarget, '2.9'), /node needs glibc 2\.\d\d; the limit is 2\.9/);
    assert.doesNotMatch(problemsFor(kThisTarget, '2.99'), /glibc/);
  });
});
