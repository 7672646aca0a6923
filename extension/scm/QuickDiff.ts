/**
 * Gives the editor's gutter the version to compare an open file with: from the index, or from HEAD. The editor asks only
 * for files below the repository's root. An editor that shows a version from the index therefore has no gutter.
 */
import { QuickDiffProvider, Uri } from 'vscode';
import { config } from '../config';
import { RepositoryRegistry } from '../model/RepositoryRegistry';
import { pathInHead } from '../model/status';
import { ContentProvider } from './ContentProvider';
import { contentUri } from './uris';

export class QuickDiff implements QuickDiffProvider {
  constructor(
    private readonly registry: RepositoryRegistry,
    private readonly content: ContentProvider,
  ) {}

  async provideOriginalResource(uri: Uri): Promise<Uri | undefined> {
    if (uri.scheme !== 'file') return undefined;
    const located = this.registry.locate(uri.fsPath);
    if (located === undefined || located.path === '' || located.path.startsWith('.git/')) return undefined;
    const { repository, path } = located;
    const entries = repository.entriesAt(path);
    if (entries.length === 1 && entries[0]?.kind === 'untracked') return undefined;
    const inIndex = contentUri(this.registry.paths, repository, path, 'index');
    // For an original that does not exist, every editor of an untracked or ignored file would show an error.
    if (!(await this.content.exists(inIndex))) return undefined;
    if (config.gutterComparesWith === 'index') return inIndex;
    const inHead = contentUri(this.registry.paths, repository, pathInHead(entries, path), 'HEAD');
    return (await this.content.exists(inHead)) ? inHead : inIndex;
  }
}
