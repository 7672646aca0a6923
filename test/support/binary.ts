/** Paths of the program under test and of test programs. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

const projectRoot = resolve(__dirname, '../..');

/** RESIDENT_BINARY; else the output of `npm run build`; else the newest native build directory's. */
export function residentBinary(): string {
  const named = process.env.RESIDENT_BINARY;
  if (named) {
    if (!existsSync(named)) throw new Error(`RESIDENT_BINARY names ${named}, which does not exist`);
    return resolve(named);
  }
  const built = join(projectRoot, 'dist/bin/git-resident');
  if (existsSync(built)) return built;
  const newest = developmentBuilds().sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)[0];
  if (newest) return newest;
  throw new Error(`no git-resident: run "npm run build" (looked for ${built}), or set RESIDENT_BINARY`);
}

function developmentBuilds(): string[] {
  const builds = join(projectRoot, 'native/build');
  if (!existsSync(builds)) return [];
  return readdirSync(builds)
    .map((name) => join(builds, name, 'src/cli/git-resident'))
    .filter((path) => existsSync(path));
}

/** A program of native/testing; `npm run build` makes it too. */
export function testProgram(name: 'git_spy' | 'spawner'): string {
  return join(projectRoot, 'native/build/release/testing', name);
}
