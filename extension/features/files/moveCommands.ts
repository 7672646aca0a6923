/** Renames and deletes the active editor's file in the worktree and the index, like git mv and git rm. */
import { lstat } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { commands, Tab, TabInputText, window } from 'vscode';
import { CommandContext, CommandTable } from '../../commands/context';
import { fileOf, locateUri } from '../../commands/rows';
import { saveDocuments } from '../../commands/saveDocuments';
import { unsavedIn } from '../../commands/unsaved';
import { t } from '../../l10n';
import { basename, isText, join, toDisplay } from '../../model/repoPath';
import { Located, RepositoryRegistry } from '../../model/RepositoryRegistry';
import { openableUri } from '../../scm/uris';

export const moveFileCommands = {
  'residentGit.rename': async (context, ...args) => {
    const file = namedFile(context, args);
    if (file !== undefined) await rename(context, file);
  },
  'residentGit.delete': async (context, ...args) => {
    const file = namedFile(context, args);
    if (file !== undefined) await remove(context, file);
  },
} satisfies CommandTable;

/** The file, if git can take its name as an argument. Otherwise undefined, with a message to the user. */
function namedFile({ registry }: CommandContext, args: readonly unknown[]): Located | undefined {
  const file = fileOf(registry, args);
  if (file === undefined || isText(file.path)) return file;
  const name = toDisplay(basename(file.path));
  void window.showWarningMessage(t('Git cannot rename or delete {0}: its name is not valid UTF-8.', name));
  return undefined;
}

async function rename({ git, registry }: CommandContext, file: Located): Promise<void> {
  const { repository, path } = file;
  const to = await window.showInputBox({
    prompt: t('Enter a new path for the file'),
    value: path,
    valueSelection: [path.length - basename(path).length, path.length],
    ignoreFocusOut: true,
  });
  if (to === undefined || to === '' || to === path) return;
  if (!(await saveDocuments(unsavedOf(registry, file)))) return;
  const tabs = tabsOf(registry, file);
  const args = ['mv', '--', path, to];
  if ((await git.run(repository, { args }, { title: t('Renaming the file') })) === undefined) return;
  if (tabs.length === 0) return;
  await window.tabGroups.close(tabs);
  const moved = await movedTo(repository.root, path, to);
  await commands.executeCommand('vscode.open', openableUri(registry.paths, repository, moved));
}

/** The file's new path. `to` is the user's input: a path from the root, an absolute path, or the target folder. */
async function movedTo(root: string, path: string, to: string): Promise<string> {
  const target = relative(root, resolve(root, to));
  const isFolder = (await lstat(join(root, target))).isDirectory();
  return isFolder ? join(target, basename(path)) : target;
}

async function remove({ git, registry }: CommandContext, file: Located): Promise<void> {
  const { repository, path } = file;
  // git itself refuses to delete uncommitted changes, but it does not know about unsaved editors.
  if (repository.entriesAt(path).length > 0 || unsavedOf(registry, file).length > 0) {
    const text = t('Delete can only be performed on committed files without uncommitted changes.');
    void window.showInformationMessage(text);
    return;
  }
  const tabs = tabsOf(registry, file);
  const args = ['--literal-pathspecs', 'rm', '--quiet', '--', path];
  if ((await git.run(repository, { args }, { title: t('Deleting the file') })) === undefined) return;
  await window.tabGroups.close(tabs);
}

function unsavedOf(registry: RepositoryRegistry, { repository, path }: Located) {
  const own = unsavedIn(registry, repository).filter((unsaved) => unsaved.path === path);
  return own.map(({ document }) => document);
}

function tabsOf(registry: RepositoryRegistry, { repository, path }: Located): Tab[] {
  return window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(({ input }) => {
      const located = input instanceof TabInputText ? locateUri(registry, input.uri) : undefined;
      return located?.repository === repository && located.path === path;
    });
}
