/** Lifetimes: objects that are registered together are disposed together. */
import type { Disposable } from 'vscode';

export class DisposableStore implements Disposable {
  private readonly disposables: { dispose(): unknown }[] = [];
  private isDisposed = false;

  add<T extends { dispose(): unknown }>(disposable: T): T {
    if (this.isDisposed) disposable.dispose();
    else this.disposables.push(disposable);
    return disposable;
  }

  /** Disposes in reverse order of registration. */
  dispose(): void {
    this.isDisposed = true;
    for (const disposable of this.disposables.splice(0).reverse()) disposable.dispose();
  }
}

/** A feature disposes everything that it registered. */
export abstract class Feature implements Disposable {
  protected readonly store = new DisposableStore();

  dispose(): void {
    this.store.dispose();
  }
}
