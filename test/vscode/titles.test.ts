/** Commands and settings that VS Code's own Git also has use its names. Users know those names. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { installWorkbench } from './support/install';

/** Our titles also say what is cloned or opened. */
const kLonger: Readonly<Record<string, string>> = {
  'command.clone': 'Clone Repository...',
  'command.openRepository': 'Open Repository...',
};
const kAtLeast = 60;

/** Commands of the built-in without a counterpart here: the start of their names, and the reason. */
const kLeftOut: readonly (readonly [commands: string, reason: string])[] = [
  ['continueInLocalClone', 'a window of vscode.dev'],
  ['reopenClosedRepositories', 'Open Repository lists them'],
  ['closeOtherRepositories', 'a repository is closed in its own menu'],
  ['compareWithWorkspace', 'between commits of its graph'],
  ['openAllChanges', 'Open Changes of a group shows all in one editor'],
  ['stageAllTracked stageAllUntracked stageAllMerge', 'Stage All Changes of a group'],
  ['cleanAllTracked cleanAllUntracked', 'Discard All Changes of a group'],
  ['diff.', 'Stage Selected Ranges, and the buttons of the gutter'],
  ['commitMessageDiscard', 'of its own editor of messages: closing ours without a message'],
  ['restoreCommitTemplate', 'hidden there, and the template comes back with an empty box'],
  ['migrateWorktreeChanges', 'a stash, and its application in the other worktree'],
  ['showOutput', 'Show Log'],
  ['revealFileInOS.', 'of other systems'],
  ['closeAllDiffEditors closeAllUnmodifiedEditors', 'about editors, and none of git'],
  ['runGitMerge runGitMergeDiff3', 'for developers of the merge editor'],
  ['openRepositoriesInParentFolders', 'Open Repository lists them'],
  ['graph. timeline. blame. copyCommitId copyCommitMessage', 'of its history, which ours leaves it'],
  ['repositories.', 'of its view of repositories, by an API that is not for others'],
  ['api.', 'for other extensions'],
];

describe('titles of commands', () => {
  it("are those of VS Code's own Git", function () {
    this.timeout(600_000);
    const builtIn = join(installWorkbench().entry, '../../../lib/vscode/extensions/git/package.nls.json');
    const theirs = read(builtIn);
    const ours = read(resolve(__dirname, '../../package.nls.json'));
    const shared = Object.keys(ours).filter((key) => key.startsWith('command.') && theirs[key] !== undefined);
    assert.deepEqual(
      shared.map((key) => `${key}: ${ours[key]}`),
      shared.map((key) => `${key}: ${kLonger[key] ?? theirs[key]}`),
    );
    assert.ok(shared.length >= kAtLeast, `only ${shared.length}`);
  });

  it('are there for every command that it has, or it is known why not', function () {
    this.timeout(600_000);
    const folder = join(installWorkbench().entry, '../../../lib/vscode/extensions/git');
    const theirs = commandsOf(folder);
    const ours = new Set(Array.from(commandsOf(resolve(__dirname, '../..')).values(), bare));
    const missing = [...theirs].filter(([, title]) => !ours.has(bare(title))).map(([command]) => command);
    const leftOut = kLeftOut.flatMap(([commands]) => commands.split(' ').map((each) => `git.${each}`));
    const isOf = (each: string) => (command: string) =>
      each.endsWith('.') ? command.startsWith(each) : command === each;
    const unexplained = missing.filter((command) => !leftOut.some((each) => isOf(each)(command)));
    assert.deepEqual(unexplained, []);
    assert.deepEqual(
      leftOut.filter((each) => !missing.some(isOf(each))),
      [],
      'ours have these',
    );
  });
});

interface Setting {
  enum?: string[];
  scope?: string;
}

describe('settings', () => {
  it("have the scopes and the values of VS Code's own Git, where that has a setting of the same name", function () {
    this.timeout(600_000);
    const theirs = settingsOf(join(installWorkbench().entry, '../../../lib/vscode/extensions/git'));
    let count = 0;
    for (const [name, ours] of Object.entries(settingsOf(resolve(__dirname, '../..')))) {
      const own = theirs[name.replace('residentGit.', 'git.')];
      if (own === undefined) continue;
      count++;
      // A setting without a scope has the scope "window".
      assert.equal(ours.scope, own.scope ?? 'window', name);
      assert.deepEqual(ours.enum, own.enum, name);
    }
    assert.ok(count >= 20, String(count));
  });
});

function settingsOf(folder: string): Record<string, Setting> {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    contributes: { configuration: { properties: Record<string, Setting> } };
  };
  return manifest.contributes.configuration.properties;
}

/** Drops "..." at the end, and the word "Repository" of "Clone Repository". */
const bare = (title: string) => title.replace(/\.\.\.$/, '').replace(/^Clone Repository$/, 'Clone');

/** Title of each command. */
function commandsOf(folder: string): Map<string, string> {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    contributes: { commands: { command: string; title: string }[] };
  };
  const texts = read(join(folder, 'package.nls.json'));
  return new Map(
    manifest.contributes.commands.map(({ command, title }) => [command, texts[title.slice(1, -1)] ?? title]),
  );
}

/** A text is a string, or an object with a comment for translators. */
function read(file: string): Record<string, string | undefined> {
  const texts = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string | { message: string }>;
  const entries = Object.entries(texts);
  return Object.fromEntries(
    entries.map(([key, text]) => [key, typeof text === 'string' ? text : text.message]),
  );
}
