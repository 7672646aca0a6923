import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { asStale, badgeOf, kIgnoredBadge, kSubmoduleBadge } from '../../../extension/decorations/badges';
import { inBatches, kMaxUrisPerEvent } from '../../../extension/decorations/batches';
import { badgeStatus } from '../../../extension/model/status';
import { entry } from '../support/deltas';

/** Decorations of VS Code's own Git for a line of `git status --porcelain`. */
const kTable = [
  ['M  f', 'M', 'stageModified', 'Index Modified', true],
  [' M f', 'M', 'modified', 'Modified', true],
  ['A  f', 'A', 'added', 'Index Added', true],
  [' A f', 'A', 'added', 'Intent to Add', true],
  ['D  f', 'D', 'stageDeleted', 'Index Deleted', false],
  [' D f', 'D', 'deleted', 'Deleted', false],
  ['R  f', 'R', 'renamed', 'Index Renamed', true],
  [' R f', 'R', 'renamed', 'Intent to Rename', true],
  ['C  f', 'C', 'renamed', 'Index Copied', true],
  [' T f', 'T', 'modified', 'Type Changed', true],
  ['T  f', 'T', 'stageModified', 'Index Type Changed', true],
  ['?? f', 'U', 'untracked', 'Untracked', true],
  ['DD f', '!', 'conflicting', 'Conflict: Both Deleted', true],
  ['AU f', '!', 'conflicting', 'Conflict: Added By Us', true],
  ['UD f', '!', 'conflicting', 'Conflict: Deleted By Them', true],
  ['UA f', '!', 'conflicting', 'Conflict: Added By Them', true],
  ['DU f', '!', 'conflicting', 'Conflict: Deleted By Us', true],
  ['AA f', '!', 'conflicting', 'Conflict: Both Added', true],
  ['UU f', '!', 'conflicting', 'Conflict: Both Modified', true],
] as const;

describe('badges', () => {
  for (const [line, letter, color, tooltip, propagate] of kTable) {
    it(`shows "${line}" as ${letter}, ${tooltip}`, () => {
      const status = badgeStatus([entry(line)]);
      assert.ok(status);
      const expected = { letter, color: `gitDecoration.${color}ResourceForeground`, tooltip, propagate };
      assert.deepEqual(badgeOf(status), expected);
    });
  }

  it('uses only colours that package.json contributes', () => {
    const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as {
      contributes: { colors: { id: string }[] };
    };
    const contributed = new Set(manifest.contributes.colors.map((color) => color.id));
    const statuses = kTable.map(([line]) => badgeStatus([entry(line)]));
    const badges = statuses.map((status) => (status === undefined ? kIgnoredBadge : badgeOf(status)));
    for (const { color } of [...badges, kIgnoredBadge, kSubmoduleBadge])
      assert.ok(contributed.has(color), color);
  });

  it('greys ignored files without a letter', () => {
    assert.equal(kIgnoredBadge.letter, undefined);
    assert.equal(kIgnoredBadge.propagate, false);
  });

  it('says so while stale', () => {
    assert.match(asStale(badgeOf('modified')).tooltip, /^Modified \(.*stale/);
  });
});

describe('batches', () => {
  it('never exceeds what VS Code takes in one event', () => {
    for (const count of [0, 1, 249, 250, 251, 1000, 1001]) {
      const items = Array.from({ length: count }, (_, i) => i);
      const batches = inBatches(items);
      assert.deepEqual(batches.flat(), items);
      assert.ok(batches.every((batch) => batch.length > 0 && batch.length <= kMaxUrisPerEvent));
      assert.equal(batches.length, Math.ceil(count / 250));
    }
  });
});
