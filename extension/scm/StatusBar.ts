/** The status bar item: branch and state of the repository that the active editor is in. */
import { MarkdownString, StatusBarAlignment, ThemeColor, window } from 'vscode';
import { Feature } from '../lifecycle';
import { t } from '../l10n';
import { basename, toDisplay } from '../model/repoPath';
import { Repository } from '../model/Repository';
import { RepositoryRegistry } from '../model/RepositoryRegistry';
import { HelperCondition, statusLine, StatusLine } from '../model/statusText';
import { Throttle } from '../model/Throttle';
import { parseContentQuery } from '../model/contentQuery';
import { DetailsWanted } from './DetailsWanted';
import { OperationSteps } from './OperationSteps';
import { SyncItem } from './SyncItem';
import { kContentScheme } from './uris';

export const kShowActionsCommand = 'residentGit.showActions';
const kIntervalMs = 100;
/** Left of most, as VS Code's own branch item is. */
const kPriority = 9999;

export class StatusBar extends Feature {
  private readonly item = this.store.add(
    window.createStatusBarItem('residentGit.status', StatusBarAlignment.Left, kPriority),
  );
  private readonly rendering = this.store.add(
    new Throttle(kIntervalMs, () => {
      this.render();
    }),
  );
  /** Beside it: the way to the branch's upstream. */
  readonly sync = this.store.add(new SyncItem(kPriority - 1));
  private helper: HelperCondition = 'starting';

  constructor(
    private readonly registry: RepositoryRegistry,
    private readonly steps: OperationSteps,
    private readonly wanted: DetailsWanted,
  ) {
    super();
    this.item.name = 'Resident Git';
    this.item.command = kShowActionsCommand;
    const schedule = () => {
      this.rendering.schedule();
    };
    this.store.add(window.onDidChangeActiveTextEditor(schedule));
    this.store.add(registry.onDidClose(schedule));
    this.store.add(steps.onDidChange(schedule));
    this.store.add(
      registry.onDidOpen((repository) => {
        schedule();
        repository.onDidChange((change) => {
          if (change.head || change.details || change.state || change.stale) schedule();
        });
      }),
    );
  }

  setHelper(condition: HelperCondition): void {
    this.helper = condition;
    this.rendering.schedule();
  }

  /** The repository that the user looks at: of the active editor, or else the first. */
  get activeRepository(): Repository | undefined {
    const uri = window.activeTextEditor?.document.uri;
    const root = uri?.scheme === kContentScheme ? parseContentQuery(uri.query)?.root : undefined;
    const ofContent = root === undefined ? undefined : this.registry.get(root);
    const ofFile = uri?.scheme === 'file' ? this.registry.locate(uri.fsPath)?.repository : undefined;
    return ofContent ?? ofFile ?? this.registry.repositories[0];
  }

  /** What is to be said of it. */
  lineOf(repository: Repository): StatusLine {
    const { branch, operation, details, state, stale } = repository;
    const step = this.steps.of(repository);
    return statusLine({ branch, operation, details, state, stale, step }, this.helper);
  }

  private render(): void {
    const repository = this.activeRepository;
    this.sync.show(repository);
    this.wanted.follow(repository);
    if (repository === undefined && this.helper !== 'givenUp') {
      this.item.hide();
      return;
    }
    const line: StatusLine =
      repository === undefined
        ? { text: '$(error) Resident Git', details: [t('The helper has stopped')], severity: 'error' }
        : this.lineOf(repository);
    const name = repository === undefined ? 'Resident Git' : toDisplay(basename(repository.root));
    this.item.text = line.text;
    this.item.tooltip = new MarkdownString().appendText([name, ...line.details].join('\n'));
    this.item.accessibilityInformation = { label: `${name}, ${line.details.join(', ')}` };
    this.item.backgroundColor =
      line.severity === 'normal' ? undefined : new ThemeColor(`statusBarItem.${line.severity}Background`);
    this.item.show();
  }
}
