/** Sends polling hints to the helper: the open files, and whether the window has the focus. Only for polled worktrees. */
import { TabInputText, window } from 'vscode';
import { Feature } from '../lifecycle';
import { attentionOf } from '../model/attention';
import { RepositoryRegistry } from '../model/RepositoryRegistry';
import { Throttle } from '../model/Throttle';

const kIntervalMs = 250;

export class Attention extends Feature {
  private readonly throttle: Throttle;

  constructor(private readonly registry: RepositoryRegistry) {
    super();
    this.throttle = this.store.add(
      new Throttle(kIntervalMs, () => {
        this.configure();
      }),
    );
    const changed = () => {
      this.throttle.schedule();
    };
    this.store.add(window.onDidChangeWindowState(changed));
    this.store.add(window.onDidChangeVisibleTextEditors(changed));
    this.store.add(window.tabGroups.onDidChangeTabs(changed));
    this.store.add(registry.onDidOpen((repository) => repository.onDidChange(changed)));
  }

  private configure(): void {
    const polled = this.registry.repositories.filter(({ state }) => state.state === 'polling');
    if (polled.length === 0) return;
    const shown = { focused: window.state.focused, open: this.openFiles() };
    for (const [root, attention] of attentionOf(
      polled.map((repository) => repository.root),
      shown,
    )) {
      this.registry.configure(root, attention);
    }
  }

  /** Real paths of the open files: the visible editors first, then all tabs. */
  private openFiles(): string[] {
    const seen = window.visibleTextEditors.map(({ document }) => document.uri);
    const tabs = window.tabGroups.all.flatMap(({ tabs: all }) => all.map(({ input }) => input));
    const uris = [...seen, ...tabs.flatMap((input) => (input instanceof TabInputText ? [input.uri] : []))];
    const files = uris.filter(({ scheme }) => scheme === 'file').map(({ fsPath }) => fsPath);
    return files.map((path) => this.registry.paths.toReal(path));
  }
}
