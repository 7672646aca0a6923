/** Cases about git's messages on standard error beside its answer: each source gives the same. */
import { strict as assert } from 'node:assert';
import { atLeast } from '../support/oracle';
import type { Repository } from '../support/repository';
import { conformanceCase, type CaseContext, type CaseOptions } from './case';
import { question } from './questions';

const formats = [
  question('--porcelain=v2', '-z', '-b'),
  question('-sb'),
  question('--porcelain', '--ignored'),
  question('-s', '-uno'),
];

/** The message since that version; no message before. */
export function since(major: number, minor: number, says: RegExp): RegExp {
  return atLeast(major, minor) ? says : /^$/;
}

export function furnish(repo: Repository): void {
  repo.write('a', 'one\n');
  repo.write('d/b', 'two\n');
  repo.commit();
}

/** Asks in several formats. In at least one, git's message must match. */
export function messageCase(
  title: string,
  says: RegExp,
  body: (context: CaseContext) => void,
  after?: (context: CaseContext) => void,
  options: CaseOptions = {},
): void {
  conformanceCase(
    title,
    (context) => {
      furnish(context.repo);
      context.check();
      body(context);
      const said = formats.map((format) => context.subject.askGit(format).stderr.toString('latin1')).join('');
      assert.match(said, says, `the case does not reach its state: git says "${said}"`);
      context.checkAll(formats);
      context.checkAll(formats, 'd');
      context.check();
      if (after === undefined) return;
      after(context);
      for (const format of formats) assert.equal(context.subject.askGit(format).stderr.length, 0);
      context.check();
      context.checkAll(formats);
    },
    { delegates: 'maybe', ...options },
  );
}

/** A submodule `sub`, committed. */
export function addSubmodule({ sandbox, repo }: CaseContext): void {
  sandbox.exec('git', 'init', '-q', 'source');
  sandbox.exec('git', '-C', 'source', 'commit', '-q', '--allow-empty', '-m', 'x');
  repo.git('submodule', '--quiet', 'add', '../source', 'sub');
  repo.git('commit', '-q', '-m', 'with a submodule');
}
