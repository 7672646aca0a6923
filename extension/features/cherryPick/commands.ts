/** Cherry-picks a commit. The user picks it from a list or types its hash. */
import { QuickPickItem, window } from 'vscode';
import { CommandContext, CommandTable } from '../../commands/context';
import { inRepository } from '../../commands/repository';
import { WaysOut } from '../../git/Git';
import { t } from '../../l10n';
import { shortId } from '../../model/oid';
import { toDisplay } from '../../model/repoPath';
import { Repository } from '../../model/Repository';
import { bySkipping } from '../operation/goOn';
import { byStashing } from '../stash/waysOut';
import {
  cherryPickArguments,
  meantRevision,
  parsePickable,
  pickableArguments,
  PickableCommit,
  typedRevision,
} from './plan';

export const cherryPickCommands = {
  'residentGit.cherryPick': inRepository(async (context, repository) => {
    const revision = await pickCommit(context, repository);
    if (revision !== undefined) await cherryPick(context, repository, revision);
  }),
} satisfies CommandTable;

async function cherryPick(
  context: CommandContext,
  repository: Repository,
  revision: string,
  { mainline = false } = {},
): Promise<void> {
  const ways: WaysOut = {
    ...bySkipping(context, repository),
    ...byStashing(context, repository, () => cherryPick(context, repository, revision, { mainline })),
    mergeCommit: [
      {
        label: t('Use First Parent'),
        run: () => cherryPick(context, repository, revision, { mainline: true }),
      },
    ],
  };
  const args = cherryPickArguments(revision, { mainline });
  await context.git.run(repository, { args }, { title: t('Cherry-picking'), ways });
}

interface Item extends QuickPickItem {
  /** Absent for the item that uses the typed text. */
  commit?: PickableCommit;
}

/**
 * Returns a revision, from the list or as typed. The items are set only once, because VS Code reports the choice by its
 * index.
 */
async function pickCommit({ git }: CommandContext, repository: Repository): Promise<string | undefined> {
  const pick = window.createQuickPick<Item>();
  const hidden = new AbortController();
  pick.placeholder = t('Select a commit to cherry-pick, or type its hash');
  pick.matchOnDescription = true;
  pick.busy = true;
  const picked = new Promise<string | undefined>((resolve) => {
    pick.onDidAccept(() => {
      const commit = pick.selectedItems[0]?.commit;
      const revision = commit === undefined ? pick.value : meantRevision(pick.value, commit);
      if (revision === undefined) return;
      resolve(revision);
      pick.hide();
    });
    pick.onDidHide(() => {
      resolve(undefined);
      hidden.abort();
      pick.dispose();
    });
  });
  pick.show();

  const args = pickableArguments({ hasHead: repository.branch.oid !== undefined });
  const listed = await git.read(repository, { args }, t('Listing commits'), hidden.signal);
  if (!hidden.signal.aborted) {
    const byHash: Item = {
      label: `$(edit) ${t('Use the text you typed as the commit hash')}`,
      alwaysShow: true,
    };
    pick.items = [...(listed === undefined ? [] : parsePickable(listed.stdout)).map(itemOf), byHash];
    pick.busy = false;
  }
  const revision = await picked;
  return revision === undefined ? undefined : (typedRevision(revision) ?? (await askHash()));
}

function itemOf(commit: PickableCommit): Item {
  const { oid, author, subject, time } = commit;
  const day = new Date(time).toLocaleDateString();
  return {
    label: `$(git-commit) ${toDisplay(subject)}`,
    description: `${shortId(oid)} ${toDisplay(author)}, ${day}`,
    commit,
  };
}

async function askHash(): Promise<string | undefined> {
  const prompt = t('Enter a commit hash');
  const typed = await window.showInputBox({ placeHolder: t('Commit Hash'), prompt, ignoreFocusOut: true });
  return typed === undefined ? undefined : typedRevision(typed);
}
