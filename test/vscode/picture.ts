/**
 * Takes the README's picture: media/screenshot.png, of the packaged extension in a real workbench.
 *
 *     npm run package && npx tsx test/vscode/picture.ts
 */
import assert from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Repository } from '../support/repository';
import { Sandbox } from '../support/sandbox';
import { poll } from './support/poll';
import { Session } from './support/session';
import type { Workbench } from './support/workbench';

const projectRoot = resolve(__dirname, '../..');
const size = { width: 1280, height: 800 };

/** Of the window, kept in the project, where the picture must not show them. */
const settings = {
  'workbench.colorTheme': 'Default Light Modern',
  'files.exclude': { '**/.vscode': true },
};

const server = `from net import listen


def serve(port):
    socket = listen(port)
    socket.on("data", echo)
    return socket


def echo(data):
    return data
`;

/** In a language of which the workbench knows the colours and nothing else, so that nothing pops up. */
function makeProject(sandbox: Sandbox): Repository {
  const repository = Repository.init(sandbox, 'harbor');
  repository.write('.git/info/exclude', '.vscode\n');
  repository.write('.vscode/settings.json', JSON.stringify(settings));
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

/** Explorer at the left, Source Control at the right, so that rows and badges are both in sight. */
async function arrange(workbench: Workbench, repository: Repository): Promise<void> {
  const { page } = workbench;
  await workbench.showSourceControl();
  await workbench.command('View: Move View');
  for (const choice of ['Changes', 'New Secondary Side Bar Entry']) {
    const row = page.locator('.quick-input-list .monaco-list-row').filter({ hasText: choice }).first();
    await row.click({ timeout: 10_000 });
  }
  // The explorer unfolds down to the file that is open.
  await workbench.showExplorer();
  await workbench.resource('server.py').click();
  const change = page.locator('.monaco-diff-editor .char-insert, .monaco-diff-editor .line-insert');
  await change.first().waitFor({ timeout: 30_000, state: 'attached' });
  await poll(
    async () => {
      const rows = await workbench.explorerRows();
      const badge = rows.find(({ path }) => path === `${repository.root}/src/server.py`)?.badge;
      assert.equal(badge, 'M');
    },
    { what: 'the explorer has badges' },
  );
}

async function main(): Promise<void> {
  const sandbox = new Sandbox();
  const repository = makeProject(sandbox);
  const session = await Session.open(sandbox, { folder: repository.root });
  try {
    await session.workbench.page.setViewportSize(size);
    await arrange(session.workbench, repository);
    await session.workbench.screenshot('picture');
    copyFileSync(
      resolve(projectRoot, 'test/artefacts/picture.png'),
      resolve(projectRoot, 'media/screenshot.png'),
    );
  } catch (error) {
    await session.workbench.screenshot('failed picture');
    throw error;
  } finally {
    await Session.closeAll();
  }
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
