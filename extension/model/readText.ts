/** A small text file, read so that nothing else can hold or fill the process. Does not know `vscode`. */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { RepoPath } from '../protocol';
import { toBytes } from './repoPath';

/** Undefined where no file stands there (a pipe is none), it cannot be read, or it has more than `limit` bytes. */
export async function readText(path: RepoPath, limit: number): Promise<string | undefined> {
  try {
    // Without it a pipe is waited for, by one of the few threads that read files.
    const file = await open(toBytes(path), constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      if (!(await file.stat()).isFile()) return undefined;
      // Most of it is never touched.
      const buffer = Buffer.allocUnsafe(limit + 1);
      let length = 0;
      for (let got = 1; got > 0 && length <= limit; length += got) {
        got = (await file.read(buffer, length, buffer.length - length)).bytesRead;
      }
      return length > limit ? undefined : buffer.toString('utf8', 0, length);
    } finally {
      await file.close();
    }
  } catch {
    return undefined;
  }
}
