import { chmodSync } from 'node:fs';

const kNobody = 65534;

/**
 * Runs `body` so that file modes apply to it: root becomes the user nobody. `folder` of mkdtemp is opened to
 * that user.
 */
export async function withModes(folder: string, body: () => Promise<void>): Promise<void> {
  if (process.getuid?.() !== 0) return body();
  chmodSync(folder, 0o755);
  process.seteuid?.(kNobody);
  try {
    await body();
  } finally {
    process.seteuid?.(0);
  }
}
