/** Sends polling hints to the helper: the open files, and whether the window has the focus. Only for polled worktrees. */
import { TabInputText, window } from 'vscode';
import { Feature } from '../lifecycle';
import { attentionOf } from '../model/attention';
import { HelperApi, Report } from '../model/HelperApi';
import { messageOf } from '../model/messageOf';
import { RepositoryRegistry } from '../model/RepositoryRegistry';
import { Throttle } from '../model/Throttle';

const kIntervalMs = 250;

export class Attention extends Feature {
  /** The last sent hint of each root, as JSON. */
  private readonly sent = new Map<string, string>();
  private readonly throttle: Throttle;

  constructor(
    private readonly registry: RepositoryRegistry,
    private readonly helper: Pick<HelperApi, 'attend'>,
    private readonly report: Report,
  ) {
    super();
    this.throttle = this.store.add(
      new Throttle(kIntervalMs, () => {
        this.tell();
      }),
    );
    const changed = () => {
      this.throttle.schedule();
    };
    this.store.add(window.onDidChangeWindowState(changed));
    this.store.add(window.onDidChangeVisibleTextEditors(changed));
    this.store.add(window.tabGroups.onDidChangeTabs(changed));
    this.store.add(registry.onDidOpen((repository) => repository.onDidChange(changed)));
    this.store.add(
      registry.onDidClose(({ root }) => {
        this.sent.delete(root);
      }),
    );
  }

  private tell(): void {
    const polled = this.registry.repositories.filter(({ state }) => state.state === 'polling');
    const roots = polled.map(({ root }) => root);
    for (const root of [...this.sent.keys()]) if (!roots.includes(root)) this.sent.delete(root);
    if (roots.length === 0) return;
    for (const params of attentionOf(roots, { focused: window.state.focused, open: this.openFiles() })) {
      const text = JSON.stringify(params);
      if (this.sent.get(params.root) === text) continue;
      this.sent.set(params.root, text);
      this.helper.attend(params).catch((error: unknown) => {
        this.sent.delete(params.root);
        this.report('info', `${params.root}: ${messageOf(error)}`);
      });
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
