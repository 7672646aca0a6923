/**
 * What the editor's gutter compares an open file with: the index. The editor asks about files below the repository's root
 * alone, so the text of the index has no gutter.
 */
import { QuickDiffProvider, Uri } from 'vscode';
import { RepositoryRegistry } from '../model/RepositoryRegistry';
import { ContentProvider } from './ContentProvider';
import { contentUri } from './uris';

export class QuickDiff implements QuickDiffProvider {
  constructor(
    private readonly registry: RepositoryRegistry,
    private readonly content: ContentProvider,
  ) {}

  async provideOriginalResource(uri: Uri): Promise<Uri | undefined> {
    const original = this.originalOf(uri);
    // An original that does not exist would be an error in every editor of an untracked or ignored file.
    return original !== undefined && (await this.content.exists(original)) ? original : undefined;
  }

  private originalOf(uri: Uri): Uri | undefined {
    if (uri.scheme !== 'file') return undefined;
    const located = this.registry.locate(uri.fsPath);
    if (located === undefined || located.path === '' || located.path.startsWith('.git/')) return undefined;
    const entries = located.repository.entriesAt(located.path);
    const isNew = entries.length === 1 && entries[0]?.kind === 'untracked';
    return isNew ? undefined : contentUri(this.registry.paths, located.repository, located.path, 'index');
  }
}
