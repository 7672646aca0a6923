/** Tracked files that are edited and restored. */
import { appendFileSync, statSync, truncateSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import type { Subject } from './subject';

const text = '// edited\n';

interface EditedFile {
  path: string;
  size: number;
  /** Seconds. */
  accessed: number;
  modified: number;
}

export class FileEdits {
  private constructor(private readonly files: readonly EditedFile[]) {}

  /** Chooses files evenly over the worktree; edits nothing yet. */
  static spread(subject: Subject, count: number): FileEdits {
    const paths = subject
      .git(['ls-files', '-z'])
      .split('\0')
      .filter((path) => path !== '' && !path.endsWith('.gitignore'));
    const stride = Math.max(1, Math.floor(paths.length / count));
    const chosen = Array.from({ length: count }, (_, i) => paths[i * stride]);
    return new FileEdits(
      chosen
        .filter((path) => path !== undefined)
        .map((path) => {
          const absolute = join(subject.worktree, path);
          const { size, atimeMs, mtimeMs } = statSync(absolute);
          return { path: absolute, size, accessed: atimeMs / 1000, modified: mtimeMs / 1000 };
        }),
    );
  }

  make(): void {
    for (const { path } of this.files) appendFileSync(path, text);
  }

  /** Also restores files that git rewrote meanwhile with the old content. */
  takeBack(): void {
    for (const { path, size, accessed, modified } of this.files) {
      truncateSync(path, size);
      utimesSync(path, accessed, modified);
    }
  }
}
