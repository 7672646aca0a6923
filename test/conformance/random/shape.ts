/** The repository that a seed starts with. */
import { Repository } from '../../support/repository';
import type { Sandbox } from '../../support/sandbox';
import { attributesFile, content, ignoreFile } from './names';
import type { Prng } from './prng';
import { World } from './world';

export interface Shape {
  repo: Repository;
  /** What is special about it; counted among the kinds of state. */
  traits: string[];
}

function fill(world: World): void {
  const { repo, prng } = world;
  for (let i = 0; i < 4 + prng.below(18); i++) {
    const path = world.newPath();
    if (world.creatable(path) && !repo.exists(path)) repo.write(path, content(prng));
  }
}

function makeLibrary(sandbox: Sandbox, format: string[]): void {
  const library = Repository.init(sandbox, 'library', ...format);
  library.write('file', 'library\n');
  library.commit();
}

export function buildShape(sandbox: Sandbox, prng: Prng): Shape {
  const traits: string[] = [];
  const sha256 = prng.chance(10);
  const format = sha256 ? ['--object-format=sha256'] : [];
  if (sha256) traits.push('sha256');
  const repo = Repository.init(sandbox, 'w', ...format);
  const world = new World(repo, prng);
  const version = prng.pick(['2', '2', '3', '4']);
  repo.config('index.version', version);
  if (prng.chance(40)) repo.write('.gitignore', ignoreFile(prng));
  fill(world);
  if (prng.chance(15)) repo.write('.gitattributes', attributesFile(prng));
  if (prng.chance(10)) repo.config('core.autocrlf', prng.pick(['true', 'input']));
  const library = prng.chance(35);
  if (library) makeLibrary(sandbox, format);
  if (prng.chance(10)) return { repo, traits };
  repo.tryGit('add', '-A');
  repo.tryGit('commit', '-q', '--allow-empty', '-m', 'first');
  if (prng.chance(30)) {
    repo.git('init', '-q', '--bare', ...format, '../origin');
    repo.git('remote', 'add', 'origin', '../origin');
    repo.tryGit('push', '-q', '-u', 'origin', 'main');
  }
  if (prng.chance(8)) {
    traits.push('untracked cache');
    repo.tryGit('update-index', '--untracked-cache');
  }
  if (prng.chance(8)) {
    traits.push('split index');
    repo.tryGit('update-index', '--split-index');
  }
  if (library && prng.chance(60)) {
    traits.push('submodule');
    repo.tryGit('submodule', '--quiet', 'add', '-f', '../library', 'sub');
    if (prng.chance(70)) repo.tryGit('commit', '-q', '-m', 'with a submodule');
  }
  if (prng.chance(6)) {
    traits.push('sparse checkout');
    repo.tryGit(
      'sparse-checkout',
      'set',
      ...(prng.chance(50) ? ['--cone', 'src'] : ['--no-cone', '/*', '!*.c']),
    );
  }
  return { repo, traits };
}
