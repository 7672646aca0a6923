/** Replaced objects, shallow histories, and missing objects. */
import { Repository } from '../../support/repository';
import { conformanceCase } from '../case';

function said(repo: Repository, ...args: string[]): string {
  return repo
    .ask(...args)
    .stdout.toString()
    .trim();
}

/** Three commits on main; the first two are pushed. */
function furnish(repo: Repository): void {
  repo.git('init', '-q', '--bare', '../origin');
  repo.git('remote', 'add', 'origin', '../origin');
  for (const content of ['one', 'two', 'three']) {
    repo.write('a', `${content}\n`);
    repo.write(`d/${content}`, `${content}, and some words more that make it longer\n`);
    repo.commit();
    if (content === 'two') repo.git('push', '-q', '-u', 'origin', 'main');
  }
}

describe('replaced objects', () => {
  for (const packed of [false, true]) {
    conformanceCase(`HEAD is another commit, ${packed ? 'packed' : 'loose'}`, ({ repo, check }) => {
      furnish(repo);
      check(/branch\.ab \+1 -0/);
      repo.git('replace', 'HEAD', 'HEAD~1');
      if (packed) repo.git('pack-refs', '--all');
      check(/^1 M\. .* a$/, /^1 A\. .* d\/three$/);
      repo.write('a', 'changed\n');
      check(/^1 MM .* a$/);
      repo.git('replace', '-d', 'HEAD');
      check(/^1 \.M .* a$/, /branch\.ab \+1 -0/);
    });
  }

  conformanceCase('the tree of HEAD, and one below it', ({ repo, check }) => {
    furnish(repo);
    repo.git('replace', 'HEAD^{tree}', 'HEAD~1^{tree}');
    check();
    repo.git('replace', '-d', said(repo, 'rev-parse', 'HEAD^{tree}'));
    repo.git('replace', 'HEAD:d', 'HEAD~1:d');
    check();
    repo.git('rm', '-q', '--cached', 'd/one');
    check(/^1 D\. .* d\/one$/);
  });

  // Rename detection in git reads an unchanged file from disk, and otherwise the blob.
  const blobs = 'blobs that renames are found in, of files that are there and of others';
  conformanceCase(
    blobs,
    ({ repo, check }) => {
      furnish(repo);
      repo.config('status.renames', 'copies');
      repo.write('copied', repo.read('d/three'));
      repo.append('copied', 'more\n');
      repo.chmod('d/three', 0o755);
      repo.git('add', '-A');
      check(/^2 C\. .* copied/);
      repo.git('replace', '-f', 'HEAD:d/three', said(repo, 'hash-object', '-w', '../gitconfig'));
      check(/^2 C\. .* copied/);
      repo.append('d/three', 'changed\n');
      check(/^1 A\. .* copied/);
    },
    { delegates: 'maybe' },
  );

  conformanceCase(
    'blobs that renames, attributes and ignore files are read from',
    ({ repo, check }) => {
      furnish(repo);
      repo.write('.gitattributes', 'a text\n');
      repo.write('sub/.gitignore', 'ignored\n');
      repo.commit();
      repo.git('mv', 'd/three', 'moved');
      repo.append('moved', 'more\n');
      repo.git('add', '-A');
      check(/^2 R\. .* moved/);
      repo.git('replace', '-f', 'HEAD:d/three', said(repo, 'hash-object', '-w', '../gitconfig'));
      check(/^1 A\. .* moved$/);
      repo.git('update-index', '--skip-worktree', 'sub/.gitignore');
      repo.remove('sub/.gitignore');
      repo.write('sub/ignored', '');
      check(/^! sub\/ignored$/);
      repo.write('../other', 'different\n');
      repo.git('replace', '-f', 'HEAD:sub/.gitignore', said(repo, 'hash-object', '-w', '../other'));
      repo.write('sub/different', '');
      check(/^! sub\/different$/, /^\? sub\/ignored$/);
    },
    { delegates: 'maybe' },
  );

  for (const racy of [true, false]) {
    conformanceCase(`a symbolic link's, ${racy ? 'racily clean' : 'with other stat data'}`, (context) => {
      const { repo, check } = context;
      repo.symlink('nowhere', 'link');
      repo.write('file', 'nowhere');
      // A file is racily clean if it is not older than the index, whatever the current second.
      if (racy) for (const name of ['link', 'file']) repo.touch(name, { seconds: 4_000_000_000 });
      repo.commit();
      if (!racy) for (const name of ['link', 'file']) repo.touch(name, { seconds: 1_500_000_000 });
      check();
      // For a link git reads the object; for a file only its id.
      repo.write('../elsewhere', 'elsewhere');
      repo.git('replace', ':link', said(repo, 'hash-object', '-w', '../elsewhere'));
      check(/^1 \.M .* link$/);
      repo.remove('link');
      repo.symlink('elsewhere', 'link');
      check();
      repo.git('replace', '-d', said(repo, 'rev-parse', ':link'));
      check(/^1 \.M .* link$/);
    });
  }

  // For a link git reads the object; for a file only its id.
  conformanceCase(
    'an object that is missing, of a symbolic link and of a file',
    ({ repo, check }) => {
      repo.symlink('nowhere', 'link');
      repo.write('file', 'content');
      repo.commit();
      for (const name of ['link', 'file']) {
        const id = said(repo, 'rev-parse', `:${name}`);
        repo.remove(`.git/objects/${id.slice(0, 2)}/${id.slice(2)}`);
        repo.touch(name, { seconds: 1_500_000_000 });
      }
      check(/^1 \.M .* link$/);
      repo.write('../target', 'nowhere');
      repo.git('hash-object', '-w', '../target');
      check();
    },
    { delegates: 'maybe' },
  );

  conformanceCase('a history that replacements cut and join', ({ repo, check }) => {
    furnish(repo);
    repo.git('replace', '--graft', 'HEAD');
    check(/branch\.ab \+1 -2/);
    repo.git('replace', '--graft', '-f', 'HEAD', 'HEAD~2');
    check();
    repo.git('replace', '-d', said(repo, 'rev-parse', 'HEAD'));
    check(/branch\.ab \+1 -0/);
  });

  conformanceCase('a chain of replacements, and core.useReplaceRefs', ({ repo, check }) => {
    furnish(repo);
    const [three, two, one] = ['HEAD', 'HEAD~1', 'HEAD~2'].map((name) => said(repo, 'rev-parse', name));
    repo.git('update-ref', `refs/replace/${three}`, two ?? '');
    repo.git('update-ref', `refs/replace/${two}`, one ?? '');
    check(/^1 M\. .* a$/, /^1 A\. .* d\/two$/);
    repo.config('core.useReplaceRefs', 'false');
    check(/branch\.ab \+1 -0/);
    repo.config('core.useReplaceRefs', 'true');
    check(/^1 A\. .* d\/two$/);
  });

  conformanceCase(
    'names and refs that git complains of',
    ({ repo, check }) => {
      furnish(repo);
      repo.git('update-ref', 'refs/replace/no-id', 'HEAD');
      check();
      repo.git('update-ref', '-d', 'refs/replace/no-id');
      const head = said(repo, 'rev-parse', 'HEAD');
      repo.git('update-ref', `refs/replace/${head}`, head);
      check();
    },
    { delegates: 'maybe' },
  );

  conformanceCase(
    'grafts, of which git says that it should have none',
    ({ repo, check }) => {
      furnish(repo);
      repo.write('.git/info/grafts', `${said(repo, 'rev-parse', 'HEAD')}\n`);
      check(/branch\.ab \+1 -2/);
      repo.remove('.git/info/grafts');
      check(/branch\.ab \+1 -0/);
    },
    { delegates: 'maybe' },
  );
});

