/** Pathspecs for other worktrees, and pathspecs that git answers. */
import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { fromBuffer } from '../../support/bytes';
import { Repository } from '../../support/repository';
import { type CaseContext, conformanceCase } from '../case';
import { question } from '../questions';
import { checkLists, furnish, inNineModes } from './pathspecs';
import { setSparseCheckout } from '../sparse';

describe('pathspecs elsewhere', () => {
  conformanceCase('an unborn branch', ({ repo, checkAll }) => {
    repo.write('a.c', '');
    repo.write('sub/b.c', '');
    repo.git('add', '-A');
    repo.write('sub/c.c', '');
    repo.write('sub/new/d.c', '');
    repo.git('add', '-N', 'sub/c.c');
    checkAll([['sub'], ['*.c'], [':!sub/b.c'], ['sub/new/'], ['x']].flatMap((list) => inNineModes(list)));
  });

  // If git keeps sparse directories, it matches a pathspec against whole ones.
  conformanceCase(
    'a sparse index',
    (context) => {
      const { repo } = context;
      for (const path of ['in/a.c', 'out/b.c', 'out/deep/c.c', 'x.c']) repo.write(path, path);
      repo.commit();
      repo.write('out/b.c', 'another\n');
      repo.commit();
      setSparseCheckout(repo, ['--cone', '--sparse-index'], 'in');
      repo.git('reset', '-q', '--soft', 'HEAD~1');
      context.check(/^1 M\. .* out\/b\.c$/);
      checkLists(context, [
        ['out'],
        ['out/'],
        ['*.c'],
        ['out/*.c'],
        ['in'],
        [':!out'],
        [':(attr:!x)out'],
        ['out/deep'],
      ]);
    },
    { delegates: 'maybe' },
  );

  // git treats it as a sparse directory.
  conformanceCase(
    'a directory of HEAD that a sparse index has nothing of',
    (context) => {
      const { repo } = context;
      repo.write('in/a.c', '');
      repo.git('add', '-A');
      for (const path of ['d/inner', 'e'])
        repo.git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},${path}`);
      repo.git('commit', '-qm', 'with submodules');
      setSparseCheckout(repo, ['--cone', '--sparse-index'], 'in');
      for (const path of ['d/inner', 'e']) repo.git('update-index', '--force-remove', path);
      context.check(/^1 D\. .* d\/inner$/);
      checkLists(context, [['d'], ['d/inner'], ['d/*'], ['e'], [':!in'], ['d/no']]);
    },
    { delegates: 'maybe' },
  );

  conformanceCase(
    'a sparse checkout, of which the long format tells how much is there',
    ({ repo, checkAll }) => {
      for (const path of ['in/a.c', 'out/b.c', 'out/deep/c.c', 'x.c']) repo.write(path, path);
      repo.commit();
      setSparseCheckout(repo, ['--cone'], 'in');
      repo.write('out/b.c', 'present though outside\n');
      checkAll([['in'], ['out'], ['x.c'], ['*.c'], [':!out']].map((list) => question('--', ...list)));
    },
  );

  const libraryCase = (title: string, body: (context: CaseContext) => void): void =>
    conformanceCase(
      title,
      (context) => {
        const library = Repository.init(context.sandbox, 'library');
        library.write('file', '');
        library.commit();
        for (const path of ['module', 'sub/module']) {
          context.repo.git('submodule', '--quiet', 'add', '../library', path);
        }
        context.repo.commit();
        body(context);
      },
      { delegates: 'maybe' },
    );

  libraryCase('submodules, by their name and by something in them', (context) => {
    const { repo, check, checkAll } = context;
    const asked = [
      ['module'],
      ['module/'],
      ['module/file'],
      ['module/*'],
      ['mod*'],
      ['sub'],
      ['sub/module/'],
    ];
    const more = [[':(icase)MODULE/'], [':!module'], [':!module/'], ['.gitmodules'], ['*e'], ['module/.git']];
    const checkEach = (): void => checkLists(context, [...asked, ...more]);
    checkEach();
    repo.write('module/new', '');
    repo.write('sub/module/file', 'changed\n');
    repo.at('module').git('commit', '-q', '--allow-empty', '-m', 'more');
    check(/^1 \.M SC\.U .* module$/, /^1 \.M S\.M\. .* sub\/module$/);
    checkEach();
    repo.git('add', 'module');
    checkEach();
    checkAll([question('--porcelain=v2', '--ignore-submodules=all', '--', 'module', 'sub')]);
  });

  libraryCase('what lies outside does not fail the answer', ({ repo, checkAll }) => {
    repo.write('sub/new', '');
    repo.write('.git/modules/module/index', 'no index\n');
    assert.notEqual(repo.ask('status').code, 0, 'git answers: the case does not reach its state');
    checkAll([['sub'], ['.gitmodules', 'sub/new']].flatMap((list) => inNineModes(list)));
    checkAll([question('--porcelain=v2', '--', 'module')]);
  });

  conformanceCase(
    'what is handed to git goes whole',
    (context) => {
      furnish(context);
      const { repo, sandbox, subject } = context;
      repo.symlink('.', '../way');
      const handed = [
        ...[
          ['a.c', ''],
          ['..'],
          ['../..', 'a.c'],
          ['/'],
          [`${sandbox.root}/way/sub`],
          [':(prefix:0)sub'],
          [':(nope)a'],
        ],
        ...[
          ['a.c', ':(top'],
          [':(glob,literal)a'],
          [':%a', 'sub'],
          [':(attr:)'],
          [':(attr:-)'],
          [':(attr:a=.)'],
        ],
        ...[[':(attr:a,attr:b)'], [':(attr:a=\\)'], [':(attr:a b/)', 'sub']],
      ];
      for (const source of ['scan', 'resident'] as const) {
        for (const pathspecs of handed) {
          const asked = question('--porcelain=v2', '-uall', '--ignored', '--', ...pathspecs);
          const before = readFileSync(sandbox.spyLog).length;
          subject.compare([{ question: asked, sources: [source] }]);
          const calls = fromBuffer(readFileSync(sandbox.spyLog).subarray(before)).split('\n');
          const whole = `status ${asked.args.join(' ')}`;
          assert.ok(calls.includes(whole), `${source}: ${whole} is not among\n${calls.join('\n')}`);
        }
      }
      const env = { GIT_ICASE_PATHSPECS: 'perhaps' };
      context.checkAll([
        { ...question('-s', '--', 'SUB'), env },
        { ...question('-s'), env },
      ]);
    },
    { delegates: 'maybe' },
  );
});
