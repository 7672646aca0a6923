/** The "…" menu of the Source Control view's title, by the mouse and by keys. */
import assert from 'node:assert/strict';
import { clicked, type Locator } from './browser';
import { poll } from './poll';
import type { Workbench } from './workbench';

const kTitle = '.part.sidebar .title-actions';
const kButton = 'Views and More Actions...';
const kMenu = '.monaco-menu';
const kSubmenu = '.monaco-submenu';

/** What a menu calls an item: other items' names may begin the same way. */
function named(menu: Locator, label: string): Locator {
  return menu.locator(`.action-item:not(.disabled) .action-label[aria-label="${label}"]`).first();
}

export class ViewMenu {
  constructor(private readonly workbench: Workbench) {}

  /** Picks an item of a submenu by the mouse. */
  async pick(submenu: string, item: string): Promise<void> {
    const { page } = this.workbench;
    const [menu, inner] = [page.locator(kMenu).first(), page.locator(kSubmenu).first()];
    const picks = () => page.evaluate<number>('residentPage.menuPicks()');
    await poll(
      async () => {
        await this.close();
        await this.workbench.titleAction(kButton);
        await named(menu, submenu).hover({ timeout: 5_000 });
        await named(inner, item).waitFor({ timeout: 5_000 });
        // In its first 100 ms it takes no click. They are counted by the page, which may be slower than we are.
        await page.evaluate('new Promise((resolve) => setTimeout(resolve, 150))');
        const before = await picks();
        await clicked(named(inner, item).click({ timeout: 5_000 }));
        assert.notEqual(await picks(), before, 'it got no click');
      },
      { what: `the view's menu takes "${submenu}", "${item}"` },
    );
    await menu.waitFor({ state: 'hidden' });
  }

  /** The same by keys alone, from the list of the view. */
  async pickByKeys(submenu: string, item: string): Promise<void> {
    const { page } = this.workbench;
    const { keyboard } = page;
    const [menu, inner] = [page.locator(kMenu).first(), page.locator(kSubmenu).first()];
    await poll(
      async () => {
        await this.close();
        await page.evaluate(`document.querySelector('.scm-view .monaco-list').focus()`);
        await this.pressUntil('Shift+Tab', 'the title has the focus', () =>
          page.evaluate(`document.activeElement?.closest('${kTitle}') !== null`),
        );
        await this.pressUntil('ArrowRight', 'its menu has the focus', () =>
          page.evaluate(`document.activeElement?.getAttribute('aria-label') === '${kButton}'`),
        );
        await keyboard.press('Enter');
        await this.reach(menu, submenu);
        await keyboard.press('ArrowRight');
        await this.reach(inner, item);
        await keyboard.press('Enter');
        await menu.waitFor({ state: 'hidden', timeout: 5_000 });
      },
      { what: `the view's menu by keys takes "${submenu}", "${item}"` },
    );
  }

  private async close(): Promise<void> {
    const menu = this.workbench.page.locator(kMenu).first();
    while (await menu.isVisible()) await this.workbench.page.keyboard.press('Escape');
  }

  /** Goes down to an item of a menu that is open, or opens. */
  private async reach(menu: Locator, label: string): Promise<void> {
    await menu.waitFor({ timeout: 5_000 });
    const focused = menu.locator(`.action-item.focused .action-label[aria-label="${label}"]`).first();
    await this.pressUntil('ArrowDown', `"${label}" has the focus`, () => focused.isVisible());
  }

  private async pressUntil(key: string, what: string, isReached: () => Promise<boolean>): Promise<void> {
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
