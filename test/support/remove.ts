/** Removes trees, even with directories without permissions and names that are not UTF-8. */
import { chmodSync, readdirSync, rmSync } from 'node:fs';

export function forceRemove(path: string | Buffer): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    grantAccess(Buffer.from(path));
    rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Removes everything in a directory except the `kept` names. */
export function forceEmpty(directory: string, ...kept: string[]): void {
  for (const name of readdirSync(directory, { encoding: 'buffer' }))
    if (!kept.includes(name.toString())) forceRemove(Buffer.concat([Buffer.from(`${directory}/`), name]));
}

function grantAccess(directory: Buffer): void {
  chmodSync(directory, 0o700);
  for (const entry of readdirSync(directory, { withFileTypes: true, encoding: 'buffer' })) {
    const name = entry.name as unknown as Buffer;
    if (entry.isDirectory()) grantAccess(Buffer.concat([directory, Buffer.from('/'), name]));
  }
}
