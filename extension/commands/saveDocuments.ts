/** Saves documents of editors. */

/** The part of `vscode.TextDocument` that is used here. */
export interface Saveable {
  readonly isDirty: boolean;
  save(): PromiseLike<boolean>;
}

/**
 * False if a document stays unsaved; the editor has reported why. While the editor saves a document by itself, `save`
 * can return false: a second attempt decides.
 */
export async function saveDocuments(documents: Iterable<Saveable>): Promise<boolean> {
  for (const document of documents) {
    const isSaved = async (): Promise<boolean> => !document.isDirty || (await document.save());
    if (!(await isSaved()) && !(await isSaved())) return false;
  }
  return true;
}
