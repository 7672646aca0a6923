/** The licences of what others made and we ship: libraries linked into the programs, packages bundled into the scripts. */
import fs from 'node:fs';
import { Failure, inRoot } from './shell.mjs';

const kLinked = 'media/third-party-notices.txt';
const kShipped = 'dist/third-party-notices.txt';

/** The packages that files of a bundle come from, by esbuild's metafiles. */
function packagesOf(metafiles) {
  const names = metafiles
    .flatMap(({ inputs }) => Object.keys(inputs))
    .map((path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[0]);
  return [...new Set(names)].filter((name) => name !== undefined).sort();
}

function noticeOf(folder) {
  const { name, license } = JSON.parse(fs.readFileSync(inRoot(folder, 'package.json'), 'utf8'));
  const file = fs.readdirSync(inRoot(folder)).find((file) => /^licen[cs]e/i.test(file));
  if (file === undefined) throw new Failure(`${folder} has no license file`);
  const rule = '-'.repeat(80);
  return `\n\n${name} (${license})\n${rule}\n\n${fs.readFileSync(inRoot(folder, file), 'utf8').trim()}\n`;
}

export function writeNotices(metafiles) {
  const notices = packagesOf(metafiles).map(noticeOf);
  fs.writeFileSync(inRoot(kShipped), fs.readFileSync(inRoot(kLinked), 'utf8') + notices.join(''));
}
