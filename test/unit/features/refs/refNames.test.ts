/** Names of new branches and tags, compared with `git check-ref-format`. */
import { strict as assert } from 'node:assert';
import {
  correctedName,
  listNames,
  refNameProblem,
  TakenNames,
} from '../../../../extension/features/refs/refNames';
import { Prng } from '../../../conformance/random/prng';
import { utf8 } from '../../../support/bytes';
import { Repository } from '../../../support/repository';
import { Sandbox } from '../../../support/sandbox';

const kFixed = [
  ...[
    'a',
    'a b',
    ' a ',
    'a/b',
    '-a',
    'a..b',
    '.a',
    'a/.b',
    'a.lock',
    'a.lock/b',
    'a.',
    'a./b',
    'a/',
    '/a',
    'a//b',
  ],
  ...[
    'a~',
    'a^',
    'a:',
    'a?',
    'a*',
    'a[',
    'a\\',
    'a@{b',
    'a@',
    '{',
    'HEAD',
    'a/HEAD',
    'ä',
    '分支',
    'a\tb',
    'a\x7f',
  ],
  ...["a'b", 'a]', 'a"b', '$(a)', '-', '--', '.', '..', '/', '.lock', 'a.lock.lock', 'a/@', '@a', ''],
];
/** Parts of random names. */
const kParts = [
  ...[
    'a',
    'B',
    '7',
    '-',
    '--',
    '_',
    '/',
    '//',
    '.',
    '..',
    '.lock',
    '@',
    '{',
    '@{',
    '~',
    '^',
    ':',
    '?',
    '*',
    '[',
  ],
  ...[
    '\\',
    ' ',
    '\u3000',
    '\t',
    '\n',
    '\x01',
    '\x7f',
    'é',
    '分',
    '😀',
    "'",
    '"',
    '$',
    '&',
    '(',
    'HEAD',
    'lock',
    'feature/',
  ],
];
const kRandom = 300;

describe('names of branches', () => {
  let sandbox: Sandbox;
  let repository: Repository;
  const names = [...kFixed];

  before(() => {
    sandbox = new Sandbox();
    repository = Repository.init(sandbox, 'r');
    const random = new Prng(20_261);
    for (let i = 0; i < kRandom; i++) {
      const length = 1 + random.below(6);
      names.push(Array.from({ length }, () => random.pick(kParts)).join(''));
    }
  });
  after(() => {
    sandbox.remove();
  });

  // git reads "@" as the branch of HEAD.
  const takes = (name: string) =>
    name !== '@' && repository.tryGit('check-ref-format', '--branch', utf8(name)).code === 0;

  it('are refused where git refuses them, and only there', function () {
    this.timeout(60_000);
    for (const name of names)
      assert.equal(refNameProblem(name) === undefined, takes(name), JSON.stringify(name));
  });

  it('are corrected to what git takes, and left where they are right', function () {
    this.timeout(60_000);
    let corrected = 0;
    for (const name of names) {
      const other = correctedName(name);
      if (refNameProblem(name) === undefined) assert.equal(other, name);
      else if (other !== undefined) {
        corrected++;
        assert.ok(takes(other), `${JSON.stringify(name)} as ${JSON.stringify(other)}`);
        assert.equal(correctedName(other), other);
      }
    }
    assert.ok(corrected > kRandom / 3, String(corrected));
  });

  it('are corrected to the nearest name', () => {
    const corrected = (typed: string) => correctedName(typed);
    assert.equal(corrected('feature one'), 'feature-one');
    assert.equal(corrected('  feature \t one '), 'feature-one');
    assert.equal(corrected('fix: the bug?'), 'fix-the-bug');
    assert.equal(corrected('a@{b'), 'a-b');
    assert.equal(corrected('/a//b/'), 'a/b');
    assert.equal(corrected('--force'), 'force');
    assert.equal(corrected('v1..v2'), 'v1.v2');
    assert.equal(corrected('release.lock'), 'release');
    for (const nothing of ['', ' ', '-', '..', '/', '@', 'HEAD']) assert.equal(corrected(nothing), undefined);
  });

  it('are taken where there is such a branch, or a folder of such branches', () => {
    repository.write('f', 'f\n');
    repository.commit();
    for (const name of ['feature/login', 'alpha', 'old']) repository.git('branch', name);
    repository.git('tag', 'v1');
    const listed = (kind: 'head' | 'tag') => Buffer.from(repository.git(...listNames(kind)));
    const branches = TakenNames.parse('head', listed('head'), 'old');
    assert.equal(branches.problem('alpha'), 'A branch named "alpha" already exists.');
    assert.equal(branches.problem('feature'), 'This name cannot be used while "feature/login" exists.');
    assert.equal(branches.problem('alpha/one/two'), 'This name cannot be used while "alpha" exists.');
    for (const free of ['v1', 'alph', 'alpha2', 'feature/log', 'feature/login2', 'old', 'old/er'])
      assert.equal(branches.problem(free), undefined, free);
    for (const name of ['alpha', 'feature', 'alpha/one/two', 'feature/log', 'v1']) {
      const isMade = repository.tryGit('branch', name).code === 0;
      assert.equal(branches.problem(name) === undefined, isMade, name);
    }
    const tags = TakenNames.parse('tag', listed('tag'));
    assert.equal(tags.problem('v1'), 'A tag named "v1" already exists.');
    assert.equal(tags.problem('alpha'), undefined);
  });
});
