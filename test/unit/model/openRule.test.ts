/** The rule that decides which repositories are opened. */
import assert from 'node:assert/strict';
import { OpenFacts, OpenSettings, verdictOf } from '../../../extension/model/openRule';

const kFolders = [{ opened: '/link/work', real: '/disk/work' }];
const kAll: OpenSettings = { nested: 'always', parent: () => 'always', ignored: [] };

function verdict(root: string, settings: Partial<OpenSettings> = {}, facts: Partial<OpenFacts> = {}): string {
  const all = { folders: kFolders, answers: new Map<string, never>(), edited: [], ...facts };
  return verdictOf(root, { ...kAll, ...settings }, all);
}

describe('verdictOf', () => {
  it('opens all where nothing is said', () => {
    for (const root of ['/disk/work', '/disk/work/sub', '/disk']) assert.equal(verdict(root), 'open');
  });

  it('opens a folder that is a repository, whatever is said of others', () => {
    assert.equal(verdict('/disk/work', { nested: 'prompt', parent: () => 'never' }), 'open');
  });

  it('knows the repository around a folder from one in it', () => {
    assert.equal(verdict('/disk', { parent: () => 'never' }), 'leave');
    assert.equal(verdict('/disk', { parent: () => 'prompt', nested: 'openEditors' }), 'ask');
    assert.equal(verdict('/disk/work/sub', { parent: () => 'never' }), 'open');
    assert.equal(verdict('/disk/work2', { parent: () => 'never', nested: 'prompt' }), 'ask');
  });

  it('opens those of files in editors', () => {
    const nested = 'openEditors';
    assert.equal(verdict('/disk/work/sub', { nested }), 'leave');
    assert.equal(verdict('/disk/work/sub', { nested }, { edited: ['/disk/work/sub2/f'] }), 'leave');
    assert.equal(verdict('/disk/work/sub', { nested }, { edited: ['/disk/work/sub/f'] }), 'open');
  });

  it('takes an answer before a setting, and the ignored list before both', () => {
    const open = { answers: new Map([['/disk/work/sub', 'open' as const]]) };
    const close = { answers: new Map([['/disk/work', 'close' as const]]) };
    assert.equal(verdict('/disk/work/sub', { nested: 'prompt' }, open), 'open');
    assert.equal(verdict('/disk/work', {}, close), 'leave');
    assert.equal(verdict('/disk/work/sub', { ignored: ['sub'] }, open), 'ignore');
  });

  it('knows an ignored one by any of its names', () => {
    for (const name of ['sub', './sub', 'sub/', '/disk/work/sub', '/link/work/sub/']) {
      assert.equal(verdict('/disk/work/sub', { ignored: [name] }), 'ignore', name);
    }
    assert.equal(verdict('/disk/work', { ignored: ['.'] }), 'ignore');
    assert.equal(verdict('/disk/work/sub2', { ignored: ['sub', '', '/'] }), 'open');
  });
});
