/** Compares a file with another version: on a branch or tag, or before the last commit that changed the file. */
import { commands, window } from 'vscode';
import { CommandContext, CommandTable } from '../../commands/context';
import { fileOf } from '../../commands/rows';
import { t } from '../../l10n';
import { shortId } from '../../model/oid';
import { basename, toDisplay } from '../../model/repoPath';
import { Repository } from '../../model/Repository';
import { RepoPath } from '../../protocol';
import { contentUri, openableUri } from '../../scm/uris';
import { pickRef } from '../refs/refPick';
import { fileAtQuestion, lastChangesQuestion, parseCommits, parseFileAt } from './plan';

export const revisionCommands = {
  'residentGit.openChangesWithRef': async (context, ...args) => {
    const file = fileOf(context.registry, args);
    if (file === undefined) return;
    const placeHolder = t('Select a branch or tag to compare with');
    const picked = await pickRef(context, file.repository, { placeHolder });
    if (picked !== undefined) await openBeside(context, file, picked.ref.oid, toDisplay(picked.ref.name));
  },
  'residentGit.openChangesWithPrevious': async (context, ...args) => {
    const file = fileOf(context.registry, args);
    if (file === undefined) return;
    const { repository, path } = file;
    const question = lastChangesQuestion(path);
    if (question === undefined) {
      tellUnnameable(path);
      return;
    }
    const found = await context.git.read(repository, question, t('Looking for commits'));
    if (found === undefined) return;
    const previous = parseCommits(found.stdout)[1];
    if (previous === undefined) {
      void window.showInformationMessage(t('No earlier commit changes "{0}".', toDisplay(basename(path))));
      return;
    }
    await openBeside(context, file, previous, shortId(previous));
  },
} satisfies CommandTable;

async function openBeside(
  { git, registry }: CommandContext,
  { repository, path }: { repository: Repository; path: RepoPath },
  revision: string,
  shown: string,
): Promise<void> {
  const name = toDisplay(basename(path));
  const question = fileAtQuestion(revision, path);
  if (question === undefined) {
    tellUnnameable(path);
    return;
  }
  const found = await git.read(repository, question, t('Looking for the file'));
  if (found === undefined) return;
  const oid = parseFileAt(found.stdout);
  if (oid === undefined) {
    void window.showInformationMessage(t('"{0}" is not in {1}.', name, shown));
    return;
  }
  const left = contentUri(registry.paths, repository, path, `blob:${oid}`);
  const right = openableUri(registry.paths, repository, path);
  await commands.executeCommand('vscode.diff', left, right, t('{0} ({1} ↔ Working Tree)', name, shown));
}

function tellUnnameable(path: RepoPath): void {
  const name = toDisplay(basename(path));
  void window.showWarningMessage(
    t('Git history is not available for "{0}": its name is not valid UTF-8 and has a line break.', name),
  );
}
