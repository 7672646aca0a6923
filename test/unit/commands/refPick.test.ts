/** The list of branches opens at once: it waits for no git, runs one, and shows a screenful of however many. */
import { strict as assert } from 'node:assert';
import type { CommandContext } from '../../../extension/commands/context';
import { Repository } from '../../../extension/model/Repository';
import { installVscodeStandIn, standInWindow } from '../client/vscodeStandIn';

describe('the list of branches', () => {
  afterEach(() => {
    delete standInWindow.createQuickPick;
  });

  it('is open before git has said a word, and then shows some of 50,000', async () => {
    let hide = (): void => undefined;
    let type = (): void => undefined;
    const pick = {
      items: [] as { label: string }[],
      value: '',
      busy: false,
      isShown: false,
      show: () => (pick.isShown = true),
      hide: () => hide(),
      dispose: () => undefined,
      onDidAccept: () => undefined,
      onDidHide: (listener: () => void) => (hide = listener),
      onDidChangeValue: (listener: () => void) => (type = listener),
    };
    installVscodeStandIn({ QuickPickItemKind: { Separator: -1 } });
    standInWindow.createQuickPick = () => pick;
    const { pickRef } = await import('../../../extension/commands/refPick.js');
    let answer: (listed: { stdout: Buffer }) => void = () => undefined;
    const listed = new Promise<{ stdout: Buffer }>((resolve) => (answer = resolve));
    let gits = 0;
    const read = () => {
      gits++;
      return listed;
    };
    const picked = pickRef({ git: { read } } as unknown as CommandContext, new Repository('/r'), {
      placeHolder: 'p',
    });
    assert.deepEqual([pick.isShown, pick.busy, gits], [true, true, 1]);

    const line = (_: unknown, i: number) => `refs/heads/many/branch-${i}\0${'1'.repeat(40)}\0\n`;
    const stdout = Buffer.from(Array.from({ length: 50_000 }, line).join(''));
    answer({ stdout });
    await new Promise(setImmediate);
    assert.equal(pick.busy, false);
    const shown = pick.items.length;
    assert.ok(shown > 100 && shown < 300, String(shown));
    pick.value = '31415';
    type();
    assert.ok(pick.items.some(({ label }) => label.includes('branch-31415')));
    assert.equal(gits, 1);
    hide();
    assert.equal(await picked, undefined);
  });
});
