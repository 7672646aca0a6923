/** Commands of blame: its switches, and those for the commit of the cursor's line or of a hover's link. */
import { env, window } from 'vscode';
import { viewChanges } from '../../commands/changesEditor';
import { CommandContext, CommandTable } from '../../commands/context';
import { setUserSetting } from '../../config';
import { t } from '../../l10n';
import { Repository } from '../../model/Repository';
import { RepoPath } from '../../protocol';
import { contentUri, worktreeUri } from '../../scm/uris';
import { parseTreeChanges } from '../stash/treeDiff';
import { BlameTracker } from './BlameTracker';
import { commitChangesCommand } from './git';
import { kHashLength } from './template';

export interface BlameContext extends CommandContext {
  blame: BlameTracker;
}

export const blameCommands = {
  'residentGit.blame.toggleStatusBarItem': ({ blame }) =>
    setUserSetting(
      'blame.statusBarItem.enabled',
      !blame.isVisible('statusBarItem', blame.repositoryOfEditor),
    ),
  'residentGit.blame.toggleEditorDecoration': ({ blame }) =>
    setUserSetting(
      'blame.editorDecoration.enabled',
      !blame.isVisible('editorDecoration', blame.repositoryOfEditor),
    ),
  'residentGit.blame.openCommit': async (context, ...args) => {
    const meant = meantCommit(context, args);
    if (meant !== undefined) await openCommit(context, meant.repository, meant.hash);
  },
  'residentGit.blame.copyHash': async (context, ...args) => {
    const meant = meantCommit(context, args);
    if (meant !== undefined) await env.clipboard.writeText(meant.hash);
  },
} satisfies CommandTable<BlameContext>;

/** The commit of a link, or else of the cursor's line. */
function meantCommit(
  { registry, blame }: BlameContext,
  [root, hash]: readonly unknown[],
): { repository: Repository; hash: string } | undefined {
  if (typeof root === 'string' && typeof hash === 'string' && /^[0-9a-f]{40,64}$/.test(hash)) {
    const repository = registry.get(root);
    return repository && { repository, hash };
  }
  const { current } = blame;
  if (current?.line.kind === 'commit')
    return { repository: current.repository, hash: current.line.commit.hash };
  void window.showInformationMessage(t('The line of the cursor has no commit.'));
  return undefined;
}

async function openCommit(
  { git, registry: { paths } }: CommandContext,
  repository: Repository,
  hash: string,
): Promise<void> {
  const found = await git.read(repository, commitChangesCommand(hash), t('Reading a commit'));
  if (found === undefined) return;
  const title = t('Commit {0}', hash.slice(0, kHashLength));
  await viewChanges(title, parseTreeChanges(found.stdout), ({ path, from = path, left, right }) => {
    const uri = (where: RepoPath, oid: string | undefined) =>
      oid === undefined ? undefined : contentUri(paths, repository, where, `blob:${oid}`);
    const [before, after] = [uri(from, left), uri(path, right)];
    return (before ?? after) ? [worktreeUri(paths, repository, path), before, after] : undefined;
  });
}
