/**
 * Stand-in for the module `vscode`. vscode-languageclient can load it and run a server without documents. Every other
 * property exists and does nothing.
 */
import Module from 'node:module';
import type { LogOutputChannel } from 'vscode';

/** Callable, constructible and extensible. Each of its properties is this object again. */
const anything: object = new Proxy(function () {}, {
  get: (target, name) => {
    if (name === Symbol.toPrimitive) return () => 0;
    if (name === 'then' || name === Symbol.iterator) return undefined;
    return name in target ? (target as unknown as Record<PropertyKey, unknown>)[name] : anything;
  },
  apply: () => anything,
  construct: (target, _, made) =>
    made === anything ? anything : (Reflect.construct(target, [], made) as object),
});

/** Properties that a test can replace. */
export const standInWorkspace: Record<PropertyKey, unknown> = {
  workspaceFolders: undefined,
  textDocuments: [],
  notebookDocuments: [],
};
export const standInWindow: Record<PropertyKey, unknown> = {
  visibleTextEditors: [],
  visibleNotebookEditors: [],
};

const some: Record<PropertyKey, unknown> = {
  version: '1.91.0',
  env: { appName: 'a test', language: 'en' },
  Uri: { file: (path: string) => ({ scheme: 'file', path, fsPath: path }) },
  workspace: withDefaults(standInWorkspace),
  window: withDefaults(standInWindow),
};

function withDefaults(known: Record<PropertyKey, unknown>): object {
  return new Proxy(known, { get: (target, name) => (name in target ? target[name] : anything) });
}

/** Makes every later require of `vscode` return the stand-in, extended by `more`. */
export function installVscodeStandIn(more: Record<PropertyKey, unknown> = {}): void {
  const loader = Module as unknown as { _load(request: string, ...rest: unknown[]): unknown };
  const load = loader._load.bind(loader);
  // Modules that loaded the stand-in earlier see `more` too.
  Object.assign(some, more);
  const standIn = withDefaults(some);
  loader._load = (request, ...rest) => (request === 'vscode' ? standIn : load(request, ...rest));
}

/** An output channel that passes each written line to `note`. */
export function outputChannel(note: (line: string) => void): LogOutputChannel {
  const write = (line: string): void => note(line);
  return withDefaults({ error: write, warn: write, info: write, appendLine: write }) as LogOutputChannel;
}
