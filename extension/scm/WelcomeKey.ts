/** Which text the view shows while it is empty. */
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
  /** `explainsProblems` is not what it was. */
  readonly onDidChange = this.changed.event;
  private current: Welcome | undefined;
  private hasGit: boolean | undefined;

  constructor(
    private readonly registry: RepositoryRegistry,
    private readonly builtIn: OtherProvider,
    /** PATH, as the helper has it. */
    private readonly path: () => string | undefined,
  ) {
    super();
    const update = () => {
      this.update();
    };
    // The end of every look for repositories is among what it tells.
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

  /** The view says what is the matter with every repository that cannot be opened, if it is empty. */
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
