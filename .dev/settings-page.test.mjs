import assert from 'node:assert/strict';
import fs from 'node:fs';
import { currentPage, settingsPage } from './settings-page.mjs';

describe('the page of settings', () => {
  it('is what package.json says now', () => {
    const { file, text } = currentPage();
    assert.equal(fs.readFileSync(file, 'utf8'), text, 'run "node .dev/settings-page.mjs"');
  });

  it('has the description, the values with their meanings, and the default', () => {
    const properties = {
      'a.b': {
        markdownDescription: '%text%',
        enum: ['x', 'y'],
        markdownEnumDescriptions: ['%meaning%', 'Y.'],
        default: 'x',
      },
      'a.c': { description: 'Plain.', default: null },
    };
    const texts = { text: 'Sets it. See `#a.c#`.', meaning: 'X.' };
    const page = settingsPage({ contributes: { configuration: { properties } } }, texts);
    const sections = page.slice(page.indexOf('## '));
    assert.equal(
      sections,
      '## `a.b`\n\nSets it. See [`a.c`](#ac).\n\n- `x`: X.\n- `y`: Y.\n- Default: `"x"`\n\n' +
        '## `a.c`\n\nPlain.\n\n- Default: `null`\n',
    );
  });
});
