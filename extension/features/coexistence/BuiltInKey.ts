/**
 * Whether VS Code's own Git has buttons of its own for every file here: they stand in each editor of a file with changes while
 * it has any repository open, and do nothing in one that it has not.
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
