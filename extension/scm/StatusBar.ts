/**
 * The status bar item beside the branch: why the status of the active repository may be late or missing. Hidden without a
 * problem. The branch itself is a command of each source control (see branchCommands.ts).
 */
import { MarkdownString, StatusBarAlignment, ThemeColor, window } from 'vscode';
import { Feature } from '../lifecycle';
import { t } from '../l10n';
import { basename, toDisplay } from '../model/repoPath';
import { Repository } from '../model/Repository';
import { RepositoryRegistry } from '../model/RepositoryRegistry';
import {
  HelperCondition,
  kStopped,
  statusDetails,
  statusLine,
  StatusLine,
  StatusSource,
} from '../model/statusText';
import { Throttle } from '../model/Throttle';
import { parseContentQuery } from '../model/contentQuery';
import { DetailsWanted } from './DetailsWanted';
import { OperationItem } from './OperationItem';
import { OperationSteps } from './OperationSteps';
import { kContentScheme } from './uris';

const kIntervalMs = 100;
/** Delay before a busy state is shown. A shorter state would only make the other items move. */
const kBusyDelayMs = 500;
/** Places the item right of the branch and its upstream, which have 10,000. */
const kOperationPriority = 9_999;
const kPriority = 9_998;

export class StatusBar extends Feature {
  private readonly item = this.store.add(
    window.createStatusBarItem('residentGit.status', StatusBarAlignment.Left, kPriority),
  );
  private readonly rendering = this.store.add(
    new Throttle(kIntervalMs, () => {
      this.render();
    }),
  );
  private helper: HelperCondition = 'starting';
  private busySince: number | undefined;
  private busyTimer: NodeJS.Timeout | undefined;

  constructor(
    private readonly registry: RepositoryRegistry,
    private readonly steps: OperationSteps,
    private readonly wanted: DetailsWanted,
  ) {
    super();
    this.item.name = 'Resident Git';
    this.item.command = 'residentGit.showActions';
    const schedule = () => {
      this.rendering.schedule();
    };
    this.store.add(new OperationItem(kOperationPriority, registry, steps, () => this.activeRepository));
    this.store.add(window.onDidChangeActiveTextEditor(schedule));
    this.store.add(registry.onDidClose(schedule));
    this.store.add(
      registry.onDidOpen((repository) => {
        schedule();
        repository.onDidChange((change) => {
          if (change.head || change.details || change.state || change.stale) schedule();
        });
      }),
    );
    this.store.add({
      dispose: () => {
        clearTimeout(this.busyTimer);
      },
    });
  }

  setHelper(condition: HelperCondition): void {
    this.helper = condition;
    this.rendering.schedule();
  }

  /** The repository of the active editor, else the first repository. */
  get activeRepository(): Repository | undefined {
    const uri = window.activeTextEditor?.document.uri;
    const root = uri?.scheme === kContentScheme ? parseContentQuery(uri.query)?.root : undefined;
    const ofContent = root === undefined ? undefined : this.registry.get(root);
    const ofFile = uri?.scheme === 'file' ? this.registry.locate(uri.fsPath)?.repository : undefined;
    return ofContent ?? ofFile ?? this.registry.repositories[0];
  }

  /** All known facts about the repository's state. */
  lineOf(repository: Repository): StatusLine {
    return statusLine(this.sourceOf(repository), this.helper);
  }

  /** A line for each fact about its state, for reports. */
  detailsOf(repository: Repository): string[] {
    return statusDetails(this.sourceOf(repository), this.helper);
  }

  private sourceOf(repository: Repository): StatusSource {
    const { branch, operation, details, state, stale } = repository;
    return { branch, operation, details, state, stale, step: this.steps.of(repository) };
  }

  private render(): void {
    const repository = this.activeRepository;
    this.wanted.follow(repository);
    const line = repository === undefined ? undefined : this.lineOf(repository);
    const shown = line ?? (this.helper === 'givenUp' ? kStopped : undefined);
    if (shown === undefined || shown.text === '' || this.isTooSoon(shown.isBusy)) {
      if (shown?.isBusy !== true) this.busySince = undefined;
      this.item.hide();
      return;
    }
    const { text, summary, severity } = shown;
    const name = repository === undefined ? 'Resident Git' : toDisplay(basename(repository.root));
    this.item.text = text;
    this.item.tooltip = tooltipOf(name, summary);
    this.item.accessibilityInformation = { label: `${name}, ${summary}` };
    this.item.backgroundColor =
      severity === 'normal' ? undefined : new ThemeColor(`statusBarItem.${severity}Background`);
    this.item.show();
  }

  private isTooSoon(isBusy: boolean): boolean {
    if (!isBusy) {
      this.busySince = undefined;
      return false;
    }
    this.busySince ??= Date.now();
    const left = this.busySince + kBusyDelayMs - Date.now();
    clearTimeout(this.busyTimer);
    if (left <= 0) return false;
    this.busyTimer = setTimeout(() => {
      this.rendering.schedule();
    }, left);
    return true;
  }
}

/** The problem, and links to commands that help. */
function tooltipOf(name: string, summary: string): MarkdownString {
  const tooltip = new MarkdownString().appendText(`${name}\n${summary}\n`);
  const links = [
    [t('Show Diagnostics'), 'residentGit.showWatched'],
    [t('Rescan worktree'), 'residentGit.rescanWorktree'],
    [t('Restart Background Process'), 'residentGit.restartHelper'],
    [t('Show Log'), 'residentGit.showLog'],
  ] as const;
  tooltip.isTrusted = { enabledCommands: links.map(([, command]) => command) };
  tooltip.appendMarkdown(links.map(([label, command]) => `[${label}](command:${command})`).join(' | '));
  return tooltip;
}
