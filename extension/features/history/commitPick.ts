/** Lets the user pick a commit that changed a file. The list opens at once, and grows by pages. */
import { env, QuickPickItem, window } from 'vscode';
import { t } from '../../l10n';
import { shortId } from '../../model/oid';
import { toDisplay } from '../../model/repoPath';
import { HistoryList } from './HistoryList';
import { HistoryReader } from './HistoryReader';
import { CommitRow } from './HistoryRows';
import { descriptionText, subjectText } from './historyText';
import { Subject } from './plan';

interface Item extends QuickPickItem {
  row?: CommitRow;
}

/** Undefined: the user picked none. */
export async function pickCommit(
  reader: HistoryReader,
  subject: Subject,
  none: string,
): Promise<CommitRow | undefined> {
  const list = new HistoryList(reader);
  const pick = window.createQuickPick<Item>();
  pick.placeholder = t('Select a commit to compare with');
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  pick.keepScrollPosition = true;
  const draw = () => {
    pick.busy = list.isReading;
    pick.items = itemsOf(list, subject, none);
  };
  const listening = list.onDidChange(draw);
  try {
    return await new Promise<CommitRow | undefined>((resolve) => {
      pick.onDidAccept(() => {
        const [item] = pick.selectedItems;
        if (item?.row !== undefined) resolve(item.row);
        else list.more();
      });
      pick.onDidHide(() => resolve(undefined));
      list.open(subject);
      pick.show();
    });
  } finally {
    listening.dispose();
    list.stop();
    pick.dispose();
  }
}

function itemsOf(list: HistoryList, subject: Subject, none: string): Item[] {
  const items: Item[] = list.commits.map((commit, index) => ({
    label: `$(git-commit) ${subjectText(commit)}`,
    description: shortId(commit.oid),
    detail: descriptionText(commit, env.language),
    row: new CommitRow(subject, commit, index),
  }));
  const { failure } = list;
  if (failure !== undefined) items.push({ label: t('git cannot list the commits: {0}', toDisplay(failure)) });
  if (list.isEmpty) items.push({ label: none });
  if (list.hasMore) items.push({ label: t('Load More'), alwaysShow: true });
  return items;
}
