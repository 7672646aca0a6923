import assert from 'node:assert/strict';
import fs from 'node:fs';
import { brokenAddresses, packedReadme } from './packed-readme.mjs';
import { inRoot } from './shell.mjs';

describe('the README in a package', () => {
  it('has its pictures in itself, and names files in place of links to them', () => {
    const markdown =
      '# A\n![p](m/p.png) [d](docs/d.md#e) [w](https://w) [s](#a)\n```\n[c](d.md)\n```\n[e](e.md)\n';
    const packed = packedReadme(markdown, (file) => Buffer.from(file));
    const picture = Buffer.from('m/p.png').toString('base64');
    assert.equal(
      packed,
      `# A\n![p](data:image/png;base64,${picture}) d (\`docs/d.md#e\`) [w](https://w) [s](#a)\n` +
        '```\n[c](d.md)\n```\ne (`e.md`)\n',
    );
  });

  it('leads nowhere that VS Code cannot follow', () => {
    const packed = packedReadme(fs.readFileSync(inRoot('README.md'), 'utf8'), (file) =>
      fs.readFileSync(inRoot(file)),
    );
    assert.deepEqual(brokenAddresses(packed), []);
    assert.deepEqual(brokenAddresses('[a](b.md) ![c](http://d) <img src="e.png">'), [
      'b.md',
      'http://d',
      'e.png',
    ]);
  });
});
