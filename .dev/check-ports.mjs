/**
 * Checks that the native core compiles for other systems, without the folders that a port replaces. Nothing is
 * linked: the port supplies the rest. The sources of a layer are compiled together.
 *
 *     node .dev/check-ports.mjs [<layer>...]
 */
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { kLayers } from './check-layers.mjs';
import { Failure, inParallel, inRoot, main, say } from './shell.mjs';
import { portCompiler } from './toolchain.mjs';

/** zig's name of a system -> the folders that its port replaces. */
const kPorts = { 'aarch64-macos': ['linux'], 'x86_64-windows-gnu': ['linux', 'posix'] };
/** The addon needs headers of Node. */
const kLeftOut = ['napi'];
const kSource = inRoot('native', 'src');

function sources(layer, replaced) {
  return fs
    .readdirSync(path.join(kSource, layer), { recursive: true, encoding: 'utf8' })
    .filter((name) => /(?<!_test)\.cc$/.test(name))
    .filter((name) => !name.split(path.sep).some((part) => replaced.includes(part)))
    .map((name) => `${layer}/${name}`)
    .sort();
}

await main(async () => {
  const compiler = portCompiler();
  const layers = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(kLayers);
  const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'check-ports-'));
  const units = Object.entries(kPorts).flatMap(([system, replaced]) =>
    layers
      .filter((layer) => !kLeftOut.includes(layer))
      .map((layer) => ({ system, layer, files: sources(layer, replaced) }))
      .filter(({ files }) => files.length > 0),
  );
  const compile = ({ system, layer, files }) => {
    const file = path.join(scratch, `${layer}-${system}.cc`);
    fs.writeFileSync(file, files.map((name) => `#include "${name}"\n`).join(''));
    const includes = compiler.includes.flatMap((folder) => ['-isystem', folder]);
    // zig adds sanitizers and debug information by default; both take a third of the time.
    const cheap = ['-g0', '-fno-sanitize=undefined'];
    const flags = [...cheap, '-std=c++20', '-DRESIDENT_VERSION=""', '-I', kSource, ...includes];
    const words = ['c++', '-target', system, ...flags, '-c', file, '-o', `${file}.o`];
    return new Promise((resolve) => {
      execFile(compiler.program, words, (error, _, said) => {
        const found = said.split('\n').filter((line) => / error: /.test(line));
        const shown = found.length > 0 ? found : [said];
        resolve(error === null ? undefined : `${system}, ${layer}:\n  ${shown.join('\n  ')}`);
      });
    });
  };
  let problems;
  try {
    problems = await inParallel(units, compile);
  } finally {
    fs.rmSync(scratch, { recursive: true });
  }
  if (problems.length > 0) throw new Failure(`ports:\n${problems.join('\n')}`);
  say(`ports: ${units.length} units compiled for ${Object.keys(kPorts).join(' and ')}`);
});
