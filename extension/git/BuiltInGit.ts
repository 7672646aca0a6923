/**
 * VS Code's own Git, as far as its API tells of it: which repositories it has open, its git and the environment that leads
 * git's questions to a person. Absent where the extension is disabled or off (`git.enabled`); both can change any time.
 */
import { realpath } from 'node:fs/promises';
import { commands, EventEmitter, extensions, Uri } from 'vscode';
import { DisposableStore, Feature } from '../lifecycle';

/** What we use of its API, version 1. `env` is not in its typings, and not there before VS Code 1.97. */
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

/** A repository that it has open: the root as it names it, and where that really is. */
export interface BuiltInRepository {
  root: string;
  real: string;
}

export class BuiltInGit extends Feature {
  private readonly changed = this.store.add(new EventEmitter<void>());
  /** It went on or off, or opened or closed a repository. */
  readonly onDidChange = this.changed.event;

  private isConnected = false;
  private api: Api | undefined;
  private known: readonly BuiltInRepository[] = [];
  private apiStore = new DisposableStore();
  /** Outdates a look that is still under way. */
  private look = 0;

  constructor() {
    super();
    this.store.add({ dispose: () => this.apiStore.dispose() });
    // In a workspace that is not trusted the extension is not there at first.
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

  /** Those of them whose real path is known by now. */
  get repositories(): readonly BuiltInRepository[] {
    return this.known;
  }

  /** Ends what it shows and does of the repository, until somebody opens that again. */
  async close(root: string): Promise<void> {
    const uri = Uri.file(root);
    // The command would take another repository, or ask for one, where this one is not open.
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
      // It tells that itself.
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
