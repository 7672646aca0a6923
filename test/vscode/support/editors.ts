/** The editors of a window: texts, comparisons and the peek of a change. */
import assert from 'node:assert/strict';
import { basename } from 'node:path';
import { poll } from './poll';
import { QuickInput } from './quickInput';

export class Editors extends QuickInput {
  /** Types at the start of the active editor. A new editor is visible before it has the keyboard focus. */
  async typeAtStart(text: string): Promise<void> {
    await this.focusEditor('.editor-group-container.active', '.view-lines');
    await this.page.keyboard.press('Control+Home');
    await this.page.keyboard.type(text);
  }

  /**
   * Clicks an element, or a part of it, until its editor has the keyboard focus. Another editor may open at the same
   * time and take the focus.
   */
  protected async focusEditor(within: string, part = ''): Promise<void> {
    await poll(
      async () => {
        await this.page.locator(`${within} ${part}`).first().click({ timeout: 5_000 });
        await this.page.locator(`${within} .monaco-editor.focused`).first().waitFor({ timeout: 2_000 });
      },
      { what: `the editor in ${within} has the keys` },
    );
  }

  /** Waits for a text in the active editor. No-break spaces count as spaces. */
  async editorShows(pattern: RegExp): Promise<void> {
    const lines = this.page.locator('.editor-group-container.active .view-lines').first();
    await poll(
      async () => {
        const text = ((await lines.textContent({ timeout: 5_000 })) ?? '').replaceAll('\u00a0', ' ');
        if (!pattern.test(text)) throw new Error(text);
      },
      { what: `the editor shows ${String(pattern)}` },
    );
  }

  /** Waits for a text in a rendered page. White space between words does not count. */
  async previewShows(pattern: RegExp): Promise<void> {
    await poll(
      async () => {
        const text = `document.querySelector('.markdown-body')?.innerText ?? ''`;
        // A frame can disappear during the call.
        const frames = this.page.frames().map((frame) => frame.evaluate<string>(text).catch(() => ''));
        const shown = (await Promise.all(frames)).join('').replace(/\s+/g, ' ').trim();
        if (!pattern.test(shown)) throw new Error(shown);
      },
      { what: `the page shows ${String(pattern)}` },
    );
  }

  /** Saves the active editor and waits. Closing it earlier would open a dialog. */
  async save(): Promise<void> {
    await this.page.keyboard.press('Control+S');
    await this.page.locator('.editor-group-container.active .tab.active:not(.dirty)').first().waitFor();
  }

  /**
   * Opens a change's peek by its key, and presses a button there. The gutter shows the changes shortly after the
   * text.
   */
  async peekAction(key: string, title: string): Promise<void> {
    const changes = this.page.locator('.editor-group-container.active .dirty-diff-glyph').first();
    const peek = this.page.locator('.peekview-widget').first();
    const button = peek.locator(`.action-label[aria-label^="${title}"]`).first();
    await poll(
      async () => {
        // An open peek has old buttons, and the key would move to the next change.
        if (await peek.isVisible()) {
          await this.page.keyboard.press('Escape');
          await peek.waitFor({ timeout: 5_000, state: 'hidden' });
        }
        await changes.waitFor({ timeout: 5_000 });
        await this.page.keyboard.press(key);
        await button.click({ timeout: 5_000 });
      },
      { what: `the peek's "${title}"` },
    );
  }

  /** Opens a file by its absolute path, so no search is needed. */
  async openFile(path: string): Promise<void> {
    const name = basename(path);
    const tab = this.page.locator('.tab.active').first();
    const input = this.page.locator('.quick-input-widget:visible .quick-input-box input').first();
    // A click while the list is being filled can hit a removed row.
    await poll(
      async () => {
        await this.page.keyboard.press('Control+P');
        await input.waitFor({ timeout: 5_000 });
        await input.fill(path, { timeout: 5_000 });
        await this.pick(name, 10_000);
        await input.waitFor({ timeout: 5_000, state: 'hidden' });
        await poll(
          async () => {
            const label = (await tab.textContent()) ?? '';
            // The title of a diff has a description in brackets.
            assert.ok(label.includes(name) && !label.includes('('), label);
          },
          { what: 'the active tab', timeoutMs: 5_000 },
        );
      },
      { what: `${path} is opened` },
    );
    await this.focusEditor('.editor-group-container.active', '.view-lines');
  }
}
