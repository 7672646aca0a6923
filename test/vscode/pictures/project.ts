/** The repository in the pictures. */
import { Repository } from '../../support/repository';
import type { Sandbox } from '../../support/sandbox';

const server = `from net import listen


def serve(port):
    socket = listen(port)
    socket.on("data", echo)
    return socket


def echo(data):
    return data
`;

/** Its language gets only colours from the workbench, so no suggestions pop up. */
export function makeProject(sandbox: Sandbox): Repository {
  const repository = Repository.init(sandbox, 'harbor');
  repository.write('.git/info/exclude', '.vscode\n');
  repository.write('src/server.py', server);
  repository.write('src/net.py', 'def listen(port):\n    return open(port)\n');
  repository.write('src/legacy.py', 'legacy = True\n'.repeat(5));
  repository.write('src/options.py', 'defaults = {"port": 8080, "backlog": 128}\n'.repeat(5));
  repository.write('docs/guide.md', '# Guide\n');
  repository.write('README.md', '# Harbor\n');
  repository.write('pyproject.toml', '[project]\nname = "harbor"\n');
  repository.write('.gitignore', '*.log\ndist/\n');
  repository.commit();
  repository.write('build.log', 'ignored\n');
  repository.write('dist/harbor.whl', 'ignored\n');
  repository.rename('src/options.py', 'src/settings.py');
  repository.git('add', '-A', 'src');
  repository.write('README.md', '# Harbor\n\nA small server.\n');
  repository.git('add', 'README.md');
  repository.write('src/server.py', server.replace('(port)\n', '(port, backlog=512)\n'));
  repository.remove('src/legacy.py');
  repository.append('docs/guide.md', '\nStart it with `harbor --port 8080`.\n');
  repository.write('notes.txt', 'untracked\n');
  repository.write('test/test_server.py', 'untracked\n');
  return repository;
}

/** Starts a merge with a conflict in a file. Commits all earlier changes first. */
export function beginMerge(repository: Repository): void {
  const file = 'src/server.py';
  repository.git('add', '-A');
  repository.git('commit', '-q', '-m', 'Longer backlog');
  repository.git('checkout', '-q', '-b', 'tls', 'HEAD~');
  repository.write(file, server.replace('listen(port)\n', 'listen_tls(port)\n'));
  repository.git('commit', '-q', '-a', '-m', 'TLS');
  repository.git('checkout', '-q', 'main');
  repository.tryGit('merge', '-q', 'tls');
}
