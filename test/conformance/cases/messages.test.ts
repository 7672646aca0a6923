/** git's messages on standard error beside its answer: each source gives the same. */
import { strict as assert } from 'node:assert';
import { atLeast } from '../../support/oracle';
import { conformanceCase } from '../case';
import { addSubmodule, furnish, messageCase, since } from '../message-case';
import { question, type Question } from '../questions';
import { setSparseCheckout } from '../sparse';

describe('messages', () => {
  conformanceCase(
    'a trace that is asked for; and how a trace would look, when there is none',
    ({ repo, subject, checkAll }) => {
      const asked = (env: Record<string, string>): Question => ({ ...question('-s'), env });
      furnish(repo);
      repo.write('a', 'two\n');
      checkAll([
        asked({ GIT_TRACE_BARE: '1' }),
        asked({ GIT_TRACE2_EVENT_NESTING: '100', GIT_TRACE: '0', GIT_TRACE_SETUP: '' }),
      ]);
      assert.deepEqual(subject.delegations, []);
      checkAll([asked({ GIT_TRACE_BARE: '1', GIT_TRACE_SETUP: '1' })]);
    },
    { delegates: 'maybe' },
  );

  messageCase(
    'a byte order mark that is missing',
    /BOM is required/,
    ({ repo }) => {
      repo.write('u', '\xff\xfea\0');
      repo.write('.gitattributes', 'u working-tree-encoding=UTF-16\n');
      repo.commit();
      repo.write('u', 'a\0b\0');
    },
    ({ repo }) => repo.write('u', '\xff\xfea\0'),
  );
  messageCase('bytes that the encoding does not have', /failed to encode/, ({ repo }) => {
    repo.write('u', 'ab\n');
    repo.commit();
    repo.write('.gitattributes', 'u working-tree-encoding=SHIFT-JIS\n');
    repo.write('u', '\x81\n\n');
  });
  messageCase('an encoding that nobody knows', /failed to encode/, ({ repo }) => {
    repo.write('.gitattributes', 'a working-tree-encoding=none-such\n');
    repo.write('a', 'two\n');
  });
  messageCase('an encoding without a name', /no valid working-tree-encodings/, ({ repo }) => {
    repo.write('.gitattributes', 'a working-tree-encoding\n');
    repo.write('a', 'two\n');
  });

  messageCase(
    'line ends of a file that is looked at for renames',
    /LF will be replaced by CRLF/,
    ({ repo }) => {
      const lines = Array.from({ length: 30 }, (_, i) => `line ${i}\n`).join('');
      repo.write('long', lines);
      repo.commit();
      repo.config('core.autocrlf', 'true');
      repo.rename('long', 'elsewhere');
      repo.append('elsewhere', 'more\n');
      repo.git('add', '-N', 'elsewhere');
    },
  );

  messageCase(
    'a filter that fails',
    /external filter '.*' failed/,
    ({ repo }) => {
      repo.write('.gitattributes', 'a filter=broken\n');
      repo.config('filter.broken.clean', 'false');
      repo.write('a', 'two\n');
    },
    ({ repo }) => {
      repo.config('filter.broken.clean', 'cat');
      repo.write('a', 'three\n');
    },
  );
  messageCase("a filter's own words", /be warned/, ({ repo }) => {
    repo.write('.gitattributes', 'a filter=chatty\n');
    repo.config('filter.chatty.clean', 'echo be warned >&2; cat');
    repo.write('a', 'two\n');
  });
  messageCase('a filter that is required and fails', /clean filter 'broken' failed/, ({ repo }) => {
    repo.write('.gitattributes', 'a filter=broken\n');
    repo.config('filter.broken.clean', 'false');
    repo.config('filter.broken.required', 'true');
    repo.write('a', 'two\n');
  });

  messageCase(
    'a name that no attribute can have',
    /is not a valid attribute name/,
    ({ repo }) => {
      repo.write('.gitattributes', '* te$xt\n');
      repo.write('a', 'two\n');
    },
    ({ repo }) => repo.write('.gitattributes', '* text\n'),
  );
  messageCase('the same in our side of a conflict', /is not a valid attribute name/, ({ repo }) => {
    const blob = repo.gitWithInput('* te$xt\n', 'hash-object', '-w', '--stdin').stdout.toString().trim();
    repo.gitWithInput(`100644 ${blob} 2\t.gitattributes\n`, 'update-index', '--index-info');
    repo.write('a', 'two\n');
  });
  messageCase('a negative pattern among the attributes', /Negative patterns are ignored/, ({ repo }) => {
    repo.write('d/.gitattributes', '!b text\n');
    repo.write('d/b', 'owt\n');
  });
  messageCase(
    'attributes of files that differ too much for a rename',
    /Negative patterns/,
    ({ repo }) => {
      repo.write('.git/info/attributes', '!x text\n');
      repo.remove('a');
      repo.write('b', 'much longer than the other one\n'.repeat(20));
      repo.git('add', '-A');
    },
    ({ repo }) => repo.remove('.git/info/attributes'),
  );
  messageCase(
    'attributes of files that resemble each other',
    /Negative patterns/,
    ({ repo }) => {
      const lines = Array.from({ length: 30 }, (_, i) => `line ${i}\n`).join('');
      repo.write('long', lines);
      repo.commit();
      repo.write('.git/info/attributes', '!x text\n');
      repo.rename('long', 'd/long');
      repo.append('d/long', 'more\n');
      repo.git('add', '-A');
    },
    ({ repo }) => repo.write('.git/info/attributes', 'x text\n'),
  );
  conformanceCase(
    'attributes that only a pathspec asks for',
    ({ repo, subject, checkAll }) => {
      const asked = [
        question('-s', '--', ':(attr:text)'),
        question('-s', '--', ':/', ':(attr:text)a'),
        question('-s', '--', ':/', ':(exclude,attr:text)a'),
        question('-s', '--', ':/'),
      ];
      furnish(repo);
      repo.write('d/.gitattributes', '!b text\n');
      repo.commit();
      checkAll(asked);
      for (const each of asked.slice(0, 2))
        assert.match(subject.askGit(each).stderr.toString(), /Negative patterns/);
      repo.write('d/.gitattributes', 'b text\n');
      checkAll(asked);
      repo.write('new/.gitattributes', '!c text\n');
      repo.write('new/c', '');
      checkAll(asked);
      repo.remove('new');
      checkAll(asked);
    },
    { delegates: 'maybe' },
  );
  messageCase('attributes that are a symbolic link', since(2, 32, /\.gitattributes/), ({ repo }) => {
    repo.symlink('a', '.gitattributes');
    repo.write('a', 'two\n');
  });
  messageCase('attributes of the user in a circle of links', /unable to access/, ({ repo }) => {
    repo.symlink('circle', '../home/circle');
    repo.config('core.attributesFile', '~/circle');
    repo.write('a', 'two\n');
  });

  messageCase(
    'an ignore file that is a symbolic link',
    since(2, 32, /unable to access '\.gitignore'/),
    ({ repo }) => {
      repo.write('patterns', 'new\n');
      repo.symlink('patterns', '.gitignore');
      repo.write('new', '');
    },
    ({ repo }) => repo.remove('.gitignore'),
  );
  messageCase(
    'one in a directory that is not tracked',
    since(2, 32, /unable to access 'u\/v\/\.gitignore'/),
    ({ repo }) => {
      repo.symlink('../../a', 'u/v/.gitignore');
      repo.write('u/v/new', '');
    },
  );
  messageCase(
    'info/exclude in a circle of links',
    /unable to access/,
    ({ repo }) => {
      repo.remove('.git/info/exclude');
      repo.symlink('exclude', '.git/info/exclude');
    },
    ({ repo }) => repo.remove('.git/info/exclude'),
  );
  messageCase('core.excludesFile that is a directory', /cannot use .* as an exclude file/, ({ repo }) => {
    repo.config('core.excludesFile', `${repo.root}/d`);
  });

  messageCase(
    'a circle of links where the index has a directory',
    /Too many levels of symbolic links/,
    ({ repo }) => {
      repo.write('e/f', '');
      repo.commit();
      repo.remove('e');
      repo.symlink('e', 'e');
    },
    ({ repo }) => repo.remove('e'),
  );
  for (const [what, name] of [
    ['an entry', 'n'.repeat(300)],
    ['a directory', `${'n'.repeat(300)}/f`],
  ]) {
    messageCase(`${what} with a name that no file can have`, /File name too long/, ({ repo }) => {
      const id = repo.git('rev-parse', 'HEAD:a').trim();
      repo.gitWithInput(`100644 ${id}\t${name}\n`, 'update-index', '--index-info');
    });
  }

  messageCase(
    'a branch called HEAD',
    /refname 'HEAD' is ambiguous/,
    ({ repo }) => {
      repo.git('update-ref', 'refs/heads/HEAD', 'HEAD');
    },
    ({ repo }) => {
      repo.git('update-ref', '-d', 'refs/heads/HEAD');
    },
  );
  messageCase('a packed tag called HEAD', /refname 'HEAD' is ambiguous/, ({ repo }) => {
    repo.git('update-ref', 'refs/tags/HEAD', 'HEAD');
    repo.git('pack-refs', '--all');
  });
  messageCase('grafts', /grafts is deprecated/, ({ repo }) => repo.write('.git/info/grafts', ''));
  messageCase('a remote whose name looks like a path', /cannot begin with '\/'/, ({ repo }) => {
    repo.append('.git/config', '[remote "/x"]\n\turl = y\n');
  });
  messageCase(
    'conflicts in a sparse index that git unfolds',
    since(2, 36, /^both: unmerged/m),
    ({ repo }) => {
      for (const path of ['both', 'out/a']) repo.write(path, 'base\n');
      repo.commit();
      setSparseCheckout(repo, ['--cone', '--sparse-index'], 'd');
      repo.git('checkout', '-q', '-b', 'side');
      repo.write('both', 'theirs\n');
      repo.commit();
      repo.git('checkout', '-q', 'main');
      repo.write('both', 'ours\n');
      repo.commit();
      repo.tryGit('merge', '-q', 'side');
      repo.mkdir('out');
    },
  );

  messageCase(
    'an alternate that is not there',
    atLeast(2, 39) ? /alternate object path/ : /object directory \/not\/there does not exist/,
    ({ repo }) => {
      repo.write('.git/objects/info/alternates', '/not/there\n');
      repo.git('update-ref', 'refs/heads/other', 'HEAD');
    },
  );

  messageCase('a component of core.fsync that git does not know', since(2, 36, /core\.fsync/), ({ repo }) => {
    repo.config('core.fsync', 'what');
  });
  messageCase('a hook of the file system monitor that cannot be run', /./, ({ repo }) => {
    repo.config('core.fsmonitor', '/not/there');
    repo.write('a', 'two\n');
    repo.git('update-index', '--fsmonitor');
  });

  messageCase('an index extension that git passes over', /ignoring .* extension/, ({ repo }) => {
    const index = repo.read('.git/index');
    repo.write('.git/index', `${index.slice(0, -20)}XYZA\0\0\0\x01x${'\0'.repeat(20)}`);
  });
  messageCase('an untracked cache of another place', /untracked cache is disabled/, ({ repo }) => {
    repo.git('update-index', '--force-untracked-cache');
    const index = repo.read('.git/index');
    repo.write('.git/index', index.replace('Location /', 'Location x').slice(0, -20) + '\0'.repeat(20));
  });

  messageCase("a submodule's own messages", since(2, 32, /unable to access '\.gitignore'/), (context) => {
    addSubmodule(context);
    context.repo.symlink('x', 'sub/.gitignore');
  });
  messageCase('a submodule whose git directory is gone', /not a git repository/, (context) => {
    addSubmodule(context);
    context.repo.remove('.git/modules/sub');
  });
  messageCase('a submodule whose .git is any directory', /not recognized as a git repository/, (context) => {
    addSubmodule(context);
    context.repo.remove('sub/.git');
    context.repo.mkdir('sub/.git');
  });
  messageCase('.gitmodules with a value that git does not know', /Invalid parameter 'what'/, (context) => {
    addSubmodule(context);
    context.repo.git('config', '-f', '.gitmodules', 'submodule.sub.ignore', 'what');
  });
  messageCase('.gitmodules with a name that leads out', /suspicious submodule name/, (context) => {
    addSubmodule(context);
    context.repo.git('config', '-f', '.gitmodules', 'submodule.../x.path', 'y');
  });

  messageCase(
    '.gitmodules that is a directory',
    /unable to access '.*\.gitmodules': Is a directory/,
    (context) => {
      addSubmodule(context);
      context.repo.remove('.gitmodules');
      context.repo.write('.gitmodules/file', '');
    },
    ({ repo }) => repo.remove('.gitmodules'),
  );
  messageCase(
    '.gitmodules in a circle of links',
    /unable to access '.*\.gitmodules': Too many levels/,
    (context) => {
      addSubmodule(context);
      context.repo.remove('.gitmodules');
      context.repo.symlink('.gitmodules', '.gitmodules');
    },
    ({ repo }) => {
      repo.remove('.gitmodules');
      repo.symlink('not-there', '.gitmodules');
    },
  );
  messageCase(
    '.gitmodules that is broken, where git has it from',
    /bad config line 1 in blob/,
    (context) => {
      const { repo, checkAll } = context;
      addSubmodule(context);
      repo.write('.gitmodules', '[a\nb');
      repo.git('commit', '-q', '-a', '-m', 'broken');
      checkAll([question('-s')]);
      repo.remove('.gitmodules');
      checkAll([question('-s')]);
      repo.git('rm', '-q', '--cached', '.gitmodules');
    },
    ({ repo }) => repo.write('.gitmodules', '[submodule "sub"]\n\tpath = sub\n'),
  );
  messageCase(
    '.gitmodules that is broken, and read for what git gives up on',
    /bad config line 1 in file/,
    (context) => {
      addSubmodule(context);
      context.repo.write('.gitmodules', '[a\nb');
    },
    ({ repo }) => repo.git('checkout', '.gitmodules'),
  );
  messageCase(
    '.gitmodules that is no blob, read for a submodule in conflict that is not there',
    /does not point to a blob/,
    (context) => {
      const { repo } = context;
      addSubmodule(context);
      const id = repo.git('rev-parse', 'HEAD').trim();
      repo.git('rm', '-q', '-f', 'sub');
      repo.remove('.gitmodules');
      repo.git('update-index', '--force-remove', '.gitmodules');
      repo.gitWithInput(`160000 ${id} 2\tsub\n160000 ${id} 3\tsub\n`, 'update-index', '--index-info');
      repo.git('update-index', '--add', '--cacheinfo', `160000,${id},.gitmodules`);
    },
  );
  messageCase(
    '.gitmodules read for a repository where a file is to be added',
    since(2, 29, /Is a directory/),
    ({ repo }) => {
      repo.write('.gitmodules/file', '');
      repo.write('new', '');
      repo.git('add', '-N', 'new');
      repo.remove('new');
      repo.git('init', '-q', 'new');
      repo.at('new').git('commit', '-q', '--allow-empty', '-m', 'x');
    },
    ({ repo }) => repo.remove('.gitmodules'),
  );
});
