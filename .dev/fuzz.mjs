/**
 * Builds the fuzz targets (native/fuzz) with clang's libFuzzer and runs them, one after the other.
 *
 *     npm run fuzz [-- [target…] [--seconds N] [--keep]]
 *
 * Each target starts from its corpus and runs for N seconds (60 by default). Ends at the first target that finds
 * something: the input is in native/build/fuzz/found/. What is interesting grows native/build/fuzz/corpus/;
 * --keep puts the smallest inputs that still cover it all into native/fuzz/corpus/, to be looked at by a person.
 */
import fs from 'node:fs';
import path from 'node:path';
import { configureNative } from './build.mjs';
import { setup } from './setup.mjs';
import { Failure, inRoot, main, run, say } from './shell.mjs';

const kCorpora = inRoot('native', 'fuzz', 'corpus');
const kBuildDir = inRoot('native', 'build', 'fuzz');
/** What reaches nothing that a shorter input does not. */
const kMaxLength = { wildmatch: 512, ignore: 2048, index: 8192, aids: 8192 };
const kDefaultMaxLength = 4096;
const kKeptLength = 400;

function allTargets() {
  return fs
    .readdirSync(inRoot('native', 'fuzz'))
    .map((name) => /^fuzz_(\w+)\.cc$/.exec(name)?.[1])
    .filter((name) => name !== undefined && !['main', 'target'].includes(name))
    .sort();
}

function parse(argv) {
  const options = { seconds: 60, keep: false, targets: [] };
  for (let i = 0; i < argv.length; i++) {
    if (argv[i] === '--seconds') options.seconds = Number(argv[++i]);
    else if (argv[i] === '--keep') options.keep = true;
    else options.targets.push(argv[i]);
  }
  if (!Number.isInteger(options.seconds) || options.seconds < 1)
    throw new Failure('--seconds needs a number');
  const unknown = options.targets.find((name) => !allTargets().includes(name));
  if (unknown !== undefined) {
    throw new Failure(`unknown target ${unknown}; known targets: ${allTargets().join(', ')}`);
  }
  if (options.targets.length === 0) options.targets = allTargets();
  return options;
}

/** The directory that grows, with the lines of <target>.lines in it, each as a file. */
function workingCorpus(target) {
  const folder = path.join(kBuildDir, 'corpus', target);
  fs.mkdirSync(folder, { recursive: true });
  const lines = path.join(kCorpora, `${target}.lines`);
  if (fs.existsSync(lines)) {
    const seeds = fs.readFileSync(lines, 'latin1').split('\n').slice(0, -1);
    seeds.forEach((seed, i) => fs.writeFileSync(path.join(folder, `line-${i}`), seed, 'latin1'));
  }
  return folder;
}

function runTarget(target, { seconds, keep }) {
  const program = path.join(kBuildDir, 'fuzz', `fuzz_${target}`);
  const grown = workingCorpus(target);
  const kept = path.join(kCorpora, target);
  const found = path.join(kBuildDir, 'found');
  fs.mkdirSync(found, { recursive: true });
  const seeds = fs.existsSync(kept) ? [kept] : [];
  const common = ['-timeout=10', '-rss_limit_mb=2048', `-artifact_prefix=${found}/${target}-`];
  say(`\n== ${target}, ${seconds} s`);
  run(
    program,
    [
      ...common,
      `-max_total_time=${seconds}`,
      `-max_len=${kMaxLength[target] ?? kDefaultMaxLength}`,
      '-print_final_stats=1',
      grown,
      ...seeds,
    ],
    { explain: `fuzz target ${target}; its input is in ${found}` },
  );
  if (!keep) return;
  fs.mkdirSync(kept, { recursive: true });
  run(program, [...common, '-merge=1', `-max_len=${kKeptLength}`, kept, grown]);
}

await main(() => {
  const options = parse(process.argv.slice(2));
  setup({ fuzz: true });
  configureNative('fuzz');
  run('cmake', ['--build', kBuildDir, '--target', ...options.targets.map((name) => `fuzz_${name}`)], {
    explain: 'the build of the fuzz targets',
  });
  for (const target of options.targets) runTarget(target, options);
});
