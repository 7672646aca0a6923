/**
 * Gits of other versions than the system's, for the tests to ask: built from Debian's source packages, outside of the
 * clone, once.
 *
 *     npm run gits [-- [--source] name…]
 *
 * A name is a Debian release (bookworm, trixie, sid), a version that one of them has (2.47.3), or `newest`, which is
 * sid's. Prints the directory of each: an installation prefix, bin/git in it. --source keeps the built source tree in
 * its `source` as well, which git's own test suite needs. Everything is in $XDG_CACHE_HOME/resident-git/gits
 * (~/.cache where that is unset), and can be removed at any time.
 *
 * The packages come through apt with a configuration of its own: the system's lists stay as they are, nobody need be
 * root, and every list is checked against Debian's keys as always. Without a network a version that is there already
 * is found by its number; a release is not, as nobody can tell what it has today.
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { DebianPackages, inCache, kMirror } from './debian.mjs';
import { setup } from './setup.mjs';
import { Failure, main, output, run, say, tryRun } from './shell.mjs';

const kReleases = ['bookworm', 'trixie', 'sid'];
const kNewest = 'sid';
/** What a git that answers and makes repositories can do without. */
const kLeftOut = ['CURL', 'EXPAT', 'GETTEXT', 'OPENSSL', 'PERL', 'PYTHON', 'RUST', 'TCLTK'];

const inGits = (...parts) => inCache('gits', ...parts);

/** The last file that a build writes: without it nothing of the directory counts. */
const stampOf = (version) => inGits(version, 'complete');
export const isBuilt = (version, { source = false } = {}) =>
  fs.existsSync(stampOf(version)) && (!source || fs.existsSync(inGits(version, 'source')));

const isNumber = (name) => /^\d+(\.\d+)+$/.test(name);

/** "2.47.3" of Debian's "1:2.47.3-0+deb13u1". */
const upstreamOf = (debianVersion) => debianVersion.replace(/^\d+:/, '').replace(/-[^-]*$/, '');

/** What the releases have. */
function sourcePackages() {
  const packages = new DebianPackages(inGits('apt'), { types: 'deb-src', suites: kReleases });
  say(`gits: looking up the git versions of ${kReleases.join(', ')} at ${kMirror}`);
  if (!packages.update())
    throw new Failure(`cannot list the git versions of Debian: no package lists from ${kMirror}`);
  return packages;
}

/** Debian's version of git in each release; the newest where a release has several. */
function versionsOfReleases(packages) {
  const format = ['--format', '$(CODENAME) $(FILENAME)', 'Created-By: Sources'];
  const lists = packages.indexTargets(format);
  const versions = lists
    .trim()
    .split('\n')
    .map((line) => {
      const [release, file] = line.split(' ');
      // A list may be compressed; this is how apt itself reads one.
      const entries = (output('/usr/lib/apt/apt-helper', ['cat-file', file]) ?? '').split('\n\n');
      const entry = entries.find((text) => text.startsWith('Package: git\n'));
      return [release, /^Version: (.+)$/m.exec(entry ?? '')?.[1]];
    });
  return new Map(versions.filter(([, version]) => version !== undefined));
}

/** Debian's version in a release, or the one whose upstream version that is. */
function findVersion(name, versions) {
  const byNumber = [...versions.values()].find((version) => upstreamOf(version) === name);
  const version = versions.get(name) ?? byNumber;
  if (version !== undefined) return version;
  const known = [...versions].map(([release, found]) => `${release} has ${upstreamOf(found)}`).join(', ');
  throw new Failure(`no release of Debian has git ${name} (${known}); build this git and name its directory`);
}

