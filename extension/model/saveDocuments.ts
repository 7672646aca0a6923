/** Saves documents of editors. */

/** The part of `vscode.TextDocument` that is used here. */
export interface Saveable {
  readonly isDirty: boolean;
  save(): PromiseLike<boolean>;
}

/**
 * False if a document stays unsaved; the editor has reported why. An editor that is already saving by itself rejects
 * our save: the second attempt succeeds.
 */
export async function saveDocuments(documents: Iterable<Saveable>): Promise<boolean> {
  for (const document of documents) {
    const isSaved = async (): Promise<boolean> => !document.isDirty || (await document.save());
    if (!(await isSaved()) && !(await isSaved())) return false;
  }
  return true;
}
