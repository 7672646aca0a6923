/**
 * Debian packages through apt with a private configuration. The system's lists do not change, root is not
 * needed, and apt checks every list against Debian's keys.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { kTold, output, run, tryRun } from './shell.mjs';

export const kMirror = 'http://deb.debian.org/debian';
const kKeys = '/usr/share/keyrings/debian-archive-keyring.gpg';

/** Debian packages that this module needs -> a check for their presence. */
export const kNeededForDebian = {
  'debian-archive-keyring': () => fs.existsSync(kKeys),
};

/** A path in the user's cache; the cache can be removed at any time. */
export const inCache = (...parts) =>
  path.join(process.env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache'), 'resident-git', ...parts);

export class DebianPackages {
  /**
   * `folder` keeps the lists. `types`: deb or deb-src. `architectures`: Debian's names, by default the
   * machine's.
   */
  constructor(folder, { types, suites, architectures = [] }) {
    for (const part of ['state/lists/partial', 'cache/archives/partial'])
      fs.mkdirSync(path.join(folder, part), { recursive: true });
    const sources = {
      Types: types,
      URIs: kMirror,
      Suites: suites.join(' '),
      Components: 'main',
      ...(architectures.length > 0 && { Architectures: architectures.join(' ') }),
      'Signed-By': kKeys,
    };
    const text = Object.entries(sources).map(([name, value]) => `${name}: ${value}\n`);
    fs.writeFileSync(path.join(folder, 'debian.sources'), text.join(''));
    const settings = {
      'Dir::Etc::sourcelist': path.join(folder, 'debian.sources'),
      'Dir::Etc::sourceparts': '/dev/null',
      'Dir::State': path.join(folder, 'state'),
      'Dir::State::status': '/dev/null',
      'Dir::Cache': path.join(folder, 'cache'),
      // A missing or unverified list is an error, not a warning.
      'APT::Update::Error-Mode': 'any',
      // apt would download as its own user, who may not enter our cache.
      'APT::Sandbox::User': os.userInfo().username,
    };
    this.options = Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
    for (const name of architectures) this.options.push('-o', `APT::Architectures::=${name}`);
  }

  /** True if the lists were downloaded. */
  update() {
    return tryRun('apt-get', [...this.options, '-qq', 'update'], { stdio: kTold }).status === 0;
  }

  /** Runs apt-get; `options` as those of `run`. */
  get(args, options) {
    run('apt-get', [...this.options, '-qq', ...args], { stdio: kTold, ...options });
  }

  /** Output of `apt-get indextargets`; '' on failure. */
  indexTargets(args) {
    return output('apt-get', [...this.options, 'indextargets', ...args]) ?? '';
  }
}
