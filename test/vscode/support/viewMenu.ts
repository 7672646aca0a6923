/** The "…" menu of the Source Control view's title, and menus of rows. Uses the mouse or keys. */
import assert from 'node:assert/strict';
import { clicked, type Locator } from './browser';
import { poll } from './poll';
import { kViewHeader } from './menus';
import type { Workbench } from './workbench';

const kButton = 'More Actions...';
const kMenu = '.monaco-menu';
const kSubmenu = '.monaco-submenu';

/** The menu item with exactly this name. Other names may start with it. */
function named(menu: Locator, label: string): Locator {
  return menu.locator(`.action-item:not(.disabled) .action-label[aria-label="${label}"]`).first();
}

/** A menu opened by `open`. */
export class PopupMenu {
  constructor(
    protected readonly workbench: Workbench,
    private readonly open: () => Promise<void>,
    private readonly name: string,
  ) {}

  /**
   * Names of the entries, without those of submenus. Waits for `expected`: the menu can open before its row is
   * updated.
   */
  async entries(expected: string): Promise<string[]> {
    const menu = this.workbench.page.locator(kMenu).first();
    let names: string[] = [];
    await poll(
      async () => {
        await this.close();
        await this.open();
        await named(menu, expected).waitFor({ timeout: 5_000 });
        names = await this.workbench.page.evaluate<string[]>('residentPage.menuEntries()');
        // A title that is redrawn closes its menu.
        assert.ok(names.includes(expected), names.join('; '));
      },
      { what: `${this.name} has "${expected}"` },
    );
    await this.close();
    return names;
  }

  /** Names of the entries of a submenu. */
  async entriesOf(submenu: string, expected: string): Promise<string[]> {
    const { page } = this.workbench;
    const [menu, inner] = [page.locator(kMenu).first(), page.locator(kSubmenu).first()];
    let names: string[] = [];
    await poll(
      async () => {
        await this.close();
        await this.open();
        await named(menu, submenu).hover({ timeout: 5_000 });
        await named(inner, expected).waitFor({ timeout: 5_000 });
        names = await inner.locator('.action-item:not(.disabled) .action-label').allInnerTexts();
      },
      { what: `${this.name} has "${submenu}" with "${expected}"` },
    );
    await this.close();
    return names.filter((name) => name !== '');
  }

  /** Picks an item of a submenu by the mouse. */
  async pick(submenu: string, item: string): Promise<void> {
    const { page } = this.workbench;
    const [menu, inner] = [page.locator(kMenu).first(), page.locator(kSubmenu).first()];
    await this.click(`"${submenu}", "${item}"`, named(inner, item), () =>
      named(menu, submenu).hover({ timeout: 5_000 }),
    );
  }

  /** Picks an item that is in no submenu. */
  async pickEntry(item: string): Promise<void> {
    await this.click(`"${item}"`, named(this.workbench.page.locator(kMenu).first(), item));
  }

  private async click(what: string, item: Locator, leadTo?: () => Promise<void>): Promise<void> {
    const { page } = this.workbench;
    const menu = page.locator(kMenu).first();
    const picks = () => page.evaluate<number>('residentPage.menuPicks()');
    await poll(
      async () => {
        await this.close();
        await this.open();
        await leadTo?.();
        await item.waitFor({ timeout: 5_000 });
        // A menu ignores clicks in its first 100 ms. The page measures the time, because it may be slower than the
        // test.
        await page.evaluate('new Promise((resolve) => setTimeout(resolve, 150))');
        const before = await picks();
        await clicked(item.click({ timeout: 5_000 }));
        assert.notEqual(await picks(), before, 'it got no click');
      },
      { what: `${this.name} takes ${what}` },
    );
    await menu.waitFor({ state: 'hidden' });
  }

  /** Picks an item of a submenu by keys. `open` must open the menu by keys. */
  async pickByKeys(submenu: string, item: string): Promise<void> {
    const { page } = this.workbench;
    const [menu, inner] = [page.locator(kMenu).first(), page.locator(kSubmenu).first()];
    await poll(
      async () => {
        await this.close();
        await this.open();
        await this.reach(menu, submenu);
        await page.keyboard.press('ArrowRight');
        await this.reach(inner, item);
        await page.keyboard.press('Enter');
        await menu.waitFor({ state: 'hidden', timeout: 5_000 });
      },
      { what: `${this.name} by keys takes "${submenu}", "${item}"` },
    );
  }

  private async close(): Promise<void> {
    const menu = this.workbench.page.locator(kMenu).first();
    while (await menu.isVisible()) await this.workbench.page.keyboard.press('Escape');
  }

  /** Moves down to an item of a menu, after waiting for the menu. */
  private async reach(menu: Locator, label: string): Promise<void> {
    await menu.waitFor({ timeout: 5_000 });
    const focused = menu.locator(`.action-item.focused .action-label[aria-label="${label}"]`).first();
    await this.pressUntil('ArrowDown', `"${label}" has the focus`, () => focused.isVisible());
  }

  protected async pressUntil(key: string, what: string, isReached: () => Promise<boolean>): Promise<void> {
    await poll(
      async () => {
        if (await isReached()) return;
        await this.workbench.page.keyboard.press(key);
        throw new Error('not yet');
      },
      { what, timeoutMs: 20_000 },
    );
  }
}

/** The menu of a row. */
export class RowMenu extends PopupMenu {
  constructor(workbench: Workbench, row: Locator, { byKeys = false } = {}) {
    // At its name: the buttons at its right end have a menu of their own.
    const position = { x: 60, y: 10 };
    const byMouse = () => row.click({ button: 'right', timeout: 5_000, position });
    const fromRow = async () => {
      await workbench.focusRow(row);
      await workbench.page.keyboard.press('Shift+F10');
    };
    super(workbench, byKeys ? fromRow : byMouse, "the row's menu");
  }
}

export class ViewMenu extends PopupMenu {
  constructor(workbench: Workbench, { byKeys = false } = {}) {
    super(workbench, () => (byKeys ? this.openByKeys() : workbench.titleAction(kButton)), "the view's menu");
  }

  /** Starts from the view's list. */
  private async openByKeys(): Promise<void> {
    const { page } = this.workbench;
    await page.evaluate(`document.querySelector('.scm-view .monaco-list').focus()`);
    await this.pressUntil('Shift+Tab', 'the title has the focus', () =>
      page.evaluate(`document.activeElement?.closest('${kViewHeader}') !== null`),
    );
    await this.pressUntil('ArrowRight', 'its menu has the focus', () =>
      page.evaluate(`document.activeElement?.getAttribute('aria-label') === '${kButton}'`),
    );
    await page.keyboard.press('Enter');
  }
}
