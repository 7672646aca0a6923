/** One workbench window: the content that a user sees, and the user's actions. */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Browser, clicked, type Locator, type Page } from './browser';
import { Menus } from './menus';
import { Notifications } from './notifications';
import { poll } from './poll';
import { kTidyKey, kViewKey } from './server';

const artefacts = resolve(__dirname, '../../artefacts');

const kStarted = '.monaco-workbench .part.statusbar';
const kWelcome = '[id="workbench.view.scm"] .welcome-view-content';

interface Decorated {
  /** Letters beside the name. '' if none. */
  badge: string;
  /** CSS colour of the name. */
  color: string;
  strikethrough: boolean;
  /** Tooltip from a decoration provider. */
  decoration: string;
}

/** A row of the Source Control view. `provider` and `root` are '' if the repository has no row. */
export type ScmRow =
  | { kind: 'repository'; provider: string; root: string; text: string }
  | { kind: 'group'; root: string; name: string; count: number }
  | ({
      kind: 'resource';
      provider: string;
      root: string;
      group: string;
      path: string;
      tooltip: string;
    } & Decorated);
export type ResourceRow = Extract<ScmRow, { kind: 'resource' }>;

/** A row of the explorer. `path` is absolute. */
export interface ExplorerRow extends Decorated {
  path: string;
  level: number;
  expanded: boolean;
}

export interface StatusItem {
  id: string;
  text: string;
  label: string;
}

function buttonOf(row: Locator, title: string): Locator {
  return row.locator(`.action-label[aria-label="${title}"]`).first();
}

export class Workbench extends Menus {
  readonly notifications: Notifications;

  private constructor(page: Page) {
    super(page);
    this.notifications = new Notifications(page);
  }

  static async open(browser: Browser, url: string): Promise<Workbench> {
    await browser.page.addInitScript({ path: join(__dirname, 'read-page.js') });
    await browser.page.goto(url);
    await browser.page.waitForSelector(kStarted);
    return new Workbench(browser.page);
  }

  showSourceControl(): Promise<void> {
    return this.show('.scm-view', kViewKey);
  }

  showExplorer(): Promise<void> {
    return this.show('.explorer-folders-view', 'Control+Shift+E');
  }

  /** Waits for a text in the empty Source Control view. */
  async welcomeShows(pattern: RegExp): Promise<void> {
    await this.show(kWelcome, kViewKey);
    await poll(
      async () => assert.match((await this.page.locator(kWelcome).allInnerTexts()).join('\n'), pattern),
      { what: `the empty view says ${String(pattern)}` },
    );
  }

  /** Presses a button in the empty view. Its texts are redrawn whenever one of them appears or disappears. */
  async welcomeButton(label: string): Promise<void> {
    await poll(
      () =>
        this.page
          .locator(`${kWelcome} .monaco-button`)
          .filter({ hasText: label })
          .first()
          .click({ timeout: 5_000 }),
      { what: `the empty view's "${label}"` },
    );
  }

  /** Shows a view. Retries the key: a new window ignores keys at first. */
  private async show(selector: string, key: string): Promise<void> {
    const view = this.page.locator(selector).first();
    await poll(
      async () => {
        if (!(await view.isVisible())) await this.page.keyboard.press(key);
        await view.waitFor({ timeout: 2_000 });
      },
      { what: `${selector} is shown by ${key}` },
    );
  }

  scmRows(): Promise<ScmRow[]> {
    return this.page.evaluate('residentPage.scmRows()');
  }

  async resources(): Promise<ResourceRow[]> {
    return (await this.scmRows()).filter((row) => row.kind === 'resource');
  }

  explorerRows(): Promise<ExplorerRow[]> {
    return this.page.evaluate('residentPage.explorerRows()');
  }

  /** Waits for a row of the explorer. `path` is absolute. */
  async explorerShows(path: string): Promise<void> {
    await poll(
      async () => {
        const rows = (await this.explorerRows()).map((row) => row.path);
        assert.ok(rows.includes(path), rows.join('\n'));
      },
      { what: `the explorer shows ${path}` },
    );
  }

  statusItems(): Promise<StatusItem[]> {
    return this.page.evaluate('residentPage.statusItems()');
  }

  /** Waits until an item of the status bar has this text. */
  async statusBarShows(text: string): Promise<void> {
    await poll(
      async () => {
        const texts = (await this.statusItems()).map((item) => item.text);
        assert.ok(texts.includes(text), texts.join('\n'));
      },
      { what: `the status bar says ${text}` },
    );
  }

