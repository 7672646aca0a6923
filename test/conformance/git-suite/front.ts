/** Creates a directory with the front: the `git` that a test script finds first on PATH. */
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Source } from '../disagreement';

export interface FrontSettings {
  /** The git for all other commands. */
  realGit: string;
  /** The program that answers `status`. */
  program: string;
  source: Source;
  /** compare: git answers too, and differences are written to the file `differences` in `state`. */
  mode: 'answer' | 'compare';
  /** Gets a line for each question. */
  log: string;
  /** An existing directory for marks and servers. */
  state: string;
}

const scripts = ['git', 'inner/git-front', 'inner/server.sh', 'inner/compare.sh', 'spy/git'];

/** Creates `directory`, which must not exist. `beside`: a directory of other programs for PATH. */
export function installFront(directory: string, settings: FrontSettings, beside?: string): void {
  mkdirSync(directory);
  for (const name of ['inner', 'spy']) mkdirSync(join(directory, name));
  for (const script of scripts) symlinkSync(join(__dirname, 'front', script), join(directory, script));
  for (const name of beside === undefined ? [] : readdirSync(beside)) {
    if (beside !== undefined && name !== 'git') symlinkSync(join(beside, name), join(directory, name));
  }
  const variables = {
    real_git: settings.realGit,
    program: settings.program,
    source: settings.source,
    mode: settings.mode,
    log: settings.log,
    state: settings.state,
  };
  const lines = Object.entries(variables).map(
    ([name, value]) => `${name}='${value.replaceAll("'", `'\\''`)}'\n`,
  );
  writeFileSync(join(directory, 'settings'), lines.join(''));
}
