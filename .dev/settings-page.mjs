/**
 * Writes docs/settings.md from package.json and package.nls.json. A test fails if the page is stale.
 *
 *     node .dev/settings-page.mjs
 */
import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import { slugOf } from './check-texts.mjs';
import { inRoot, main, manifest, say } from './shell.mjs';

const kPage = 'docs/settings.md';
const kHead = `# Settings

Open the settings of VS Code and search for \`residentGit\`. A setting that a \`git.\` setting matches has the same name
and the same values. The \`git.\` settings themselves belong to the built-in Git.

<!-- Written by .dev/settings-page.mjs. Edit package.json and package.nls.json instead. -->
`;

/** In the settings editor, \`#name#\` is a link. */
const linked = (text) => text.replace(/`#([\w.]+)#`/g, (_, name) => `[\`${name}\`](#${slugOf(name)})`);

function section([name, setting], shown) {
  const description = linked(shown(setting.markdownDescription ?? setting.description));
  const meanings = setting.markdownEnumDescriptions ?? setting.enumDescriptions ?? [];
  const values = (setting.enum ?? []).map((value, index) => {
    const meaning = meanings[index];
    return `- \`${value}\`${meaning === undefined ? '' : `: ${linked(shown(meaning))}`}`;
  });
  const list = [...values, `- Default: \`${JSON.stringify(setting.default)}\``];
  return `## \`${name}\`\n\n${description}\n\n${list.join('\n')}\n`;
}

/** The page for a package.json and its `%key%` texts. */
export function settingsPage({ contributes: { configuration } }, texts) {
  const shown = (text) => text.replace(/^%(.+)%$/, (_, key) => texts[key]);
  const parts = Array.isArray(configuration) ? configuration : [configuration];
  const settings = parts.flatMap(({ properties }) => Object.entries(properties));
  return [kHead, ...settings.map((setting) => section(setting, shown))].join('\n');
}

/** The page for this clone, and its path. */
export function currentPage() {
  const texts = JSON.parse(fs.readFileSync(inRoot('package.nls.json'), 'utf8'));
  return { file: inRoot(kPage), text: settingsPage(manifest(), texts) };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await main(() => {
    const { file, text } = currentPage();
    fs.writeFileSync(file, text);
    say(`settings: wrote ${kPage}`);
  });
}
