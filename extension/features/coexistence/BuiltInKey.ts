/**
 * Context key: VS Code's own Git has every repository open that we have open. While VS Code's own Git has any repository
 * open, it shows its buttons in every editor of a changed file. In a repository that it does not have open, they do
 * nothing.
 */
import { Disposable } from 'vscode';
import { setContextKey } from '../../contextKeys';
import { Feature } from '../../lifecycle';
import { RepositoryRegistry } from '../../model/RepositoryRegistry';
import { hasAllOf } from './plan';

interface BuiltIn {
  readonly repositories: readonly { readonly real: string }[];
  onDidChange(listener: () => void): Disposable;
}

export class BuiltInKey extends Feature {
  constructor(registry: RepositoryRegistry, builtIn: BuiltIn) {
    super();
    const update = () => {
      setContextKey('residentGit.isWholeInBuiltIn', hasAllOf(builtIn.repositories, registry.repositories));
    };
    this.store.add(registry.onDidOpen(update));
    this.store.add(registry.onDidClose(update));
    this.store.add(builtIn.onDidChange(update));
  }
}
