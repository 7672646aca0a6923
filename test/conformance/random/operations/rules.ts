/** Ignore rules, attributes and configuration. */
import { attributesFile, ignoreFile } from '../names';
import type { World } from '../world';
import type { Operation } from './operation';

type Text = (prng: World['prng']) => string;

function writeRules(name: string, text: Text): Operation['run'] {
  return (world) => {
    const path = world.directoryPrefix() + name;
    const kind = world.repo.kind(path);
    if (!world.creatable(path) || (kind !== 'file' && kind !== 'none')) return false;
    if (kind === 'file' && world.prng.chance(25)) world.repo.remove(path);
    else world.repo.write(path, text(world.prng));
    return true;
  };
}

function writeInfo(world: World, name: string, text: Text): boolean {
  const path = world.gitPath(`info/${name}`);
  if (path === undefined) return false;
  world.repo.write(path, text(world.prng));
  return true;
}

const settings: [name: string, values: readonly string[]][] = [
  ['status.renames', ['true', 'false', 'copies']],
  ['diff.renames', ['true', 'false', 'copies']],
  ['diff.renameLimit', ['0', '1', '2', '1000']],
  ['status.renameLimit', ['1', '1000']],
  ['core.fileMode', ['true', 'false']],
  ['core.trustctime', ['true', 'false']],
  ['core.checkStat', ['default', 'minimal']],
  ['core.autocrlf', ['true', 'false', 'input']],
  ['core.eol', ['lf', 'crlf', 'native']],
  ['core.safecrlf', ['true', 'false']],
  ['diff.ignoreSubmodules', ['none', 'untracked', 'dirty', 'all']],
  ['status.aheadBehind', ['true', 'false']],
  ['status.showUntrackedFiles', ['no', 'normal', 'all']],
  ['core.quotePath', ['true', 'false']],
  ['core.symlinks', ['true', 'false']],
  ['core.ignoreCase', ['true', 'false']],
  ['core.precomposeUnicode', ['true', 'false']],
  ['core.untrackedCache', ['keep', 'true', 'false']],
  ['core.preloadIndex', ['false']],
  ['core.sparseCheckout', ['true', 'false']],
  ['core.abbrev', ['7', '12']],
  ['index.sparse', ['true', 'false']],
  ['index.version', ['2', '4']],
  ['index.threads', ['1', '2']],
  ['feature.manyFiles', ['true', 'false']],
  ['status.relativePaths', ['true', 'false']],
  ['status.short', ['true', 'false']],
  ['status.branch', ['true', 'false']],
  ['status.showStash', ['true', 'false']],
  ['status.submoduleSummary', ['true', 'false']],
  ['status.displayCommentPrefix', ['true', 'false']],
  ['color.status', ['always', 'auto', 'false']],
  ['color.ui', ['always', 'auto']],
  ['color.status.added', ['bold blue', 'reverse', '#ff0000', 'normal']],
  ['color.status.untracked', ['yellow dim', '208']],
  ['column.status', ['always', 'never']],
  ['advice.statusHints', ['false', 'true']],
  ['advice.statusUoption', ['false', 'true']],
  ['advice.statusAheadBehindWarning', ['false']],
  ['submodule.recurse', ['true', 'false']],
  ['core.logAllRefUpdates', ['false']],
];

function configure(world: World): undefined {
  const [name, values] = world.prng.pick(settings);
  world.kinds.add(`configured ${name}`);
  if (world.prng.chance(30)) world.repo.tryGit('config', '--unset-all', name);
  else world.repo.tryGit('config', name, world.prng.pick(values));
}

function excludesFile(world: World): undefined {
  world.repo.write('../global-ignore', ignoreFile(world.prng));
  world.repo.tryGit('config', 'core.excludesFile', '../global-ignore');
}

export const ruleOperations: Operation[] = [
  { name: 'edit .gitignore', weight: 6, run: writeRules('.gitignore', ignoreFile) },
  { name: 'edit .gitattributes', weight: 2, run: writeRules('.gitattributes', attributesFile) },
  {
    name: 'edit info/exclude',
    weight: 2,
    run: (w) => writeInfo(w, 'exclude', ignoreFile),
  },
  {
    name: 'edit info/attributes',
    weight: 1,
    run: (w) => writeInfo(w, 'attributes', attributesFile),
  },
  { name: 'edit core.excludesFile', weight: 1, run: excludesFile },
  { name: 'configure', weight: 6, kinds: settings.map(([name]) => `configured ${name}`), run: configure },
];