  /**
   * Clicks an item of the status bar, by the start of its accessible name. Retries if the item moves under the mouse:
   * other items come, go and grow.
   */
  async clickStatusItem(label: string): Promise<void> {
    const item = this.page.locator(`.part.statusbar .statusbar-item a[aria-label^="${label}"]`).first();
    const clicks = `statusClicks(${JSON.stringify(label)})`;
    await poll(() => this.clickCounted(item, clicks), { what: `the status bar's "${label}"` });
  }

  /** The text of the open input box or dialog. */
  async asked(): Promise<string> {
    const open = this.page.locator('.quick-input-widget:visible, .monaco-dialog-box:visible');
    return `asked is: ${(await open.allInnerTexts()).join('; ') || 'nothing'}`;
  }

  /** The button `label` of the dialog whose text matches. */
  async dialogButton(pattern: RegExp, label: string | RegExp): Promise<Locator> {
    const box = this.page.locator('.monaco-dialog-box').filter({ hasText: pattern }).first();
    await box.waitFor().catch(async (error: unknown) => {
      const other = this.page.locator('.monaco-dialog-box').first();
      const asked = (await other.isVisible()) ? await other.textContent() : 'nothing';
      const told = (await this.notifications.messages()).join('; ');
      throw new Error(`${pattern} is not asked, but ${asked}; told is: ${told}`, { cause: error });
    });
    return box.locator('.monaco-button').filter({ hasText: label }).first();
  }

  async dialog(pattern: RegExp, label: string | RegExp): Promise<void> {
    await (await this.dialogButton(pattern, label)).click();
  }

  rowAction(path: string, title: string): Promise<void> {
    return this.action(this.resource(path), title);
  }

  groupAction(name: string, title: string): Promise<void> {
    return this.action(this.group(name), title);
  }

  /** The row of a group. */
  group(name: string): Locator {
    const rows = this.page.locator('.scm-view .monaco-list-row:has(.resource-group)');
    return rows.filter({ hasText: new RegExp(`^${name}`) }).first();
  }

  folderAction(name: string, title: string): Promise<void> {
    return this.action(this.folder(name), title);
  }

  /** The row of a folder. `name`: as shown in the tree view. */
  folder(name: string): Locator {
    const rows = this.page.locator('.scm-view .monaco-list-row:has(.resource)');
    return rows.filter({ hasText: new RegExp(`^${name}$`) }).first();
  }

  /** Presses a group's button once, and releases it after `heldMs`. */
  async holdGroupAction(name: string, title: string, heldMs: number): Promise<void> {
    const row = this.group(name);
    await row.hover();
    await buttonOf(row, title).click({ delay: heldMs });
  }

  /**
   * Presses a button that a row shows under the mouse. Retries if the row moves, because the view updates, or if the
   * button is redrawn under the pressed mouse.
   */
  private async action(row: Locator, title: string): Promise<void> {
    await poll(
      async () => {
        await row.hover({ timeout: 5_000 });
        await this.clickCounted(buttonOf(row, title), 'buttonClicks()');
      },
      { what: `a row's "${title}"` },
    );
  }

  /** Replaces the text in the only repository's input box, and keeps the focus there. */
  async writeMessage(text: string): Promise<void> {
    await poll(
      async () => {
        await this.focusEditor('.scm-view .scm-editor');
        for (const key of ['Control+A', 'Delete']) await this.page.keyboard.press(key);
        await this.page.keyboard.type(text);
        await poll(async () => assert.equal(await this.commitMessage(), text), {
          what: 'what it has',
          timeoutMs: 10_000,
        });
      },
      { what: 'the box has what was typed' },
    );
  }

  /** Waits until the clipboard has this text. Pastes it into the input box to read it. */
  async pastes(expected: string | RegExp): Promise<void> {
    await poll(
      async () => {
        await this.writeMessage('');
        await this.page.keyboard.press('Control+V');
        const text = await this.commitMessage();
        if (typeof expected === 'string') assert.equal(text, expected);
        else assert.match(text, expected);
      },
      { what: `${String(expected)} was copied` },
    );
    await this.writeMessage('');
  }

  async commitMessage(): Promise<string> {
    const lines = this.page.locator('.scm-view .scm-editor .view-lines').first();
    // The editor draws spaces as no-break spaces.
    return ((await lines.textContent({ timeout: 5_000 })) ?? '').replaceAll('\u00a0', ' ');
  }

