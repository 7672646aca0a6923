/**
 * Checks the layers of the native core: the allowed includes. (ESLint checks the layers of the extension.)
 * Shipped sources include headers of the system only in the folders that a port to another system replaces.
 *
 *     node .dev/check-layers.mjs
 */
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Failure, inRoot, main, say } from './shell.mjs';

/** A folder of native/src -> the folders that it may include, transitively. */
export const kLayers = JSON.parse(fs.readFileSync(inRoot('.dev', 'layers.json'), 'utf8')).native;

/** Beside src/: fakes for the tests of every layer, and programs above all layers. */
const kTesting = 'testing';
const kTest = /_test(_support)?\.(cc|h)$/;
/** The bench measures the shipped code: it may not use testing/ or another way into the core. */
const kBench = 'bench';
const kBenchUses = 'service';
const kAbove = [kBench, 'fuzz'];
/** The folders that a port to another system replaces. */
const kPorted = /^src\/(os\/(posix|linux)|(fs|watch)\/linux)\//;
/** Headers of libraries. Every other name with a dot, and in angle brackets, is the system's or C's. */
const kLibrary = /^(openssl\/|libdeflate\.h$|xxhash\.h$)/;
const kNodeApi = /^(napi|node_api|js_native_api)(-inl)?(_types)?\.h$/;

/** The layers that `layer` may include, itself among them. */
function reachable(layer, found = new Set()) {
  if (found.has(layer)) return found;
  found.add(layer);
  for (const lower of kLayers[layer]) reachable(lower, found);
  return found;
}

const isPortable = (file) => !kPorted.test(file) && !file.split('/').includes(kTesting);

const kAllLayers = new Set(Object.keys(kLayers));

/** `file` is relative to native/, `text` is its content. Returns one line for each violation. */
export function violations(file, text) {
  const [top, layer] = file.split('/');
  const isInternal = top === 'src' && layer !== undefined && !kTest.test(file);
  if (top === 'src' && !kAllLayers.has(layer)) return [`native/${file}: ${layer} is in no table of layers`];
  const isBench = top === kBench && !kTest.test(file);
  const own = isBench ? kBench : layer;
  // A test may also include fakes and the layers below other layers.
  const allowed = isInternal ? reachable(layer) : isBench ? reachable(kBenchUses) : kAllLayers;
  const found = [];
  text.split('\n').forEach((line, index) => {
    const include = /^\s*#\s*include\s*([<"])([^>"]+)[>"]/.exec(line);
    if (include === null) return;
    const [, quote, name] = include;
    const complain = (why) => found.push(`native/${file}:${index + 1}: ${name}: ${why}`);
    if (
      kNodeApi.test(path.posix.basename(name)) &&
      !(top === 'src' && layer === 'napi') &&
      !name.includes('/')
    ) {
      complain('Node-API stays in src/napi');
    } else if (quote === '"') {
      const target = name.split('/')[0];
      if (!name.includes('/') || target === '..' || target === '.')
        complain('includes are relative to native/src');
      else if (target === kTesting) {
        const isProgram = isBench || (isInternal && !file.split('/').includes(kTesting));
        if (isProgram) complain('only tests include testing/');
      } else if (kAbove.includes(target) && target === top) {
        // A file of the same folder.
      } else if (!kAllLayers.has(target)) complain(`the table of layers does not list ${target}`);
      else if (!allowed.has(target)) complain(`${own} may not include ${target}`);
      else if (file.startsWith('src/os/') && isInternal && isPortable(file) && kPorted.test(`src/${name}`))
        complain('os itself includes no folder of one system');
    } else if (isInternal && isPortable(file) && /[./]/.test(name) && !kLibrary.test(name)) {
      if (!kNodeApi.test(name))
        complain('system headers stay in os/posix, os/linux, fs/linux and watch/linux');
    }
  });
  return found;
}

function sources(folder) {
  return fs
    .readdirSync(inRoot('native', folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(cc|h)$/.test(name))
    .map((name) => `${folder}/${name}`)
    .sort();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await main(() => {
    const folders = ['src', kTesting, ...kAbove].filter((folder) => fs.existsSync(inRoot('native', folder)));
    const files = folders.flatMap(sources);
    const found = files.flatMap((file) => violations(file, fs.readFileSync(inRoot('native', file), 'utf8')));
    if (found.length > 0) throw new Failure(`layers:\n  ${found.join('\n  ')}`);
    say(`layers: ${files.length} files checked, no problems`);
  });
}
