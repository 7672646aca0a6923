/** Commands of blame: its switches, and those for the commit of the cursor's line or of a hover's link. */
import { env, window } from 'vscode';
import { CommandContext, CommandTable } from '../../commands/context';
import { setUserSetting } from '../../config';
import { t } from '../../l10n';
import { Repository } from '../../model/Repository';
import { isOid } from '../history/commit';
import { openCommit } from '../history/commitEditors';
import { BlameTracker } from './BlameTracker';

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
  if (typeof root === 'string' && isOid(hash)) {
    const repository = registry.get(root);
    return repository && { repository, hash };
  }
  const { current } = blame;
  if (current?.line.kind === 'commit')
    return { repository: current.repository, hash: current.line.commit.hash };
  void window.showInformationMessage(t('The line of the cursor has no commit.'));
  return undefined;
}
