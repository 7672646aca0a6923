/**
 * Builds other git versions for the tests from Debian's source packages, once, outside of the clone.
 *
 *     npm run gits [-- [--source] name…]
 *
 * A name is a Debian release (bookworm, trixie, sid), a version in a release (2.47.3), or `newest`, which is
 * sid's version. Prints each installation prefix, with bin/git in it. --source also keeps the built source
 * tree in `source`, for git's own test suite. Everything is in $XDG_CACHE_HOME/resident-git/gits (default
 * ~/.cache), and can be removed at any time.
 *
 * The packages come through apt with a private configuration. The system's lists do not change, root is not
 * needed, and every list is checked against Debian's keys. Without a network, built versions are found by
 * their number, but releases are not: their current version is unknown.
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
/** Features that the tests do not need. */
const kLeftOut = ['CURL', 'EXPAT', 'GETTEXT', 'OPENSSL', 'PERL', 'PYTHON', 'RUST', 'TCLTK'];

const inGits = (...parts) => inCache('gits', ...parts);

/** The last file of a build; without it the directory is incomplete. */
const stampOf = (version) => inGits(version, 'complete');
export const isBuilt = (version, { source = false } = {}) =>
  fs.existsSync(stampOf(version)) && (!source || fs.existsSync(inGits(version, 'source')));

const isNumber = (name) => /^\d+(\.\d+)+$/.test(name);

/** Returns "2.47.3" for Debian's "1:2.47.3-0+deb13u1". */
const upstreamOf = (debianVersion) => debianVersion.replace(/^\d+:/, '').replace(/-[^-]*$/, '');

/** Debian's git versions by release. */
function sourcePackages() {
  const packages = new DebianPackages(inGits('apt'), { types: 'deb-src', suites: kReleases });
  say(`gits: looking up the git versions of ${kReleases.join(', ')} at ${kMirror}`);
  if (!packages.update())
    throw new Failure(`cannot list the git versions of Debian: no package lists from ${kMirror}`);
  return packages;
}

/** Debian's newest git version in each release. */
function versionsOfReleases(packages) {
  const format = ['--format', '$(CODENAME) $(FILENAME)', 'Created-By: Sources'];
  const lists = packages.indexTargets(format);
  const versions = lists
    .trim()
    .split('\n')
    .map((line) => {
      const [release, file] = line.split(' ');
      // A list may be compressed; apt itself reads it with this helper.
      const entries = (output('/usr/lib/apt/apt-helper', ['cat-file', file]) ?? '').split('\n\n');
      const entry = entries.find((text) => text.startsWith('Package: git\n'));
      return [release, /^Version: (.+)$/m.exec(entry ?? '')?.[1]];
    });
  return new Map(versions.filter(([, version]) => version !== undefined));
}

/** Debian's version for a release or an upstream version. */
function findVersion(name, versions) {
  const byNumber = [...versions.values()].find((version) => upstreamOf(version) === name);
  const version = versions.get(name) ?? byNumber;
  if (version !== undefined) return version;
  const known = [...versions].map(([release, found]) => `${release} has ${upstreamOf(found)}`).join(', ');
  throw new Failure(`no release of Debian has git ${name} (${known}); build this git and name its directory`);
}

/** Downloads, builds and installs. The caller holds the lock. */
function buildGit(packages, version, { source: keepSource }) {
  const upstream = upstreamOf(version);
  const prefix = inGits(upstream);
  // A complete build may be in use and lacks only its source. An incomplete one is removed.
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

/** Builds missing versions and returns all directories. The caller holds the lock. */
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

/** The directories of the named gits. Builds missing versions, one process at a time. */
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

/** The directory of git's programs for --git: the directory of a built git, or a name as above. */
export function programsOf(named) {
  const isName = kReleases.includes(named) || named === 'newest' || isNumber(named);
  const folder = path.resolve(isName ? gits([named])[0] : named);
  // A prefix, a source tree, or the directory of the program.
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
