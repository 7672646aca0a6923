/**
 * Reads a small text file. A pipe cannot block the process, and a large file cannot fill its memory. Does not import
 * `vscode`.
 */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { RepoPath } from '../protocol';
import { toBytes } from './repoPath';

/** Undefined: not a regular file (for example a pipe), not readable, or longer than `limit` bytes. */
export async function readText(path: RepoPath, limit: number): Promise<string | undefined> {
  try {
    // Without O_NONBLOCK, opening a pipe blocks one of the few threads that read files.
    const file = await open(toBytes(path), constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      if (!(await file.stat()).isFile()) return undefined;
      // Most of the buffer is never touched.
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
