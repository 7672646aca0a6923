/** What git says on standard error beside its answer: said by whoever is asked. */
import { strict as assert } from 'node:assert';
import type { Repository } from '../../support/repository';
import { conformanceCase, type CaseContext, type CaseOptions } from '../case';
import { question, type Question } from '../questions';

const formats = [
  question('--porcelain=v2', '-z', '-b'),
  question('-sb'),
  question('--porcelain', '--ignored'),
  question('-s', '-uno'),
];

function furnished(repo: Repository): void {
  repo.write('a', 'one\n');
  repo.write('d/b', 'two\n');
  repo.commit();
}

/** Asks in several formats; git has to say something that matches in one of them at least. */
function messageCase(
  title: string,
  says: RegExp,
  body: (context: CaseContext) => void,
  after?: (context: CaseContext) => void,
  options: CaseOptions = {},
): void {
  conformanceCase(
    title,
    (context) => {
      furnished(context.repo);
      context.check();
      body(context);
      const said = formats.map((format) => context.subject.askGit(format).stderr.toString('latin1')).join('');
      assert.match(said, says, 'the case does not reach its state');
      context.checkAll(formats);
      context.checkAll(formats, 'd');
      context.check();
      if (after === undefined) return;
      after(context);
      for (const format of formats) assert.equal(context.subject.askGit(format).stderr.length, 0);
      context.check();
      context.checkAll(formats);
    },
    { delegates: 'maybe', ...options },
  );
}

describe('messages', () => {
  conformanceCase(
    'a trace that is asked for; and how a trace would look, when there is none',
    ({ repo, subject, checkAll }) => {
      const asked = (env: Record<string, string>): Question => ({ ...question('-s'), env });
      furnished(repo);
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
  messageCase('a negative pattern among the attributes', /Negative patterns are ignored/, ({ repo }) => {
    repo.write('d/.gitattributes', '!b text\n');
    repo.write('d/b', 'owt\n');
  });
  messageCase('attributes that are a symbolic link', /\.gitattributes/, ({ repo }) => {
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
    /unable to access '\.gitignore'/,
    ({ repo }) => {
      repo.write('patterns', 'new\n');
      repo.symlink('patterns', '.gitignore');
      repo.write('new', '');
    },
    ({ repo }) => repo.remove('.gitignore'),
  );
  messageCase(
    'one in a directory that is not tracked',
    /unable to access 'u\/v\/\.gitignore'/,
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
  messageCase('an alternate that is not there', /alternate object path/, ({ repo }) => {
    repo.write('.git/objects/info/alternates', '/not/there\n');
    repo.git('update-ref', 'refs/heads/other', 'HEAD');
  });

  messageCase('a component of core.fsync that git does not know', /core\.fsync/, ({ repo }) => {
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

  const module = ({ sandbox, repo }: CaseContext): void => {
    sandbox.exec('git', 'init', '-q', 'source');
    sandbox.exec('git', '-C', 'source', 'commit', '-q', '--allow-empty', '-m', 'x');
    repo.git('submodule', '--quiet', 'add', '../source', 'sub');
    repo.git('commit', '-q', '-m', 'with a submodule');
  };
  messageCase("a submodule's own messages", /unable to access '\.gitignore'/, (context) => {
    module(context);
    context.repo.symlink('x', 'sub/.gitignore');
  });
  messageCase('a submodule whose git directory is gone', /not a git repository/, (context) => {
    module(context);
    context.repo.remove('.git/modules/sub');
  });
  messageCase('a submodule whose .git is any directory', /not recognized as a git repository/, (context) => {
    module(context);
    context.repo.remove('sub/.git');
    context.repo.mkdir('sub/.git');
  });
  messageCase('.gitmodules with a value that git does not know', /Invalid parameter 'what'/, (context) => {
    module(context);
    context.repo.git('config', '-f', '.gitmodules', 'submodule.sub.ignore', 'what');
  });
  messageCase('.gitmodules with a name that leads out', /suspicious submodule name/, (context) => {
    module(context);
    context.repo.git('config', '-f', '.gitmodules', 'submodule.../x.path', 'y');
  });
});
