/** Blame by the real git: renames, ignored commits, mailmap, and how runs are limited, ended and kept. */
import { strict as assert } from 'node:assert';
import { BlameRules } from '../../../../extension/features/blame/BlameRules';
import { Blames } from '../../../../extension/features/blame/Blames';
import { CommitDetails } from '../../../../extension/features/blame/CommitDetails';
import { FileBlame } from '../../../../extension/features/blame/FileBlame';
import { blameCommand, parseRemote } from '../../../../extension/features/blame/git';
import { BackgroundRun, GitResult, runGit } from '../../../../extension/git/runGit';
import { Repository } from '../../../support/repository';
import { Sandbox } from '../../../support/sandbox';

const decode = (bytes: Buffer) => Promise.resolve(bytes.toString('utf8'));

describe('blame, beside git', () => {
  let sandbox: Sandbox;
  let repository: Repository;
  let blames: Blames;
  let ran: string[];

  beforeEach(() => {
    sandbox = new Sandbox();
    repository = Repository.init(sandbox, 'r');
    ran = [];
    blames = new Blames(run);
  });
  afterEach(() => {
    blames.dispose();
    sandbox.remove();
  });

  const run: BackgroundRun = (root, command, signal) => {
    ran.push(command.args.find((word) => /^[a-z][a-z-]+$/.test(word)) ?? '');
    return runGit({ path: 'git', env: sandbox.env }, root, command, signal);
  };
  const ask = (place: { root: string }, command: Parameters<BackgroundRun>[1]) =>
    run(place.root, command, new AbortController().signal);
  const head = () => repository.git('rev-parse', 'HEAD').trim();

  function ended(blame: FileBlame): Promise<FileBlame> {
    if (blame.end !== undefined) return Promise.resolve(blame);
    return new Promise((resolve) => {
      const subscription = blames.onDidChange((changed) => {
        if (changed !== blame || blame.end === undefined) return;
        subscription.dispose();
        resolve(blame);
      });
    });
  }
  const blameOf = (path: string, ignoreWhitespace = false) =>
    ended(blames.of(repository.root, 0, { commit: head(), path, ignoreWhitespace }));

  /** "hash name" of each line, by git. */
  function byGit(path: string, ...options: string[]): string[] {
    const args = ['blame', '-l', '--line-porcelain', '--encoding=UTF-8', ...options, 'HEAD', '--', path];
    const output = repository.ask(...args.map(bytesOf)).stdout.toString('utf8');
    return [...output.matchAll(/^([0-9a-f]{40}) .*\nauthor (.*)$/gm)].map(
      ([, hash, name]) => `${hash} ${name}`,
    );
  }
  function told(blame: FileBlame): string[] {
    const lines: string[] = [];
    for (let commit = blame.commitOf(0), i = 0; commit !== undefined; commit = blame.commitOf(++i))
      lines.push(`${commit.hash} ${commit.authorName}`);
    return lines;
  }
  async function matches(path: string, options: { ignoreWhitespace?: boolean } = {}): Promise<FileBlame> {
    const blame = await blameOf(path, options.ignoreWhitespace);
    assert.equal(blame.end, 'complete');
    const expected = byGit(path, ...(options.ignoreWhitespace === true ? ['-w'] : []));
    assert.ok(expected.length > 0);
    assert.deepEqual(told(blame), expected);
    return blame;
  }
  const bytesOf = (text: string) => Buffer.from(text, 'utf8').toString('latin1');
  const commitAt = (content: string, message: string, path: string) => {
    repository.write(path, content);
    repository.git('add', '-A');
    repository.git('commit', '-q', '-m', message);
    return head();
  };
  const commit = (content: string, message: string) => commitAt(content, message, 'f');

  it('follows renames', async () => {
    const first = commit('one\ntwo\nthree\nfour\nfive\n', 'first');
    repository.git('mv', 'f', 'g');
    commitAt('one\ntwo\nthree\nfour\nfive\nsix\n', 'second', 'g');
    const blame = await matches('g');
    assert.equal(blame.commitOf(0)?.hash, first);
    assert.equal(blame.commitOf(5)?.subject, 'second');
  });

  it('ignores the commits of blame.ignoreRevsFile, and names as the mailmap has them', async () => {
    const first = commit('a(1)\nb(2)\n', 'first');
    const second = commit('a( 1 )\nb( 2 )\n', 'format');
    assert.equal((await matches('f')).commitOf(0)?.hash, second);
    repository.write('.git-blame-ignore-revs', `${second}\n`);
    repository.config('blame.ignoreRevsFile', '.git-blame-ignore-revs');
    repository.write('.mailmap', 'Ada Author <ada@example.com> <author@example.com>\n');
    blames.forget(repository.root);
    const blame = await matches('f');
    const { hash, authorName, authorEmail } = blame.commitOf(0) ?? {};
    assert.deepEqual([hash, authorName, authorEmail], [first, 'Ada Author', 'ada@example.com']);
  });

  it('ignores white space if it is asked to', async () => {
    const first = commit('a\n', 'first');
    const second = commit('  a\n', 'indent');
    assert.equal((await matches('f')).commitOf(0)?.hash, second);
    assert.equal((await matches('f', { ignoreWhitespace: true })).commitOf(0)?.hash, first);
  });

  it('matches git over merges, names with spaces and other encodings', async () => {
    const path = 'a folder/ümlaut "x"\tf';
    const commit = (content: string, message: string) => commitAt(content, message, bytesOf(path));
    commit('1\n2\n3\n4\n5\n', 'base');
    repository.git('checkout', '-q', '-b', 'side');
    commit('1\n2\n3\n4\nfive\n', 'side');
    repository.git('checkout', '-q', 'main');
    repository.config('i18n.commitEncoding', 'ISO-8859-1');
    repository.config('user.name', 'Ren\xe9');
    commit('one\n2\n3\n4\n5\n', 'main');
    repository.git('merge', '-q', 'side', '-m', 'merged');
    await matches(path);
  });

  it('is absent for a file that is not in the commit, and failed with the reason of git', async () => {
    commit('a\n', 'first');
    assert.equal((await blameOf('none')).end, 'absent');
    repository.config('blame.ignoreRevsFile', 'missing');
    assert.deepEqual((await blameOf('f')).end, { failed: 'fatal: could not open object name list: missing' });
  });

  it('is not made of a file that is too long', async () => {
    commit('\n'.repeat(100_001), 'long');
    assert.equal((await blameOf('f')).end, 'tooLarge');
    commit('x'.repeat((16 << 20) + 1), 'wide');
    assert.equal((await blameOf('f')).end, 'tooLarge');
  });

  it('is made once for a version, and kept', async () => {
    commit('a\n', 'first');
    const [one, two] = await Promise.all([blameOf('f'), blameOf('f')]);
    assert.equal(one, two);
    assert.equal(await blameOf('f'), one);
    assert.deepEqual(ran.sort(), ['blame', 'cat-file']);
    const later = await ended(
      blames.of(repository.root, 1, { commit: head(), path: 'f', ignoreWhitespace: false }),
    );
    assert.notEqual(later, one);
  });

  it('runs for two files at a time, the last one first, and ends for those that nobody looks at', async () => {
    commit('a\n', 'first');
    const started: string[] = [];
    const ends = new Map<string, () => void>();
    let aborted = 0;
    const slow: BackgroundRun = (_root, command, signal) => {
      const path = command.args.at(-1) ?? '';
      const result: GitResult = {
        code: 0,
        stdout: Buffer.alloc(0),
        stderr: Buffer.alloc(0),
        milliseconds: 0,
        isCancelled: false,
      };
      if (command.args[0] === 'cat-file') return Promise.resolve(result);
      started.push(path);
      return new Promise((resolve) => {
        ends.set(path, () => resolve(result));
        signal.addEventListener('abort', () => {
          aborted++;
          resolve({ ...result, code: undefined, isCancelled: true });
        });
      });
    };
    blames.dispose();
    blames = new Blames(slow);
    const question = (path: string) => blames.of('/r', 0, { commit: 'c', path, ignoreWhitespace: false });
    const asked = ['a', 'b', 'c', 'd', 'e'].map(question);
    assert.deepEqual(started, ['a', 'b']);
    const [a, , c] = asked;
    assert.ok(a && c);
    ends.get('a')?.();
    await ended(a);
    assert.deepEqual(started, ['a', 'b', 'e']);
    blames.keepOnly(new Set([c]));
    assert.equal(aborted, 2);
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(started, ['a', 'b', 'e', 'c']);
    ends.get('c')?.();
    await ended(c);
    assert.equal(question('c'), c);
    assert.notEqual(question('b'), asked[1]);
  });

  it('keeps a bounded number of answers', async () => {
    commit('a\n', 'first');
    const first = await blameOf('f');
    for (let i = 0; i < 64; i++) await blameOf(`none${i}`);
    assert.notEqual(await blameOf('f'), first);
  });

  it('knows the lines of git in a text whose lines are others in the editor', async () => {
    const text = async (content: string) => {
      commit(content, 'c');
      const { lines, gitLines } = (await (await blameOf('f')).textIn('utf8', decode)) ?? {};
      return [lines?.length, gitLines && [...gitLines]];
    };
    assert.deepEqual(await text('a\nb\r\nc'), [3, undefined]);
    assert.deepEqual(await text('a\rb\nc\r\rd\n'), [6, [0, 0, 1, 1, 1, 2]]);
    assert.deepEqual(await text('version https://git-lfs.github.com/spec/v1\noid x\n'), [
      undefined,
      undefined,
    ]);
  });

  it('notices changes of the rules', async () => {
    commit('a\n', 'first');
    commit('b\n', 'second');
    const gitDir = `${repository.root}/.git`;
    const place = { root: repository.root, gitDir, commonDir: gitDir };
    const rules = new BlameRules(ask);
    assert.equal(await rules.refresh(place), false);
    assert.equal(await rules.refresh(place), false);
    const changes = [
      () => repository.config('blame.ignoreRevsFile', 'ignored'),
      () => repository.write('ignored', `${head()}\n`),
      () => repository.write('.mailmap', 'A <a@b>\n'),
      () => repository.git('replace', '--graft', 'HEAD'),
    ];
    for (const [i, change] of changes.entries()) {
      change();
      assert.equal(await rules.refresh(place), true, String(i));
      assert.equal(await rules.refresh(place), false, String(i));
    }
    assert.equal(rules.generationOf(place), changes.length);
    rules.forget(repository.root);
    assert.equal(rules.generationOf(place), 0);
  });

  it('has the message and the page of a commit', async () => {
    const hash = commit('a\n', bytesOf('Subject\n\nBody — *text*\n\nTrailer: x'));
    repository.git('remote', 'add', 'zeta', 'git@gitlab.com:g/z.git');
    repository.git('remote', 'add', 'origin', 'git@github.com:o/n.git');
    const details = new CommitDetails(run);
    const found = await details.of(repository.root, hash, undefined);
    assert.equal(found.message, 'Subject\n\nBody — *text*\n\nTrailer: x');
    assert.equal(found.page?.url, `https://github.com/o/n/commit/${hash}`);
    assert.equal(details.known(repository.root, hash), found);
    details.forget(repository.root);
    assert.equal(details.known(repository.root, hash), undefined);
    const other = await details.of(repository.root, hash, 'zeta');
    assert.equal(other.page?.site, 'GitLab');
    const none = await details.of(repository.root, 'f'.repeat(40), undefined);
    assert.equal(none.message, undefined);
  });

  it('reads the URL of a remote from git', () => {
    const output = 'a\thttps://x/y (fetch) [blob:none]\na\thttps://x/push (push)\nb\tfile path (fetch)\n';
    assert.equal(parseRemote(Buffer.from(output), undefined), 'https://x/y');
    assert.equal(parseRemote(Buffer.from(output), 'b'), 'file path');
    assert.equal(parseRemote(Buffer.from(''), 'b'), undefined);
  });

  it('names no program that the config of the repository names', () => {
    const { args } = blameCommand({ commit: 'c', path: 'p', ignoreWhitespace: false });
    assert.ok(args.includes('--no-textconv'));
  });
});
