/** The status bar item beside the branch: how far it is from its upstream; a click synchronizes or publishes. */
import { Command, StatusBarAlignment, StatusBarItem, window, workspace } from 'vscode';
import { Feature } from '../lifecycle';
import { t } from '../l10n';
import { basename, toDisplay } from '../model/repoPath';
import { Repository } from '../model/Repository';
import { syncLine, SyncLine } from '../model/statusText';

const kCommands = { sync: 'residentGit.sync', publish: 'residentGit.publish' } as const;

/** What a click on it runs; `argument` tells the command of which repository. */
export function syncCommand({ does, tooltip }: SyncLine, argument: unknown): Command {
  return { command: kCommands[does], title: tooltip, tooltip, arguments: [argument] };
}

export class SyncItem extends Feature {
  private readonly item: StatusBarItem;
  /** How many of our gits talk to a remote of it. */
  private readonly busy = new Map<Repository, number>();
  private shown: Repository | undefined;

  constructor(priority: number) {
    super();
    this.item = this.store.add(
      window.createStatusBarItem('residentGit.sync', StatusBarAlignment.Left, priority),
    );
    this.item.name = t('Resident Git: Synchronize');
    this.store.add(
      workspace.onDidGrantWorkspaceTrust(() => {
        this.show(this.shown);
      }),
    );
  }

  show(repository: Repository | undefined): void {
    this.shown = repository;
    const line = repository && workspace.isTrusted ? syncLine(repository.branch) : undefined;
    if (repository === undefined || line === undefined) {
      this.item.hide();
      return;
    }
    const isBusy = this.busy.has(repository);
    this.item.text = isBusy ? line.text.replace(/^\$\([\w-]+\)/, '$(sync~spin)') : line.text;
    const tooltip = isBusy ? t('Synchronizing Changes...') : line.tooltip;
    this.item.tooltip = tooltip;
    this.setCommand(isBusy ? undefined : syncCommand(line, repository));
    this.item.accessibilityInformation = { label: `${toDisplay(basename(repository.root))}, ${tooltip}` };
    this.item.show();
  }

  /** The editor takes an equal command for another one, and a click that is on its way would run the old one, which is none. */
  private setCommand(command: Command | undefined): void {
    const { command: own } = this.item;
    const isSame =
      typeof own === 'object' &&
      own.command === command?.command &&
      own.tooltip === command.tooltip &&
      own.arguments?.[0] === command.arguments?.[0];
    if (!isSame) this.item.command = command;
  }

  /** Turns while `task` is under way. */
  async during<T>(repository: Repository, task: Promise<T>): Promise<T> {
    this.count(repository, 1);
    try {
      return await task;
    } finally {
      this.count(repository, -1);
    }
  }

  private count(repository: Repository, change: number): void {
    const count = (this.busy.get(repository) ?? 0) + change;
    if (count > 0) this.busy.set(repository, count);
    else this.busy.delete(repository);
    this.show(this.shown);
  }
}
