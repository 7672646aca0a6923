/**
 * Writes native/fuzz/corpus/wildmatch.lines: patterns and texts with what git's own matcher says of them.
 *
 *     node .dev/wildmatch-corpus.mjs <git's source, built>/t/helper/test-tool
 *
 * A line is "<four digits> TAB <pattern> TAB <text>"; the digits are 1 where git matches: any text, the same
 * with case folded, as a path, the same with case folded. The choice is made by a fixed seed.
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { Failure, inRoot, main, say } from './shell.mjs';

const kModes = ['pathmatch', 'ipathmatch', 'wildmatch', 'iwildmatch'];
/** As many lines of each outcome, at most. */
const kOfEachOutcome = 60;
const kAttempts = 6000;

const kPieces = [
  ...['a', 'b', 'B', 'c', '/', '/', '.', '-', 'ab', 'a/b'],
  ...['*', '*', '*', '**', '**', '**/', '/**', '/**/', '***', '?', '?'],
  ...['[ab]', '[!a]', '[^b/]', '[a-c]', '[A-C]', '[]a]', '[!]-]', '[a-]', '[-b]', '[\\]]', '[\\a-c]'],
  ...['[[:alpha:]]', '[[:upper:]]', '[![:digit:]]', '[[:space:]-a]', '[[:punct:]b]', '[[:what:]]', '[[:a]'],
  ...['\\a', '\\*', '\\B', '\\/', '[', '[a', '\\', ']', '[!]', '[c-a]', '[,-.]', '[/]'],
];
const kLetters = ['a', 'b', 'B', 'c', '/', 'a', 'b', '/', '.', '-', ']', '*', '[', '\\', '5', ' ', 'a/b'];

/** mulberry32: small, and the same everywhere. */
function randomFrom(seed) {
  let state = seed;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % limit;
  };
}

function ask(tool, pattern, text) {
  const digits = kModes.map((mode) => {
    const { status, error } = spawnSync(tool, ['wildmatch', mode, text, pattern]);
    if (error !== undefined || status > 1)
      throw new Failure(`${tool}: ${error?.message ?? `code ${status}`}`);
    return status === 0 ? '1' : '0';
  });
  return digits.join('');
}

/** A text that the pattern has a chance to match: its own pieces with the stars replaced. */
function textFor(pieces, random) {
  const some = (limit) =>
    Array.from({ length: random(limit) }, () => kLetters[random(kLetters.length)]).join('');
  return pieces
    .map((piece) => {
      if (random(8) === 0) return some(3);
      if (piece.includes('**')) return some(5);
      if (piece.includes('*') && !piece.startsWith('\\')) return some(3);
      if (piece.startsWith('[') || piece === '?') return kLetters[random(kLetters.length)];
      return piece.replace(/^\\/, '');
    })
    .join('');
}

await main(() => {
  const [tool] = process.argv.slice(2);
  if (tool === undefined) throw new Failure("name the path of git's test-tool");
  const random = randomFrom(20240229);
  const lines = new Set();
  const outcomes = {};
  for (let attempt = 0; attempt < kAttempts; attempt++) {
    const pieces = Array.from({ length: 1 + random(7) }, () => kPieces[random(kPieces.length)]);
    const pattern = pieces.join('');
    const text = textFor(pieces, random);
    // test-tool takes neither a leading slash nor an empty argument for what it is.
    if (/^(\/|XXX)/.test(pattern) || /^(\/|XXX)/.test(text) || pattern.length > 24) continue;
    const digits = ask(tool, pattern, text);
    outcomes[digits] = (outcomes[digits] ?? 0) + 1;
    if (outcomes[digits] <= kOfEachOutcome) lines.add(`${digits}\t${pattern}\t${text}`);
  }
  say(`outcomes: ${JSON.stringify(outcomes)}`);
  fs.writeFileSync(inRoot('native/fuzz/corpus/wildmatch.lines'), `${[...lines].sort().join('\n')}\n`);
});
