/** Context key: the name of the text in the empty view. */
import { Disposable, EventEmitter, workspace } from 'vscode';
import { setContextKey } from '../contextKeys';
import { Feature } from '../lifecycle';
import { hasGitOnPath } from '../model/gitOnPath';
import { RepositoryRegistry } from '../model/RepositoryRegistry';
import { Welcome, welcome } from '../model/welcome';

export interface OtherProvider {
  readonly isOn: boolean;
  onDidChange(listener: () => void): Disposable;
}

export class WelcomeKey extends Feature {
  private readonly changed = this.store.add(new EventEmitter<void>());
  /** `explainsProblems` has changed. */
  readonly onDidChange = this.changed.event;
  private current: Welcome | undefined;
  private hasGit: boolean | undefined;

  constructor(
    private readonly registry: RepositoryRegistry,
    private readonly builtIn: OtherProvider,
    /** The helper's PATH. */
    private readonly path: () => string | undefined,
  ) {
    super();
    const update = () => {
      this.update();
    };
    // This event also reports the end of every discovery.
    this.store.add(
      registry.onDidChangeProblems(() => {
        this.update();
        void this.lookForGit();
      }),
    );
    this.store.add(registry.onDidOpen(update));
    this.store.add(registry.onDidClose(update));
    this.store.add(builtIn.onDidChange(update));
  }

  /** True: the text of the empty view explains every repository that cannot be opened. */
  get explainsProblems(): boolean {
    return this.current !== undefined;
  }

  private async lookForGit(): Promise<void> {
    this.hasGit = await hasGitOnPath(this.path());
    this.update();
  }

  private update(): void {
    const { registry, hasGit } = this;
    const had = this.explainsProblems;
    this.current = welcome({
      hasRepository: !registry.isEmpty,
      hasFolder: (workspace.workspaceFolders ?? []).length > 0,
      leavesOut: registry.leftOut.size > 0,
      problems: registry.problems.values(),
      hasGit,
      isBuiltInOn: this.builtIn.isOn,
    });
    const isOurs = this.current?.isSaidByBuiltIn === false;
    setContextKey('residentGit.welcome', isOurs ? this.current?.text : undefined);
    if (this.explainsProblems !== had) this.changed.fire();
  }
}
