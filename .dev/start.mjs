/**
 * Shows the main feature at once: installs and builds missing parts, then opens a worktree.
 *
 *     npm start [-- [--terminal] [<worktree>]]
 *
 * Opens VS Code if `code` is on PATH, else (or with --terminal) a live view in the terminal. Without an
 * argument the worktree is this clone.
 */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { build } from './build.mjs';
import { setup } from './setup.mjs';
import { Failure, inRoot, main, root, say, which } from './shell.mjs';

function parse(argv) {
  const options = { terminal: false, worktree: root };
  for (const arg of argv) {
    if (arg === '--terminal') options.terminal = true;
    else if (arg.startsWith('-')) throw new Failure(`unknown option ${arg}`);
    // npm changes to the clone before it runs us; INIT_CWD is the user's directory.
    else options.worktree = path.resolve(process.env.INIT_CWD ?? '.', arg);
  }
  if (!fs.statSync(options.worktree, { throwIfNoEntry: false })?.isDirectory()) {
    throw new Failure(`${options.worktree} is not a folder`);
  }
  return options;
}

/** Hands the terminal to a program. Ctrl-C reaches the program directly: we only wait for its end. */
function handOver(command, args) {
  say(`start: ${[command, ...args].join(' ')}`);
  const child = spawn(command, args, { stdio: 'inherit', cwd: root });
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  return new Promise((resolve, reject) => {
    child.on('error', (error) => reject(new Failure(`cannot run ${command}: ${error.message}`)));
    child.on('exit', (code, signal) => resolve(signal === null ? code : 1));
  });
}

await main(async () => {
  const { terminal, worktree } = parse(process.argv.slice(2));
  setup();
  const code = terminal ? undefined : which('code');
  if (code !== undefined) {
    await build();
    const args = [`--extensionDevelopmentPath=${root}`, '--new-window', worktree];
    process.exitCode = await handOver(code, args);
  } else {
    await build(['cli']);
    process.exitCode = await handOver(inRoot('dist', 'bin', 'git-resident'), ['watch', worktree]);
  }
});
