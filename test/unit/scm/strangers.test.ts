/** Extensions that may have their own repositories in the view. */
import { strict as assert } from 'node:assert';
import type { Manifest } from '../../../extension/scm/strangers';
import { installVscodeStandIn } from '../client/vscodeStandIn';

const kOwnId = 'own.id';

describe('strangers in the Source Control view', () => {
  const all: { id: string; isActive: boolean; packageJSON: Manifest }[] = [];
  let hasStrangers: (builtIn: { hasRepositories: boolean }, ownId: string) => boolean;

  before(async () => {
    installVscodeStandIn({ extensions: { all } });
    ({ hasStrangers } = await import('../../../extension/scm/strangers.js'));
  });
  afterEach(() => {
    all.length = 0;
  });

  const add = (packageJSON: Manifest, { id = 'other.id', isActive = true } = {}): void => {
    all.push({ id, isActive, packageJSON });
  };
  const ask = (hasRepositories = false): boolean => hasStrangers({ hasRepositories }, kOwnId);
  const rowMenu = { contributes: { menus: { 'scm/resourceState/context': [] } } };

  it('are none among extensions of other kinds', () => {
    assert.equal(ask(), false);
    add({});
    add({ categories: ['Other'], contributes: { menus: { 'editor/title': [] } } });
    assert.equal(ask(), false);
  });

  it('are not we, nor what comes with the editor and adds to the rows of others', () => {
    add(rowMenu, { id: kOwnId });
    add({ ...rowMenu, isBuiltin: true });
    assert.equal(ask(), false);
  });

  it('are the built-in Git, where it has repositories', () => {
    assert.equal(ask(true), true);
  });

  it('are extensions with menus in the view or of the category, once they are active', () => {
    add(rowMenu, { isActive: false });
    assert.equal(ask(), false);
    add(rowMenu);
    assert.equal(ask(), true);
    all.length = 0;
    add({ categories: ['SCM Providers'] });
    assert.equal(ask(), true);
  });
});
