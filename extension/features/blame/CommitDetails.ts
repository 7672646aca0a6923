/** The whole message of a commit and its page, for the hover. Does not know `vscode`. */
import { textOf } from '../../git/outputText';
import { BackgroundRun } from '../../git/runGit';
import { kRemotesCommand, messageCommand, parseRemote } from './git';
import { CommitPage, commitPage } from './commitPage';

const kMaxKept = 200;

export interface Details {
  /** Undefined: git failed. */
  message: string | undefined;
  page: CommitPage | undefined;
}

export class CommitDetails {
  /** In order of use, the last used at the end. */
  private readonly kept = new Map<string, { promise: Promise<Details>; details?: Details }>();
  private readonly remotes = new Map<string, Promise<Uint8Array | undefined>>();

  constructor(private readonly run: BackgroundRun) {}

  /** Undefined: not read yet. */
  known(root: string, hash: string): Details | undefined {
    return this.kept.get(keyOf(root, hash))?.details;
  }

  /** `preferred`: the remote whose page is meant. */
  of(root: string, hash: string, preferred: string | undefined): Promise<Details> {
    const key = keyOf(root, hash);
    const known = this.kept.get(key);
    this.kept.delete(key);
    const kept: { promise: Promise<Details>; details?: Details } = known ?? {
      promise: this.read(root, hash, preferred),
    };
    this.kept.set(key, kept);
    if (known === undefined) void kept.promise.then((details) => (kept.details = details));
    for (const oldest of this.kept.keys()) {
      if (this.kept.size <= kMaxKept) break;
      this.kept.delete(oldest);
    }
    return kept.promise;
  }

  /** The remotes of this repository may have changed. */
  forget(root: string): void {
    this.remotes.delete(root);
    for (const key of this.kept.keys()) if (key.endsWith(` ${root}`)) this.kept.delete(key);
  }

  private async read(root: string, hash: string, preferred: string | undefined): Promise<Details> {
    const remotes = this.remotes.get(root) ?? this.ask(root, kRemotesCommand);
    this.remotes.set(root, remotes);
    const [message, urls] = await Promise.all([this.ask(root, messageCommand(hash)), remotes]);
    const url = urls && parseRemote(urls, preferred);
    return {
      message: message && textOf(message).trim(),
      page: url === undefined ? undefined : commitPage(url, hash),
    };
  }

  private async ask(root: string, command: Parameters<BackgroundRun>[1]): Promise<Uint8Array | undefined> {
    try {
      const result = await this.run(root, command, new AbortController().signal);
      return result?.code === 0 ? result.stdout : undefined;
    } catch {
      return undefined;
    }
  }
}

const keyOf = (root: string, hash: string) => `${hash} ${root}`;
