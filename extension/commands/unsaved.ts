/** Finds documents with unsaved changes. */
import { TextDocument, workspace } from 'vscode';
import { Repository } from '../model/Repository';
import { RepositoryRegistry } from '../model/RepositoryRegistry';
import { RepoPath } from '../protocol';
import { pathOf } from '../scm/uris';

export interface Unsaved {
  document: TextDocument;
  path: RepoPath;
}

export function unsavedIn(registry: RepositoryRegistry, repository: Repository): Unsaved[] {
  return workspace.textDocuments.flatMap((document) => {
    if (!document.isDirty || document.uri.scheme !== 'file') return [];
    const located = registry.locate(pathOf(document.uri));
    return located?.repository === repository ? [{ document, path: located.path }] : [];
  });
}
