/** The rows of the view File History. */
import { EventEmitter, MarkdownString, ThemeIcon, TreeDataProvider, TreeItem, env } from 'vscode';
import { Git } from '../../git/Git';
import { t } from '../../l10n';
import { toDisplay } from '../../model/repoPath';
import { WorktreeRoot } from '../../protocol';
import { escape } from '../explain/markdown';
import { commitTextCommand, parseCommitText } from './commit';
import { HistoryList } from './HistoryList';
import { descriptionText, spokenText, subjectText } from './historyText';
import { HistoryCommit, Subject } from './plan';

/** Limit for the characters of a message in a tooltip. */
const kMaxMessage = 4_000;

/** A commit in the view, or in the list of a command. */
export class CommitRow {
  constructor(
    readonly subject: Subject,
    readonly commit: HistoryCommit,
    /** Position of the commit in its list. */
    readonly index: number,
  ) {}

  get root(): WorktreeRoot {
    return this.subject.root;
  }
}

export type Row = CommitRow | 'more';

export class HistoryRows implements TreeDataProvider<Row> {
  private readonly changed = new EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.changed.event;

  constructor(
    private readonly list: HistoryList,
    private readonly git: Git,
  ) {}

  update(): void {
    this.changed.fire(undefined);
  }

  getChildren(row?: Row): Row[] {
    const { subject, commits, hasMore, isReading } = this.list;
    if (row !== undefined || subject === undefined) return [];
    const rows: Row[] = commits.map((commit, index) => new CommitRow(subject, commit, index));
    return hasMore || (isReading && rows.length > 0) ? [...rows, 'more'] : rows;
  }

  getTreeItem(row: Row): TreeItem {
    return row === 'more' ? this.moreItem() : commitItem(row);
  }

  private moreItem(): TreeItem {
    const item = new TreeItem(this.list.isReading ? t('Loading...') : t('Load More'));
    item.id = 'more';
    item.iconPath = new ThemeIcon(this.list.isReading ? 'loading~spin' : 'ellipsis');
    if (!this.list.isReading)
      item.command = { command: 'residentGit.loadMoreHistory', title: t('Load More') };
    return item;
  }

  /** The whole message and the refs are read for one row only, when the user wants its tooltip. */
  async resolveTreeItem(item: TreeItem, row: Row): Promise<TreeItem> {
    if (row === 'more') return item;
    const { commit, root } = row;
    const found = await this.git.ask({ root }, commitTextCommand(commit.oid));
    const { message, refs } =
      found === undefined ? { message: commit.subject, refs: '' } : parseCommitText(found.stdout);
    item.tooltip = tooltipOf(commit, message, refs);
    return item;
  }
}

function commitItem(row: CommitRow): TreeItem {
  const { commit } = row;
  const item = new TreeItem(subjectText(commit));
  item.id = commit.oid;
  item.description = descriptionText(commit, env.language);
  item.iconPath = new ThemeIcon('git-commit');
  item.contextValue = row.subject.kind === 'folder' ? 'commit' : 'commit file';
  item.accessibilityInformation = { label: spokenText(commit, env.language) };
  item.command = { command: 'residentGit.openHistoryChanges', title: t('Open Changes'), arguments: [row] };
  return item;
}

function tooltipOf(
  { oid, author, email, date }: HistoryCommit,
  message: string,
  refs: string,
): MarkdownString {
  const tooltip = new MarkdownString('', true);
  const line = (icon: string, text: string) =>
    tooltip.appendMarkdown(`$(${icon}) ${escape(toDisplay(text))}  \n`);
  line('account', email === '' ? author : `${author} <${email}>`);
  line('calendar', new Date(date * 1000).toLocaleString(env.language));
  line('git-commit', oid);
  if (refs !== '') line('tag', refs);
  const shown = message.length > kMaxMessage ? `${message.slice(0, kMaxMessage)}…` : message;
  return tooltip.appendMarkdown(`\n---\n\n${escape(shown).replace(/\r?\n/g, '  \n')}`);
}
