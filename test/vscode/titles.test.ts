/** Commands that VS Code's own Git has too are called as there, so that hands find them. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { installWorkbench } from './support/install';

/** Ours ask what of, or which. */
const kLonger: Readonly<Record<string, string>> = {
  'command.clone': 'Clone Repository...',
  'command.openRepository': 'Open Repository...',
};
const kAtLeast = 60;

describe('titles of commands', () => {
  it("are those of VS Code's own Git", function () {
    this.timeout(600_000);
    const builtIn = join(installWorkbench().entry, '../../../lib/vscode/extensions/git/package.nls.json');
    const theirs = read(builtIn);
    const ours = read(resolve(__dirname, '../../package.nls.json'));
    const shared = Object.keys(ours).filter((key) => key.startsWith('command.') && theirs[key] !== undefined);
    assert.deepEqual(
      shared.map((key) => `${key}: ${ours[key]}`),
      shared.map((key) => `${key}: ${kLonger[key] ?? theirs[key]}`),
    );
    assert.ok(shared.length >= kAtLeast, `only ${shared.length}`);
  });
});

/** A text stands alone, or beside a comment for translators. */
function read(file: string): Record<string, string | undefined> {
  const texts = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string | { message: string }>;
  const entries = Object.entries(texts);
  return Object.fromEntries(
    entries.map(([key, text]) => [key, typeof text === 'string' ? text : text.message]),
  );
}
