/** The shipped addon. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

/** RESIDENT_ADDON, or the output of `npm run build`. */
export function addonPath(): string {
  const path = process.env.RESIDENT_ADDON ?? resolve(__dirname, '../../dist/resident_git.node');
  if (!existsSync(path))
    throw new Error(`${path} does not exist: run "npm run build", or set RESIDENT_ADDON`);
  return path;
}
