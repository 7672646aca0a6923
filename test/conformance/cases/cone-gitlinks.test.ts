/**
 * Submodules and nested repositories inside and outside of a sparse checkout's cones. git marks an outside
 * gitlink like any other entry. It removes the mark when it finds the directory, and so checks the submodule
 * anyway.
 */
import { atLeast } from '../../support/oracle';
import type { Repository } from '../../support/repository';
import { type CaseContext, type CaseOptions, conformanceCase } from '../case';
import { canSetWithChanges, present, setSparseCheckout } from '../sparse';

/** A repository in the worktree with one commit. */
function nest(repo: Repository, path: string): Repository {
  repo.mkdir(path);
  const inner = repo.at(path);
  inner.git('init', '-q');
  repo.write(`${path}/file`, 'in the submodule\n');
  inner.commit('in the submodule');
  return inner;
}

interface ConeOptions extends CaseOptions {
  /** Options of `git sparse-checkout set`, and its patterns. */
  cone?: readonly string[];
  patterns?: readonly string[];
  /** Other files in the submodule's directory. */
  beside?: readonly string[];
}

/** `in` is checked out; `out` with the submodule `out/sub` is not. */
function coneCase(
  title: string,
  body: (context: CaseContext, sub: Repository) => void,
  { cone = ['--cone'], patterns = ['in'], beside = ['out/file'], ...options }: ConeOptions = {},
): void {
  conformanceCase(
    title,
    (context) => {
      const { repo, check } = context;
      for (const path of ['in/file', ...beside]) repo.write(path, `${path}\n`);
      repo.commit();
      const sub = nest(repo, 'out/sub');
      repo.git('add', 'out/sub');
      check(/^1 A\. S\.\.\. .* out\/sub$/);
      setSparseCheckout(repo, cone, ...patterns);
      body(context, sub);
    },
    { delegates: 'maybe', ...options },
  );
}

const cones: readonly ConeOptions[] = [
  { cone: ['--cone'] },
  { cone: ['--cone'], beside: [] },
  { cone: ['--cone', '--sparse-index'] },
  { cone: ['--no-cone'], patterns: ['/in/'] },
];

const described = canSetWithChanges() ? describe : (): void => undefined;

described('gitlinks and cones', () => {
  for (const options of cones) {
    const what = [...(options.cone ?? []), ...(options.patterns ?? ['in']), options.beside ? 'alone' : '']
      .join(' ')
      .trim();
    coneCase(
      `a submodule outside: ${what}`,
      ({ repo, check }, sub) => {
        check(/^1 A\. S\.\.\. .* out\/sub$/);
        repo.write('out/sub/new', '');
        check(...present(/^1 AM S\.\.U .* out\/sub$/));
        repo.git('commit', '-q', '-m', 'with a submodule');
        check(...present(/^1 \.M S\.\.U .* out\/sub$/));
        repo.write('out/sub/file', 'changed\n');
        check(...present(/^1 \.M S\.MU .* out\/sub$/));
        sub.commit('again');
        check(...present(/^1 \.M SC\.\. .* out\/sub$/));
        repo.git('sparse-checkout', 'reapply');
        check(...present(/^1 \.M SC\.\. .* out\/sub$/));
        repo.git('sparse-checkout', 'set', 'in', 'out');
        check(/^1 \.M SC\.\. .* out\/sub$/);
        repo.git('add', 'out/sub');
        repo.git('sparse-checkout', 'set', 'in');
        repo.write('out/sub/late', '');
        check(...present(/^1 MM S\.\.U .* out\/sub$/));
      },
      options,
    );
  }

  coneCase(
    'a submodule outside that goes and comes',
    ({ repo, check }) => {
      repo.git('commit', '-q', '-m', 'with a submodule');
      repo.write('out/sub/new', '');
      check(...present(/^1 \.M S\.\.U .* out\/sub$/));
      repo.rename('out/sub', 'elsewhere');
      check(/^\? elsewhere\/$/);
      repo.rename('elsewhere', 'out/sub');
      check(...present(/^1 \.M S\.\.U .* out\/sub$/));
      repo.rename('out', 'elsewhere');
      check(/^\? elsewhere\/$/);
      repo.rename('elsewhere', 'out');
      check(...present(/^1 \.M S\.\.U .* out\/sub$/));
      repo.remove('out/sub');
      repo.mkdir('out/sub');
      check();
      repo.rmdir('out/sub');
      repo.write('out/sub', 'a file\n');
      check(...present(/^1 \.T .* out\/sub$/));
    },
    {},
  );

  coneCase(
    'a submodule outside, with files outside of the patterns expected',
    ({ repo, check }) => {
      repo.config('sparse.expectFilesOutsideOfPatterns', 'true');
      repo.write('out/sub/new', '');
      check(/^1 A\. S\.\.\. .* out\/sub$/);
      repo.config('sparse.expectFilesOutsideOfPatterns', 'false');
      check(...present(/^1 AM S\.\.U .* out\/sub$/));
      repo.git('update-index', '--assume-unchanged', 'out/sub');
      check(/^1 A\. S\.\.\. .* out\/sub$/);
    },
    {},
  );

  conformanceCase(
    'nested repositories, in and outside',
    ({ repo, check }) => {
      for (const path of ['in/file', 'out/file', 'far/deep/file']) repo.write(path, `${path}\n`);
      repo.commit();
      setSparseCheckout(repo, ['--cone'], 'in');
      for (const path of ['in/inner', 'out/inner', 'far/deep/inner']) nest(repo, path);
      check(/^\? in\/inner\/$/, /^\? out\/inner\/$|^\? out\/$/, /^\? far\/deep\/inner\/$|^\? far\/$/);
      setSparseCheckout(repo, ['--cone', '--sparse-index'], 'in');
      check(/^\? in\/inner\/$/, /^\? out\/inner\/$|^\? out\/$/);
      repo.git('add', ...(atLeast(2, 34) ? ['--sparse'] : []), 'far/deep/inner', 'in/inner');
      repo.write('far/deep/inner/new', '');
      check(/^1 AM S\.\.U .* far\/deep\/inner$/, /^1 A\. S\.\.\. .* in\/inner$/);
    },
    { delegates: 'maybe' },
  );
});
