/**
 * Reads git's output with -z: records that end with NUL. Each call returns the next record; undefined after the last.
 */
import { RepoPath } from '../protocol';
import { fromBytes } from '../model/repoPath';

export function nulRecords(output: Uint8Array): () => RepoPath | undefined {
  const bytes = Buffer.from(output.buffer, output.byteOffset, output.byteLength);
  let at = 0;
  return () => {
    const end = bytes.indexOf(0, at);
    if (end < 0) return undefined;
    const record = fromBytes(bytes.subarray(at, end));
    at = end + 1;
    return record;
  };
}
