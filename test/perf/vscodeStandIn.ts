/**
 * Stand-in for the parts of `vscode` that show a repository, for a program outside of the extension host. It
 * converts all shown data to text in the same turn, like the editor.
 */
import Module from 'node:module';

class Emitter<T> {
  private readonly listeners = new Set<(value: T) => void>();
  readonly event = (listener: (value: T) => void): { dispose(): void } => {
    this.listeners.add(listener);
    return { dispose: () => this.listeners.delete(listener) };
  };
  fire(value: T): void {
    JSON.stringify(value);
    for (const listener of this.listeners) listener(value);
  }
  dispose(): void {
    this.listeners.clear();
  }
}

class Uri {
  private constructor(
    readonly scheme: string,
    readonly path: string,
    readonly query: string,
  ) {}
  static file(path: string): Uri {
    return new Uri('file', path, '');
  }
  get fsPath(): string {
    return this.path;
  }
  with({ scheme = this.scheme, query = this.query }: { scheme?: string; query?: string }): Uri {
    return new Uri(scheme, this.path, query);
  }
}

const nothing = { dispose: (): void => undefined };

export const shown = { decorationEvents: 0, largestEvent: 0, rows: new Map<string, number>() };

function createResourceGroup(id: string): unknown {
  return {
    label: id,
    set resourceStates(states: unknown[]) {
      shown.rows.set(id, states.length);
    },
    dispose: nothing.dispose,
  };
}

const standIn = {
  EventEmitter: Emitter,
  Uri,
  window: {
    registerFileDecorationProvider: (provider: {
      onDidChangeFileDecorations(listener: (uris: unknown[] | undefined) => void): unknown;
    }) => {
      provider.onDidChangeFileDecorations((uris) => {
        shown.decorationEvents++;
        shown.largestEvent = Math.max(shown.largestEvent, uris?.length ?? 0);
      });
      return nothing;
    },
  },
  workspace: {
    onDidChangeConfiguration: () => nothing,
    onDidGrantWorkspaceTrust: () => nothing,
    getConfiguration: () => ({ get: (_: string, value: unknown) => value ?? true }),
  },
  scm: {
    createSourceControl: () => ({ inputBox: {}, createResourceGroup, dispose: nothing.dispose }),
  },
};

/** Replaces `vscode` by the stand-in for all later calls of require(). */
export function installVscodeStandIn(): void {
  const loader = Module as unknown as { _load(request: string, ...rest: unknown[]): unknown };
  const load = loader._load.bind(loader);
  loader._load = (request, ...rest) => (request === 'vscode' ? standIn : load(request, ...rest));
}
