/**
 * Checks a package. The .vsix has exactly the expected files. Its binaries are for the target's processor and
 * need only the target's C library, no newer than VS Code's own requirement.
 *
 *     node .dev/check-package.mjs [<file>.vsix [<target>]]
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Failure, inRoot, kThisTarget, main, output, say, vsixPath } from './shell.mjs';
import { brokenAddresses } from './packed-readme.mjs';
import { kNewestGlibc, kTargets } from './toolchain.mjs';
import { readZip } from './zip.mjs';

/** Pictures of the walkthrough in the manifest. */
function pictures() {
  const { walkthroughs } = JSON.parse(fs.readFileSync(inRoot('package.json'), 'utf8')).contributes;
  const steps = walkthroughs.flatMap((walkthrough) => walkthrough.steps);
  const files = steps.flatMap(({ media }) => Object.values(media.image));
  return [...new Set(files)].map((file) => `extension/${file}`);
}

// vsce renames: LICENSE becomes LICENSE.txt, README and CHANGELOG become lower case.
const kExpected = [
  '[Content_Types].xml',
  'extension.vsixmanifest',
  'extension/LICENSE.txt',
  'extension/changelog.md',
  'extension/dist/bin/git-resident',
  'extension/dist/extension.js',
  'extension/dist/git-prompt.sh',
  'extension/dist/helper.js',
  'extension/dist/prompt.js',
  'extension/dist/resident_git.node',
  'extension/dist/third-party-notices.txt',
  'extension/l10n/bundle.l10n.zh-cn.json',
  'extension/media/icon.png',
  ...pictures(),
  'extension/package.json',
  'extension/package.nls.json',
  'extension/package.nls.zh-cn.json',
  'extension/readme.md',
];
const kBinaries = ['extension/dist/bin/git-resident', 'extension/dist/resident_git.node'];
const kExecutables = ['extension/dist/bin/git-resident', 'extension/dist/git-prompt.sh'];
const kLibraries = {
  glibc: /^(lib(c|m|pthread|dl|rt)\.so\.\d|ld-linux-(x86-64|aarch64)\.so\.\d)$/,
  musl: /^libc\.so$/,
};
// A debug build or an extra library shows first in the size.
const kMaxMiB = 24;
const kMaxPictureBytes = 150 << 10;

/** Large pictures make the page load slowly. */
export function pictureProblems(pictures) {
  return pictures
    .filter(({ size }) => size > kMaxPictureBytes)
    .map(({ name, size }) => `${name}: ${size} bytes; a picture has at most ${kMaxPictureBytes}`);
}

/** README pictures are embedded in its text. */
function readmeProblems(entries) {
  const readme = entries.find(({ name }) => name === 'extension/readme.md');
  const text = readme?.read().toString('utf8') ?? '';
  return brokenAddresses(text).map((address) => `readme.md: VS Code cannot follow ${address}`);
}

function picturesOfReadme() {
  const folder = 'media/readme';
  return fs.readdirSync(inRoot(folder)).map((file) => {
    const name = `${folder}/${file}`;
    return { name, size: fs.statSync(inRoot(name)).size };
  });
}

function checkContents(entries) {
  const names = entries.map(({ name }) => name);
  const missing = kExpected.filter((name) => !names.includes(name));
  const unexpected = names.filter((name) => !kExpected.includes(name));
  const problems = [
    ...missing.map((name) => `missing: ${name}`),
    ...unexpected.map((name) => `unexpected: ${name}`),
    ...entries
      .filter(({ name, mode }) => kExecutables.includes(name) && (mode & 0o111) === 0)
      .map(({ name }) => `not executable: ${name}`),
    ...pictureProblems([...entries.filter(({ name }) => name.endsWith('.png')), ...picturesOfReadme()]),
    ...readmeProblems(entries),
  ];
  const size = entries.reduce((sum, entry) => sum + entry.size, 0);
  if (size > kMaxMiB << 20) problems.push(`${size} bytes unpacked; the limit is ${kMaxMiB} MiB`);
  return problems;
}

function compareVersions(a, b) {
  const [left, right] = [a, b].map((version) => version.split('.').map(Number));
  for (let i = 0; i < Math.max(left.length, right.length); i += 1) {
    const difference = (left[i] ?? 0) - (right[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Returns the problems of one binary, and the newest C library version in it. */
export function checkBinary(file, name, target, newestGlibc = kNewestGlibc) {
  const read = (...options) => output('readelf', ['--wide', ...options, file]) ?? '';
  const { machine, libc } = kTargets[target];
  const problems = [];
  const [, built = 'no processor'] = /^\s*Machine:\s+(.*)$/m.exec(read('--file-header')) ?? [];
  if (built !== machine) problems.push(`${name} is built for ${built}, not for ${machine}`);
  const dynamic = read('--dynamic');
  const libraries = [...dynamic.matchAll(/\(NEEDED\)\s+Shared library: \[(.*)\]/g)].map((match) => match[1]);
  for (const library of libraries)
    if (!kLibraries[libc].test(library)) problems.push(`${name} needs ${library}`);
  // A musl program can be linked statically.
  const isWhole = libc === 'musl' && !/^\s*INTERP/m.test(read('--program-headers'));
  if (libraries.length === 0 && !isWhole) problems.push(`${name}: no dynamic section that readelf can read`);
  if (/\((RPATH|RUNPATH)\)/.test(dynamic)) problems.push(`${name} has a run path of the build machine`);
  const versions = [...read('--version-info').matchAll(/GLIBC_([0-9.]+)/g)].map((match) => match[1]);
  const newest = versions.sort(compareVersions).at(-1);
  if (libc === 'musl') {
    if (newest !== undefined) problems.push(`${name} needs glibc ${newest} instead of musl`);
  } else if (newest === undefined) problems.push(`${name} names no version of glibc`);
  else if (compareVersions(newest, newestGlibc) > 0) {
    problems.push(`${name} needs glibc ${newest}; the limit is ${newestGlibc}`);
  }
  if (/\.debug_info/.test(read('--section-headers'))) problems.push(`${name} is not stripped`);
  return { problems, newest };
}

export function checkPackage(vsix, target) {
  if (!fs.existsSync(vsix)) throw new Failure(`${vsix} is missing; run "npm run package"`);
  const entries = readZip(vsix);
  for (const { name, size } of entries) say(`  ${String(size).padStart(9)}  ${name}`);
  const problems = checkContents(entries);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'resident-package-'));
  try {
    for (const { name, read } of entries.filter((entry) => kBinaries.includes(entry.name))) {
      const file = path.join(folder, path.basename(name));
      fs.writeFileSync(file, read());
      const binary = checkBinary(file, name, target);
      problems.push(...binary.problems);
      say(
        `  ${path.basename(name)}: needs ${binary.newest === undefined ? kTargets[target].libc : `glibc ${binary.newest} or newer`}`,
      );
    }
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
  if (problems.length > 0) throw new Failure(`${path.basename(vsix)}:\n  ${problems.join('\n  ')}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await main(() => {
    const [vsix = vsixPath(), target = kThisTarget] = process.argv.slice(2);
    checkPackage(vsix, target);
  });
}
