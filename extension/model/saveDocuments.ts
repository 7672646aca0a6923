/** Documents of editors, and that what is typed is on disk. */

/** What we use of `vscode.TextDocument`. */
export interface Saveable {
  readonly isDirty: boolean;
  save(): PromiseLike<boolean>;
}

/**
 * False where one stays unsaved: the editor has said why. An editor that saves by itself can be at it already, and then
 * says of our save that it was none.
 */
export async function saveDocuments(documents: Iterable<Saveable>): Promise<boolean> {
  for (const document of documents) {
    const isSaved = async (): Promise<boolean> => !document.isDirty || (await document.save());
    if (!(await isSaved()) && !(await isSaved())) return false;
  }
  return true;
}