describe('objects that are not there', () => {
  conformanceCase('a shallow clone that is deepened', async ({ repo, sandbox, during }) => {
    furnish(repo);
    repo.git('push', '-q');
    repo.git('clone', '-q', '--depth', '1', `file://${sandbox.path('origin')}`, '../shallow');
    const shallow = new Repository(sandbox, sandbox.path('shallow'));
    await during(shallow, (inside) => {
      inside.check(/branch\.ab \+0 -0/);
      shallow.write('b', '');
      shallow.commit();
      inside.check(/branch\.ab \+1 -0/);
      shallow.git('fetch', '-q', '--deepen', '1');
      inside.check(/branch\.ab \+1 -0/);
      shallow.git('fetch', '-q', '--unshallow');
      inside.check(/branch\.ab \+1 -0/);
    });
  });

  for (const filter of ['blob:none', 'tree:0']) {
    conformanceCase(`a partial clone, ${filter}`, async ({ repo, sandbox, during }) => {
      furnish(repo);
      repo.git('push', '-q');
      repo.git('-C', '../origin', 'config', 'uploadpack.allowFilter', 'true');
      repo.git('clone', '-q', `--filter=${filter}`, `file://${sandbox.path('origin')}`, '../partial');
      const partial = new Repository(sandbox, sandbox.path('partial'));
      await during(partial, (inside) => {
        inside.check(/branch\.ab \+0 -0/);
        partial.write('a', 'changed\n');
        partial.write('new', '');
        inside.check(/^1 \.M .* a$/, /^\? new$/);
        partial.git('add', '-A');
        inside.check(/^1 M\. .* a$/, /^1 A\. .* new$/);
      });
    });
  }
});
