/**
 * VS Code's built-in Git, through its API. Gives its open repositories, its git program, and the environment that
 * brings git's questions to the user. Absent if the extension is disabled or off (`git.enabled`); both can change at
 * any time.
 */
import { realpath } from 'node:fs/promises';
import { commands, EventEmitter, extensions, Uri } from 'vscode';
import { DisposableStore, Feature } from '../lifecycle';

/** The part of API version 1 that is used here. `env` is not in its typings, and is missing before VS Code 1.97. */
interface Api {
  readonly git: { readonly path: string; readonly env?: Readonly<Record<string, string | undefined>> };
  readonly repositories: readonly { readonly rootUri: Uri }[];
  readonly onDidOpenRepository: (listener: () => void) => { dispose(): unknown };
  readonly onDidCloseRepository: (listener: () => void) => { dispose(): unknown };
  getRepository(uri: Uri): { readonly rootUri: Uri } | null;
  openRepository(uri: Uri): Promise<unknown>;
}
interface Exports {
  readonly enabled: boolean;
  readonly onDidChangeEnablement: (listener: () => void) => { dispose(): unknown };
  getAPI(version: 1): Api;
}

/** A repository that the built-in Git has open. `root`: its path in the built-in Git. `real`: its real path. */
export interface BuiltInRepository {
  root: string;
  real: string;
}

export class BuiltInGit extends Feature {
  private readonly changed = this.store.add(new EventEmitter<void>());
  /** The built-in Git was turned on or off, or it opened or closed a repository. */
  readonly onDidChange = this.changed.event;

  private isConnected = false;
  private api: Api | undefined;
  private known: readonly BuiltInRepository[] = [];
  private apiStore = new DisposableStore();
  /** A running update of `known` is stale if this number has changed. */
  private look = 0;

  constructor() {
    super();
    this.store.add({ dispose: () => this.apiStore.dispose() });
    // In an untrusted workspace the extension is missing at first.
    this.store.add(extensions.onDidChange(() => void this.connect()));
    void this.connect();
  }

  get isOn(): boolean {
    return this.api !== undefined;
  }

  get git(): Api['git'] | undefined {
    return this.api?.git;
  }

  get hasRepositories(): boolean {
    return this.api !== undefined && this.api.repositories.length > 0;
  }

  /** Its open repositories whose real path is known by now. */
  get repositories(): readonly BuiltInRepository[] {
    return this.known;
  }

  /** Closes the repository in the built-in Git, until somebody opens it there again. */
  async close(root: string): Promise<void> {
    const uri = Uri.file(root);
    // If this repository is not open, the command would close a different repository, or ask for one.
    if (this.api?.getRepository(uri)?.rootUri.fsPath !== root) return;
    await commands.executeCommand('git.close', uri);
  }

  async open(root: string): Promise<void> {
    await this.api?.openRepository(Uri.file(root));
  }

  private async connect(): Promise<void> {
    const extension = extensions.getExtension<Exports>('vscode.git');
    if (extension === undefined || this.isConnected) return;
    this.isConnected = true;
    let exports: Exports;
    try {
      exports = await extension.activate();
    } catch {
      // The extension reports its failure itself.
      return;
    }
    const update = () => {
      this.take(exports.enabled ? exports.getAPI(1) : undefined);
    };
    this.store.add(exports.onDidChangeEnablement(update));
    update();
  }

  private take(api: Api | undefined): void {
    this.apiStore.dispose();
    this.apiStore = new DisposableStore();
    this.api = api;
    const update = () => void this.updateRepositories();
    if (api !== undefined) {
      this.apiStore.add(api.onDidOpenRepository(update));
      this.apiStore.add(api.onDidCloseRepository(update));
    }
    update();
  }

  private async updateRepositories(): Promise<void> {
    const look = ++this.look;
    const roots = this.api?.repositories.map(({ rootUri }) => rootUri.fsPath) ?? [];
    const found = await Promise.all(
      roots.map(async (root) => ({ root, real: await realpath(root).catch(() => root) })),
    );
    if (look !== this.look) return;
    this.known = found;
    this.changed.fire();
  }
}
