/**
 * The list of branches opens at once, without waiting for git. It runs one git and shows one screenful of any number
 * of branches.
 */
import { strict as assert } from 'node:assert';
import type { CommandContext } from '../../../../extension/commands/context';
import { Repository } from '../../../../extension/model/Repository';
import { installVscodeStandIn, standInWindow } from '../../client/vscodeStandIn';

/** Counts of work that could grow with the number of refs. */
interface Work {
  gits: number;
  /** Items given to the editor. */
  items: number;
  /** Total length of all sorted arrays. */
  sorted: number;
  /** Texts that were matched against regular expressions. */
  matched: number;
  lowered: number;
}

describe('the list of branches', () => {
  let work: Work;
  let answer: (listed: { stdout: Buffer }) => void;
  let hide: () => void;
  let type: () => void;
  let items: { label: string }[];
  let pick: { value: string; busy: boolean; isShown: boolean };
  let context: CommandContext;

  /** A window with the list not yet opened. */
  function begin(): void {
    work = { gits: 0, items: 0, sorted: 0, matched: 0, lowered: 0 };
    items = [];
    const shown = {
      value: '',
      busy: false,
      isShown: false,
      get items() {
        return items;
      },
      set items(given: typeof items) {
        items = given;
        work.items += given.length;
      },
      show: () => (shown.isShown = true),
      hide: () => hide(),
      dispose: () => undefined,
      onDidAccept: () => undefined,
      onDidHide: (listener: () => void) => (hide = listener),
      onDidChangeValue: (listener: () => void) => (type = listener),
    };
    pick = shown;
    installVscodeStandIn({ QuickPickItemKind: { Separator: -1 } });
    standInWindow.createQuickPick = () => shown;
    const listed = new Promise<{ stdout: Buffer }>((resolve) => (answer = resolve));
    const read = () => {
      work.gits++;
      return listed;
    };
    context = { git: { ask: read, read }, registry: { repositories: [] } } as unknown as CommandContext;
  }
  beforeEach(begin);
  afterEach(() => {
    delete standInWindow.createQuickPick;
  });

  function outputOf(count: number): { stdout: Buffer } {
    const details = '1700000000\0Ana Silva\0Some work';
    const line = (_: unknown, i: number) => `refs/heads/many/branch-${i}\0${'1'.repeat(40)}\0\0${details}\n`;
    return { stdout: Buffer.from(Array.from({ length: count }, line).join('')) };
  }

  /** Runs only settled promises, so nothing else of the process is counted. */
  async function until(holds: () => boolean): Promise<void> {
    for (let i = 0; i < 100 && !holds(); i++) await Promise.resolve();
    assert.ok(holds(), holds.toString());
  }

  it('is open before git has said a word, and then shows some of 50,000', async () => {
    const { pickRef } = await import('../../../../extension/features/refs/refPick.js');
    const picked = pickRef(context, new Repository('/r'), { placeHolder: 'p' });
    assert.deepEqual([pick.isShown, pick.busy, work.gits], [true, true, 1]);
    answer(outputOf(50_000));
    await new Promise(setImmediate);
    assert.equal(pick.busy, false);
    const shown = items.length;
    assert.ok(shown > 100 && shown < 300, String(shown));
    pick.value = '31415';
    type();
    assert.ok(items.some(({ label }) => label.includes('branch-31415')));
    assert.equal(work.gits, 1);
    hide();
    assert.equal(await picked, undefined);
  });

  /** Counts the work that `act` does, also inside built-in methods. */
  async function counted(act: () => unknown): Promise<Work> {
    const before = { ...work };
    const [arrays, expressions, strings] = [Array.prototype, RegExp.prototype, String.prototype];
    const own = { sort: arrays.sort, exec: expressions.exec, toLowerCase: strings.toLowerCase };
    arrays.sort = function (this: unknown[], ...given) {
      work.sorted += this.length;
      return own.sort.apply(this, given) as unknown[];
    };
    // test(), replace() and search() call exec() too.
    expressions.exec = function (this: RegExp, text) {
      work.matched++;
      return own.exec.call(this, text);
    };
    strings.toLowerCase = function (this: string) {
      work.lowered++;
      return own.toLowerCase.call(this);
    };
    try {
      await act();
    } finally {
      Object.assign(arrays, { sort: own.sort });
      Object.assign(expressions, { exec: own.exec });
      Object.assign(strings, { toLowerCase: own.toLowerCase });
    }
    const names = Object.keys(work) as (keyof Work)[];
    return Object.fromEntries(names.map((name) => [name, work[name] - before[name]])) as unknown as Work;
  }

  /** Work of the whole command: until the list opens, until its rows appear, and for one key. */
  async function workOf(count: number): Promise<Record<'opening' | 'listing' | 'key', Work>> {
    const { branchCommands } = await import('../../../../extension/features/branches/commands.js');
    let done: unknown;
    const opening = await counted(async () => {
      done = branchCommands['residentGit.checkout'](context, new Repository('/r'));
      await until(() => pick.isShown);
    });
    const output = outputOf(count);
    const listing = await counted(async () => {
      answer(output);
      await until(() => !pick.busy);
    });
    const key = await counted(() => {
      pick.value = '7';
      type();
    });
    hide();
    await done;
    return { opening, listing, key };
  }

  it('costs no more of 50,000 than of 1,000, but for one walk through their names', async () => {
    const few = await workOf(1_000);
    begin();
    const many = await workOf(50_000);
    assert.equal(many.listing.lowered - few.listing.lowered, 49_000);
    many.listing.lowered = few.listing.lowered;
    assert.deepEqual(many, few);
    assert.equal(many.opening.gits + many.listing.gits + many.key.gits, 1);
    assert.ok(many.key.matched > 0 && many.key.lowered > 0, 'what is built in is counted');
  });
});
