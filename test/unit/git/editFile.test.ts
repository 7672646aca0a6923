/** A hand-written file is done when its tab closes. A tab can become known after its editor is shown. */
import { strict as assert } from 'node:assert';
import { installVscodeStandIn, standInWindow, standInWorkspace } from '../client/vscodeStandIn';

interface FakeTab {
  input: { uri: { toString(): string } };
}

describe('editFile', () => {
  let tabs: FakeTab[];
  let fire: (event: { closed: FakeTab[] }) => void;
  let closedByUs: FakeTab[];
  const uri = { toString: () => 'file:///r/.git/COMMIT_EDITMSG' };
  const tab: FakeTab = { input: { uri } };
  const turn = () => new Promise(setImmediate);

  beforeEach(() => {
    installVscodeStandIn({ Uri: { file: () => uri } });
    tabs = [];
    closedByUs = [];
    standInWorkspace.openTextDocument = () => Promise.resolve({});
    standInWindow.showTextDocument = () => Promise.resolve({});
    standInWindow.tabGroups = {
      get all() {
        return [{ tabs }];
      },
      onDidChangeTabs: (listener: typeof fire) => {
        fire = listener;
        return { dispose: () => (fire = () => undefined) };
      },
      close: (chosen: FakeTab[]) => {
        closedByUs.push(...chosen);
        return Promise.resolve(true);
      },
    };
  });
  afterEach(() => {
    Reflect.deleteProperty(standInWorkspace, 'openTextDocument');
    for (const name of ['showTextDocument', 'tabGroups']) Reflect.deleteProperty(standInWindow, name);
  });

  async function start(signal = new AbortController().signal) {
    const { editFile } = await import('../../../extension/git/prompts/editFile.js');
    const state = { isDone: false, result: undefined as unknown };
    void editFile('/r/.git/COMMIT_EDITMSG', signal).then((result) => {
      state.isDone = true;
      state.result = result;
    });
    await turn();
    return state;
  }
  function open(...now: FakeTab[]): void {
    const closed = tabs.filter((each) => !now.includes(each));
    tabs = now;
    fire({ closed });
  }

  it('waits for a tab that is known later than its editor is shown, and then for its end', async () => {
    const state = await start();
    assert.ok(!state.isDone);
    open({ input: { uri: { toString: () => 'file:///other' } } });
    await turn();
    assert.ok(!state.isDone);
    open(tab);
    await turn();
    assert.ok(!state.isDone);
    open();
    await turn();
    assert.deepEqual([state.isDone, state.result], [true, {}]);
  });

  it('waits for the last of several tabs', async () => {
    tabs = [tab];
    const state = await start();
    open(tab, { input: { uri } });
    open({ input: { uri } });
    await turn();
    assert.ok(!state.isDone);
    open();
    await turn();
    assert.ok(state.isDone);
  });

  it('closes its tab when nobody waits any more', async () => {
    const controller = new AbortController();
    const state = await start(controller.signal);
    open(tab);
    controller.abort();
    await turn();
    assert.deepEqual([state.isDone, state.result], [true, undefined]);
    assert.deepEqual(closedByUs, [tab]);
  });
});
