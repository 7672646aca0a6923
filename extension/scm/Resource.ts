/** A row of the Source Control view. */
import { Command, SourceControlResourceDecorations, SourceControlResourceState, Uri } from 'vscode';
import { StatusEntry } from '../protocol';
import { t } from '../l10n';
import { Repository } from '../model/Repository';
import { rowContext } from '../model/rowContext';
import { GroupId, isStruckThrough, statusIn, statusText } from '../model/status';

const kOpenResourceCommand = 'residentGit.openResource';

export class Resource implements SourceControlResourceState {
  readonly decorations: SourceControlResourceDecorations;
  readonly command: Command;
  /** Words for the conditions of menus, see `rowContext`. */
  readonly contextValue: string;

  constructor(
    readonly repository: Repository,
    public entry: StatusEntry,
    readonly group: GroupId,
    readonly resourceUri: Uri,
  ) {
    const status = statusIn(entry, group);
    if (status === undefined) throw new Error(`${entry.path} has no row among ${group}`);
    this.decorations = {
      tooltip: statusText(status),
      strikeThrough: isStruckThrough(status),
      faded: false,
    };
    this.command = { command: kOpenResourceCommand, title: t('Open'), arguments: [this] };
    this.contextValue = rowContext(entry, group);
  }

  /** True: the editor shows both rows alike. Both must have the same path. */
  looksLike(other: Resource): boolean {
    return (
      this.group === other.group &&
      this.contextValue === other.contextValue &&
      this.decorations.tooltip === other.decorations.tooltip &&
      this.decorations.strikeThrough === other.decorations.strikeThrough
    );
  }
}
