/** The menus of a workbench window, by mouse and by keys. */
import assert from 'node:assert/strict';
import { clicked, type Locator } from './browser';
import { Editors } from './editors';
import { poll } from './poll';

/** Header of the Source Control view. The view shares its container with other views. */
export const kViewHeader = '.part.sidebar .pane:has(.scm-view:not(.scm-repositories-view)) > .pane-header';

export class Menus extends Editors {
  /** Clicks. Fails if the page received no click, because the target moved or was redrawn. */
  protected async clickCounted(on: Locator, counter: string): Promise<void> {
    const count = () => this.page.evaluate<number>(`residentPage.${counter}`);
    const before = await count();
    await clicked(on.click({ timeout: 5_000 }));
    assert.notEqual(await count(), before, 'it got no click');
  }

  /** A button in the view's title. Its title shows buttons only under the mouse, or while the view has the focus. */
  async titleButton(title: string): Promise<Locator> {
    const header = this.page.locator(kViewHeader).first();
    await header.hover();
    return header.locator(`.action-label[aria-label="${title}"]`).first();
  }

  async titleAction(title: string): Promise<void> {
    await (await this.titleButton(title)).click();
  }

  /**
   * Picks an item of the context menu. Retries if a moving row closes the menu, or if the item is not offered yet.
   */
  async contextMenu(on: Locator, label: string, position?: { x: number; y: number }): Promise<void> {
    await poll(() => this.openAndPick(on, label, position), { what: `the menu takes "${label}"` });
    await this.menuItem(label).waitFor({ state: 'hidden' });
  }

  /** Picks the same way, without retries. `happens` runs while the menu is open. */
  async contextMenuDuring(on: Locator, label: string, happens: () => Promise<void>): Promise<void> {
    await this.openAndPick(on, label, undefined, happens);
  }

  private menuItem(label: string): Locator {
    return this.page
      .locator('.monaco-menu')
      .first()
      .locator('.action-item:not(.disabled)')
      .filter({ hasText: label })
      .first();
  }

  private async openAndPick(
    on: Locator,
    label: string,
    position?: { x: number; y: number },
    happens?: () => Promise<void>,
  ): Promise<void> {
    const item = this.menuItem(label);
    if (await this.page.locator('.monaco-menu').first().isVisible()) await this.page.keyboard.press('Escape');
    await on.click({ button: 'right', timeout: 5_000, ...(position && { position }) });
    await item.waitFor({ timeout: 5_000 });
    // A menu ignores clicks in its first 100 ms. The page measures the time, because it may be slower than the test.
    await this.page.evaluate('new Promise((resolve) => setTimeout(resolve, 150))');
    await happens?.();
    await this.clickCounted(item, 'menuPicks()');
  }

  /** Picks an item of a row's menu by keys alone. Moving rows can close the menu; then it is opened again. */
  async keyMenu(row: Locator, label: string): Promise<void> {
    await this.keyMenuOf(() => this.focusRow(row), label);
  }

  /** Picks an item for `count` consecutive rows by keys alone. */
  async keyMenuOfRows(first: Locator, count: number, label: string): Promise<void> {
    await this.keyMenuOf(async () => {
      const { keyboard } = this.page;
      await this.focusRow(first);
      // Clears an old selection. Escape also removes the list's focus.
      await keyboard.press('Escape');
      await this.focusRow(first);
      await keyboard.press('Control+Shift+Enter');
      for (let n = 1; n < count; n++) await keyboard.press('Shift+ArrowDown');
    }, label);
  }

  private async keyMenuOf(focus: () => Promise<void>, label: string): Promise<void> {
    const { keyboard } = this.page;
    const menu = this.page.locator('.monaco-menu').first();
    const focused = menu.locator('.action-item.focused').first();
    await poll(
      async () => {
        if (await menu.isVisible()) await keyboard.press('Escape');
        await focus();
        await keyboard.press('Shift+F10');
        await menu.waitFor({ timeout: 5_000 });
        await poll(
          async () => {
            await keyboard.press('ArrowDown');
            const text = (await focused.textContent({ timeout: 1_000 })) ?? '';
            assert.ok(text.startsWith(label), text);
          },
          { what: 'the item is reached', timeoutMs: 20_000 },
        );
        await keyboard.press('Enter');
      },
      { what: `the menu by keys takes "${label}"` },
    );
    await menu.waitFor({ state: 'hidden' });
  }

  /** Moves the focus of the Source Control view's list to a row, from the last row upwards. */
  async focusRow(row: Locator): Promise<void> {
    await this.page.evaluate(`document.querySelector('.scm-view .monaco-list').focus()`);
    await this.page.keyboard.press('End');
    await poll(
      async () => {
        const classes = (await row.getAttribute('class')) ?? '';
        if (classes.split(' ').includes('focused')) return;
        await this.page.keyboard.press('ArrowUp');
        throw new Error(classes);
      },
      { what: 'the row has the focus', timeoutMs: 20_000 },
    );
  }
}
