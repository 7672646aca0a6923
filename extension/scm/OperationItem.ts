/**
 * The item "Merging: Continue" in the status bar, right of the branch and its upstream. It belongs to the active repository;
 * if that has no operation in progress, to the first repository with one. It is not one of the source control's commands:
 * the editor would put a third command at the far end.
 */
import { Command, StatusBarAlignment, window } from 'vscode';
import { Feature } from '../lifecycle';
import { t } from '../l10n';
import { OperationLine, operationLine } from '../model/branchText';
import { basename, toDisplay } from '../model/repoPath';
import { Repository } from '../model/Repository';
import { RepositoryRegistry } from '../model/RepositoryRegistry';
import { Throttle } from '../model/Throttle';
import { OperationSteps } from './OperationSteps';

const kIntervalMs = 100;
const kCommands = {
  continue: 'residentGit.continueOperation',
  showConflicts: 'residentGit.showConflicts',
} as const;

export class OperationItem extends Feature {
  private readonly item;
  private readonly rendering = this.store.add(
    new Throttle(kIntervalMs, () => {
      this.render();
    }),
  );

  constructor(
    priority: number,
    private readonly registry: RepositoryRegistry,
    private readonly steps: OperationSteps,
    private readonly active: () => Repository | undefined,
  ) {
    super();
    this.item = this.store.add(
      window.createStatusBarItem('residentGit.operation', StatusBarAlignment.Left, priority),
    );
    this.item.name = t('Resident Git: Merge or Rebase');
    const schedule = () => {
      this.rendering.schedule();
    };
    this.store.add(window.onDidChangeActiveTextEditor(schedule));
    this.store.add(steps.onDidChange(schedule));
    this.store.add(registry.onDidClose(schedule));
    this.store.add(
      registry.onDidOpen((repository) => {
        schedule();
        repository.onDidChange(({ head, groups }) => {
          if (head || groups.has('merge')) schedule();
        });
      }),
    );
  }

  private render(): void {
    const active = this.active();
    const isBusy = (repository: Repository) => repository.operation !== undefined;
    const repository = active && isBusy(active) ? active : this.registry.repositories.find(isBusy);
    const line = repository && this.lineOf(repository);
    if (repository === undefined || line === undefined) {
      this.item.hide();
      return;
    }
    const { text, tooltip, does } = line;
    const name = toDisplay(basename(repository.root));
    // The editor chooses the branch beside this item, perhaps from another repository. The name avoids confusion.
    const isOnly = this.registry.repositories.length === 1;
    this.item.text = isOnly ? text : `${name}: ${text}`;
    this.item.tooltip = `${name}: ${tooltip}`;
    this.item.accessibilityInformation = { label: `${name}: ${tooltip}` };
    this.setCommand({ command: kCommands[does], title: text, arguments: [repository] });
    this.item.show();
  }

  private lineOf(repository: Repository): OperationLine | undefined {
    const { branch, operation, stale } = repository;
    const source = { branch, operation, stale, step: this.steps.of(repository) };
    return operationLine(source, repository.countIn('merge'));
  }

  /** Keeps an equal command: the editor registers each new command again, and a click in progress would be lost. */
  private setCommand(command: Command): void {
    const { command: own } = this.item;
    const isSame =
      typeof own === 'object' &&
      own.command === command.command &&
      own.arguments?.[0] === command.arguments?.[0];
    if (!isSame) this.item.command = command;
  }
}