/** Fetches, builds and installs. The caller holds the lock. */
function buildGit(packages, version, { source: keepSource }) {
  const upstream = upstreamOf(version);
  const prefix = inGits(upstream);
  // One that is complete may be in use, and lacks only its source; else there is what an interrupted build left behind.
  const isComplete = isBuilt(upstream);
  fs.rmSync(isComplete ? stampOf(upstream) : prefix, { recursive: true, force: true });
  fs.mkdirSync(prefix, { recursive: true });
  say(`gits: fetching the source of git ${version}`);
  packages.get(['source', `git=${version}`], { cwd: prefix, explain: `the source of git ${version}` });
  const [tree] = fs.readdirSync(prefix).filter((name) => fs.existsSync(path.join(prefix, name, 'Makefile')));
  if (tree === undefined) throw new Failure(`the source package of git ${version} has no Makefile`);
  const source = path.join(prefix, 'source');
  fs.renameSync(path.join(prefix, tree), source);

  const jobs = os.availableParallelism();
  const log = path.join(prefix, 'build.log');
  say(`gits: building git ${upstream} in ${prefix}; the log is ${log}`);
  const settings = [`prefix=${prefix}`, 'CFLAGS=-O2', ...kLeftOut.map((what) => `NO_${what}=1`)];
  const file = fs.openSync(log, 'w');
  run('make', [`-j${jobs}`, ...settings, 'all', ...(isComplete ? [] : ['install'])], {
    cwd: source,
    stdio: ['ignore', file, file],
    explain: `the build of git ${upstream}, whose log is ${log},`,
  });
  fs.closeSync(file);
  const said = output(path.join(prefix, 'bin', 'git'), ['--version'])?.trim();
  if (said === undefined) throw new Failure(`the built git ${upstream} does not run`);
  if (!keepSource) fs.rmSync(source, { recursive: true });
  for (const name of fs.readdirSync(prefix)) if (name.startsWith('git_')) fs.rmSync(path.join(prefix, name));
  fs.writeFileSync(stampOf(upstream), `${version}\n`);
  say(`gits: ${said} is in ${prefix}`);
}

/** Builds what is missing of the named ones, and returns their directories. The caller holds the lock. */
function ensure(names, { source }) {
  let packages;
  let versions;
  return names.map((given) => {
    const name = given === 'newest' ? kNewest : given;
    if (!isNumber(name) && !kReleases.includes(name)) {
      throw new Failure(`unknown git ${name}; name a version, newest, ${kReleases.join(', ')}`);
    }
    if (isNumber(name) && isBuilt(name, { source })) return inGits(name);
    if (versions === undefined) {
      setup({ gits: true });
      packages = sourcePackages();
      versions = versionsOfReleases(packages);
    }
    const version = findVersion(name, versions);
    if (!isBuilt(upstreamOf(version), { source })) buildGit(packages, version, { source });
    return inGits(upstreamOf(version));
  });
}

/** The directories of the named gits, which are built where they are missing; one process at a time does so. */
export function gits(names, { source = false } = {}) {
  if (names.every((name) => isNumber(name) && isBuilt(name, { source })))
    return names.map((name) => inGits(name));
  fs.mkdirSync(inGits(), { recursive: true });
  const isTaken = tryRun('flock', ['--nonblock', inGits('lock'), 'true']).status !== 0;
  if (isTaken) say('gits: waiting for another run that builds git');
  const options = ['--locked', ...(source ? ['--source'] : [])];
  const command = [inGits('lock'), process.execPath, fileURLToPath(import.meta.url), ...options, ...names];
  const result = spawnSync('flock', command, { stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8' });
  if (result.error) throw new Failure(`cannot run flock: ${result.error.message}`);
  if (result.status !== 0) throw new Failure(`git ${names.join(', ')} is not available`);
  return result.stdout.trim().split('\n');
}

/** The directory of git's programs of what --git names: a built git's directory, or one of the names above. */
export function programsOf(named) {
  const isName = kReleases.includes(named) || named === 'newest' || isNumber(named);
  const folder = path.resolve(isName ? gits([named])[0] : named);
  // A prefix; a source tree; the directory of the program itself.
  const found = ['bin', 'bin-wrappers', '.'].map((part) => path.join(folder, part));
  const programs = found.find((part) => output(path.join(part, 'git'), ['--version']) !== undefined);
  if (programs === undefined) throw new Failure(`--git ${named}: no working git in ${folder}`);
  return programs;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const words = process.argv.slice(2);
  const names = words.filter((word) => !word.startsWith('--'));
  const source = words.includes('--source');
  await main(() => {
    if (names.length === 0) throw new Failure(`name a version, newest, ${kReleases.join(', ')}`);
    const folders = words.includes('--locked') ? ensure(names, { source }) : gits(names, { source });
    process.stdout.write(`${folders.join('\n')}\n`);
  });
}