  async commitPlaceholder(): Promise<string> {
    const placeholder = this.page.locator('.scm-view .scm-editor .editorPlaceholder').first();
    return (await placeholder.textContent()) ?? '';
  }

  /** Waits until the extension's stored values match. A reload reads them. */
  async hasStored(pattern: RegExp): Promise<void> {
    await poll(async () => assert.match(await this.page.evaluate<string>('residentPage.stored()'), pattern), {
      what: `${String(pattern)} is stored`,
    });
  }

  /**
   * Closes everything: menus, dialogs, editors with unsaved changes too, notifications and panels. Leaves the Source
   * Control view with an empty input box.
   */
  async tidy(): Promise<void> {
    const asks = '.monaco-menu, .quick-input-widget:visible, .monaco-dialog-box';
    await this.isWithout(asks, () => this.page.keyboard.press('Escape'));
    await this.showSourceControl();
    await poll(
      async () => {
        if ((await this.commitMessage()) !== '') await this.writeMessage('');
      },
      { what: 'the box is empty' },
    );
    const discards = this.page
      .locator('.monaco-dialog-box .monaco-button')
      .filter({ hasText: /^(Don't Save|Discard|Close)/ })
      .first();
    await this.isWithout('.tab, .notification-list-item, .part.panel, .monaco-dialog-box', async () => {
      if (await discards.isVisible()) await clicked(discards.click({ timeout: 5_000 }));
      else await this.page.keyboard.press(kTidyKey);
    });
  }

  /** Runs `act` until no visible element matches. */
  private async isWithout(selector: string, act: () => Promise<void>): Promise<void> {
    await poll(
      async () => {
        const found = this.page.locator(selector).filter({ visible: true });
        if ((await found.count()) === 0) return;
        await act();
        await found.first().waitFor({ timeout: 2_000, state: 'hidden' });
        assert.equal(await found.count(), 0);
      },
      { what: `nothing is shown of ${selector}` },
    );
  }

  /** Waits until the view has a repository with its input box. */
  async hasRepository(): Promise<void> {
    await this.showSourceControl();
    await this.page.locator('.scm-view .scm-editor').first().waitFor();
  }

  /** Waits until the view has no repository. */
  async hasNoRepository(): Promise<void> {
    await this.page.locator(kWelcome).first().waitFor();
    await poll(async () => assert.deepEqual(await this.scmRows(), []), { what: 'the view is empty' });
  }

  /** Reloads the browser's page: a new window on the same folder. */
  async reload(): Promise<void> {
    await this.page.reload();
    await this.page.waitForSelector(kStarted);
  }

  /** Replaces this window by a window without a folder. */
  async openEmptyWindow(): Promise<void> {
    const origin = await this.page.evaluate<string>('location.origin');
    await this.page.goto(`${origin}/?ew=true`);
    await this.page.waitForSelector(kStarted);
  }

  /** Waits until a window on this folder has replaced this window. */
  async becomesWindowOf(folder: string): Promise<void> {
    await poll(
      async () => {
        const title = await this.page.evaluate<string>('document.title');
        assert.ok(title.split(' ').includes(folder), title);
      },
      { what: `the window is ${folder}'s` },
    );
    await this.page.waitForSelector(kStarted);
  }

  /** A resource's row in the Source Control view, for clicks. */
  resource(path: string): Locator {
    const name = path.slice(path.lastIndexOf('/') + 1);
    return this.page.locator('.scm-view .monaco-list-row:has(.resource)').filter({ hasText: name }).first();
  }

  /** Selects exactly these rows. A click also opens the row's file, and the new editor can swallow a second click. */
  async selectResources(first: string, ...others: string[]): Promise<void> {
    const selected = this.page.locator('.scm-view .monaco-list-row.selected');
    await poll(
      async () => {
        await this.resource(first).click();
        for (const path of others) await this.resource(path).click({ modifiers: ['Control'] });
        assert.equal(await selected.count(), 1 + others.length);
      },
      { what: `${[first, ...others].join(', ')} are selected` },
    );
  }

  /** Saves a picture in test/artefacts. */
  async screenshot(name: string): Promise<void> {
    mkdirSync(artefacts, { recursive: true });
    await this.page.screenshot({ path: join(artefacts, `${name}.png`) });
  }
}
