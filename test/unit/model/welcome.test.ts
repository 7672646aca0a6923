/** The text of the empty view, the obstacles to opening or watching repositories, and the questions of a clone. */
import { strict as assert } from 'node:assert';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { cloneArguments, cloneFolder } from '../../../extension/features/repositories/plan';
import { gitToRun, hasGitOnPath, pathWithGit } from '../../../extension/model/gitOnPath';
import {
  safeDirectoryCommand,
  unsafeDirectories,
  unsafeReason,
} from '../../../extension/model/safeDirectory';
import { watchLimit } from '../../../extension/features/watchLimit/plan';
import { welcome, WelcomeSource } from '../../../extension/model/welcome';
import { Sandbox } from '../../support/sandbox';
import { kWatching } from '../support/deltas';

const kDubious =
  "/a/sub: detected dubious ownership in repository at '/a'\nTo add an exception for this directory, call:\n" +
  '\n\tgit config --global --add safe.directory /a';
const kTooOld = 'git 2.20.5 is too old: git 2.26.0 or newer is needed';

describe('what the empty view says', () => {
  const empty: WelcomeSource = {
    hasRepository: false,
    hasFolder: true,
    leavesOut: false,
    problems: [],
    hasGit: true,
    isBuiltInOn: false,
  };
  const said = (more: Partial<WelcomeSource>) => welcome({ ...empty, ...more });
  const ours = (more: Partial<WelcomeSource>) => {
    const found = said(more);
    return found?.isSaidByBuiltIn === false ? found.text : undefined;
  };

  it('offers a folder, then a repository', () => {
    assert.equal(ours({ hasFolder: false }), 'noFolder');
    assert.equal(ours({}), 'noRepository');
  });

  it('says nothing where there is a repository, or while git is looked for', () => {
    assert.equal(said({ hasRepository: true, problems: [kDubious] }), undefined);
    assert.equal(said({ hasGit: undefined }), undefined);
  });

  it('names what keeps git from answering', () => {
    assert.equal(ours({ hasGit: false }), 'gitMissing');
    assert.equal(ours({ problems: [kTooOld], hasGit: undefined }), 'gitTooOld');
    assert.equal(ours({ problems: [kDubious] }), 'unsafe');
    assert.equal(ours({ problems: ["unsafe repository ('/a' is owned by someone else)"] }), 'unsafe');
  });

  it('leaves a problem that it cannot explain to its row', () => {
    assert.equal(said({ problems: [kDubious, '/b/.git/index: bad signature'] }), undefined);
  });

  it("leaves to VS Code's own Git what that says too", () => {
    const isBuiltInOn = true;
    assert.deepEqual(said({ isBuiltInOn }), { text: 'noRepository', isSaidByBuiltIn: true });
    assert.deepEqual(said({ isBuiltInOn, problems: [kDubious] }), { text: 'unsafe', isSaidByBuiltIn: true });
    // The built-in opens the repository with a git that is too old for us. The view is not empty and lists the
    // problem.
    assert.equal(said({ isBuiltInOn, problems: [kTooOld] }), undefined);
  });
});

describe('repositories of another user', () => {
  it('are named as git names them, each once', () => {
    const problems = new Map([
      ['/a/sub', kDubious],
      ['/a', kDubious],
      ['/b', "/b: detected dubious ownership in repository at '/b c'"],
      ['/d', kTooOld],
    ]);
    assert.deepEqual(
      [...unsafeDirectories(problems)],
      [
        ['/a', '/a/sub'],
        ['/b c', '/b'],
      ],
    );
  });

  it('are allowed by a command for the terminal', () => {
    assert.equal(safeDirectoryCommand("/b c'd"), "git config --global --add safe.directory '/b c'\\''d'");
  });
});

describe('a repository of another user', () => {
  it('is told with the whole command', () => {
    assert.match(unsafeReason(kDubious) ?? '', /: git config --global --add safe\.directory \/a$/);
    assert.match(
      unsafeReason("/b: detected dubious ownership in repository at '/b c'") ?? '',
      /safe\.directory '\/b c'$/,
    );
    assert.equal(unsafeReason(kTooOld), undefined);
  });
});

describe('the limit of watches', () => {
  it('is to suffice for every worktree', () => {
    const polling = { state: 'polling' as const, directories: 9, polled: 5 };
    const short = (needed: number) => ({
      ...polling,
      shortage: { limit: 'watches', needed, command: `raise to ${needed}` },
    });
    assert.equal(watchLimit([kWatching, polling]), undefined);
    assert.deepEqual(watchLimit([short(10), kWatching, short(30), short(20)]), {
      limit: 'watches',
      needed: 30,
      command: 'raise to 30',
    });
  });
});

describe('git on PATH', () => {
  let sandbox: Sandbox;
  before(() => {
    sandbox = new Sandbox();
  });
  after(() => sandbox.remove());

  it('is a file that can be run', async () => {
    mkdirSync(sandbox.path('folder/git'), { recursive: true });
    mkdirSync(sandbox.path('with'));
    writeFileSync(sandbox.path('with/git'), '');
    chmodSync(sandbox.path('with/git'), 0o755);
    assert.equal(await hasGitOnPath(`${sandbox.path('folder')}:${sandbox.path('nothing')}`), false);
    assert.equal(await hasGitOnPath(`${sandbox.path('folder')}:${sandbox.path('with')}`), true);
  });

  it('is that of git.path where there is no other', async () => {
    const [other, nothing] = [sandbox.path('other'), sandbox.path('nothing')];
    mkdirSync(other);
    for (const name of ['git', 'git-2']) writeFileSync(`${other}/${name}`, '', { mode: 0o755 });
    const gone = `${nothing}/git`;
    assert.equal(await pathWithGit(`${other}/git`, nothing), `${nothing}:${other}`);
    assert.equal(await pathWithGit([gone, `${other}/git`], nothing), `${nothing}:${other}`);
    assert.equal(await pathWithGit(`${other}/git`, `${other}:${nothing}`), `${other}:${nothing}`);
    for (const value of [undefined, null, '', 7, [], [null], gone, `${other}/git-2`])
      assert.equal(await pathWithGit(value, nothing), nothing, String(value));
  });

  it('is run by the first name of git.path that is there', async () => {
    const [there, gone] = [sandbox.path('other/git-2'), sandbox.path('nothing/git')];
    assert.equal(await gitToRun([gone, there]), there);
    assert.equal(await gitToRun(there), there);
    assert.equal(await gitToRun([gone, 'git-2'], sandbox.path('other')), 'git-2');
    assert.equal(await gitToRun([gone, 7]), gone, 'whose failure is told');
    for (const value of [undefined, null, '', 7, [], [null]]) assert.equal(await gitToRun(value), 'git');
  });
});

describe('cloning', () => {
  it('goes to the folder that git would take', () => {
    const folders = {
      'https://example.com/a/b.git': 'b',
      'https://example.com/a/b.git/': 'b',
      'https://example.com/a/b/?x=1': 'b',
      'git@example.com:b.git': 'b',
      'example.com:b': 'b',
      '/srv/a/b/.git': 'b',
      'b.git.git': 'b.git',
    };
    for (const [url, folder] of Object.entries(folders)) assert.equal(cloneFolder(url), folder, url);
    for (const url of ['', '/', '..', '.git']) assert.equal(cloneFolder(url), undefined, url);
  });

  it('takes no URL for an option', () => {
    assert.deepEqual(cloneArguments('--upload-pack=x', 'x'), ['clone', '--', '--upload-pack=x', 'x']);
  });
});
