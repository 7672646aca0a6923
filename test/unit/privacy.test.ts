/** The extension connects only to its helper and to gits that prompt. */
import { strict as assert } from 'node:assert';
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const root = resolve(__dirname, '../../extension');
const kNetwork =
  /['"](?:node:)?(?:net|tls|https?|http2|dgram|undici|ws|axios)['"]|\b(?:globalThis\.fetch|new WebSocket)\b/;
const kTelemetry = /createTelemetryLogger|vscode-extension-telemetry|\btelemetry\b/i;

describe('the extension', () => {
  const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => ({ name, source: readFileSync(resolve(root, name), 'utf8') }));

  it('opens no connection but a socket in a directory of this user, for what git asks', () => {
    const users = sources.filter(({ source }) => kNetwork.test(source)).map(({ name }) => name);
    assert.deepEqual(users.sort(), ['git/prompts/PromptServer.ts', 'git/prompts/main.ts']);
    for (const { name, source } of sources.filter((each) => users.includes(each.name))) {
      const ends = [...source.matchAll(/(?:\bserver\.listen|\bconnect)\(([^)]*)\)/g)].map(
        (match) => match[1] ?? '',
      );
      assert.ok(ends.length > 0, name);
      for (const end of ends) assert.match(end, /^path,/, `${name}: ${end}`);
    }
  });

  it('has no telemetry', () => {
    for (const { name, source } of sources) assert.doesNotMatch(source, kTelemetry, name);
  });
});
