/**
 * What the workbench tells in notifications. A toast that has no error goes by itself, ten seconds after it was drawn:
 * what comes late to it, on a busy machine, finds it in the notification center.
 */
import assert from 'node:assert/strict';
import { clicked, type Locator, type Page } from './browser';
import { poll } from './poll';

/** In a toast or in the center. */
const kItem = '.notification-list-item';
/** A warning is a toast for so long. */
const kToastMs = 12_000;
const kCenter = '.notifications-center.visible';
const kBell = '.part.statusbar [id="status.notifications"] a';

export class Notifications {
  constructor(private readonly page: Page) {}

  /** Texts of those that are toasts. */
  messages(): Promise<string[]> {
    return this.page.evaluate('residentPage.messages()');
  }

  /** Presses a button of the notification that has it, and whose text matches. */
  async answer(button: string, text = /./): Promise<void> {
    await this.take(
      (items) =>
        items.filter({ hasText: text }).locator('.monaco-button').filter({ hasText: button }).first(),
      (found) => found.click({ timeout: 2_000 }),
      `a notification's "${button}"`,
    );
  }

  /** Waits for one whose text matches, and clears it. */
  async clear(pattern: RegExp): Promise<void> {
    await this.take(
      (items) => items.filter({ hasText: pattern }).first(),
      async (found) => {
        await found.hover({ timeout: 2_000 });
        await found.locator('.codicon-notifications-clear').first().click({ timeout: 2_000 });
      },
      `the notification ${String(pattern)}`,
    );
  }

  /** Waits for one whose text matches, and leaves it. */
  async shows(pattern: RegExp): Promise<void> {
    const found = this.page.locator(kItem).filter({ hasText: pattern }).first();
    await this.waitFor(found, `the notification ${String(pattern)}`);
  }

  /** Waits for one whose text matches, and reads its severity and its buttons. The first button is the primary one. */
  async look(pattern: RegExp): Promise<{ isWarning: boolean; buttons: string[] }> {
    const found = this.page.locator(kItem).filter({ hasText: pattern }).first();
    await this.waitFor(found, `the notification ${String(pattern)}`);
    const isWarning = (await found.locator('.codicon-warning').count()) > 0;
    return { isWarning, buttons: await found.locator('.monaco-button').allInnerTexts() };
  }

  /**
   * Does `act`, which clicks, to what is found, until that is gone by a click: it is drawn anew under the mouse, or goes
   * to the center by itself.
   */
  private async take(
    find: (items: Locator) => Locator,
    act: (found: Locator) => Promise<void>,
    what: string,
  ): Promise<void> {
    const found = find(this.page.locator(kItem));
    const clicks = () => this.page.evaluate<number>('residentPage.notificationClicks()');
    const before = await clicks();
    await this.waitFor(found, what);
    await poll(
      async () => {
        if ((await clicks()) === before) await this.bringInSight(found);
        else if (!(await found.isVisible())) return;
        await clicked(act(found));
        assert.notEqual(await clicks(), before, 'it got no click');
        await found.waitFor({ timeout: 2_000, state: 'hidden' });
      },
      { what: `${what} is taken` },
    );
    await this.hideCenter();
  }

  /** In sight; the center, once it is open, has also what comes later. */
  private async waitFor(found: Locator, what: string): Promise<void> {
    await found.waitFor({ timeout: kToastMs }).catch(async () => {
      await poll(() => this.bringInSight(found), { what });
    });
  }

  /** Opens the center for what is not in sight. */
  private async bringInSight(found: Locator): Promise<void> {
    if (await found.isVisible()) return;
    if (!(await this.page.locator(kCenter).first().isVisible()))
      await this.page.locator(kBell).first().click({ timeout: 2_000 });
    await found.waitFor({ timeout: 2_000 });
  }

  private async hideCenter(): Promise<void> {
    const center = this.page.locator(kCenter).first();
    await poll(
      async () => {
        if (!(await center.isVisible())) return;
        await center.locator('.codicon-notifications-hide').first().click({ timeout: 2_000 });
        await center.waitFor({ timeout: 2_000, state: 'hidden' });
      },
      { what: 'the notification center closes' },
    );
  }
}
