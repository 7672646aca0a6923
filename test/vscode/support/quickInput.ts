/** What drops down from the window's top: the palette, lists to pick from and boxes to type in. */
import { clicked, type Locator, type Page } from './browser';
import { kPatienceMs, poll } from './poll';

const kWidget = '.quick-input-widget:visible';
const kBox = `${kWidget} .quick-input-box input`;
const kRow = '.quick-input-list .monaco-list-row';

export class QuickInput {
  constructor(readonly page: Page) {}

  /** Runs a command by its title, as the palette shows it. */
  async command(title: string): Promise<void> {
    await this.offerCommand(title, (row) => clicked(row.click({ timeout: 5_000 })));
  }

  /** Opens the palette on a command by keys, and leaves it to Enter. */
  async focusCommand(title: string): Promise<void> {
    const focused = this.page.locator(`${kWidget} ${kRow}.focused`).first();
    await this.offerCommand(title, () =>
      poll(
        async () => {
          const text = (await focused.textContent({ timeout: 5_000 })) ?? '';
          if (text.includes(title)) return;
          await this.page.keyboard.press('ArrowDown');
          throw new Error(text);
        },
        { what: 'it is reached', timeoutMs: 10_000 },
      ),
    );
  }

  private async offerCommand(title: string, act: (row: Locator) => Promise<void>): Promise<void> {
    const input = this.page.locator(kBox).first();
    const rows = this.page.locator(kRow);
    const found = rows.filter({ hasText: title }).first();
    // One that was run lately stands before others, also where its title only begins so. Its keys may follow the title.
    const exact = this.page
      .locator(`${kRow}[aria-label="${title}"], ${kRow}[aria-label^="${title}, "]`)
      .first();
    let isTried = false;
    await poll(
      async () => {
        // As long as it is open it offers what could be done when it opened: nothing that wants trust right after a start.
        if (isTried && (await input.isVisible())) await this.page.keyboard.press('Escape');
        isTried = true;
        await this.page.keyboard.press('F1');
        await input.waitFor({ timeout: 5_000 });
        await input.fill(`>${title}`, { timeout: 5_000 });
        await found.waitFor({ timeout: 5_000 }).catch(async (error: unknown) => {
          throw new Error(`it offers ${(await rows.allInnerTexts()).join('; ')}`, { cause: error });
        });
        await act((await exact.isVisible()) ? exact : found);
      },
      { what: `the palette offers "${title}"` },
    );
  }

  /** Answers the input box whose placeholder is this. */
  async type(placeholder: string, text: string): Promise<void> {
    const input = this.page.locator(`${kWidget} input[placeholder="${placeholder}"]`).first();
    await input.waitFor();
    await input.fill(text);
    await this.page.keyboard.press('Enter');
  }

  /** The input box that asks this. */
  async prompted(pattern: RegExp): Promise<Locator> {
    const widget = this.page.locator(kWidget).filter({ hasText: pattern }).first();
    await widget.waitFor();
    return widget.locator('.quick-input-box input').first();
  }

  /** Answers the input box that asks this. Returns how it shows what is typed: as text, or as a password. */
  async prompt(pattern: RegExp, text: string): Promise<string> {
    const input = await this.prompted(pattern);
    const type = (await input.getAttribute('type')) ?? '';
    await input.fill(text);
    await this.page.keyboard.press('Enter');
    return type;
  }

  /** Picks what is found by a text in the list with this placeholder. */
  async find(placeholder: string, text: string, label = text): Promise<void> {
    const input = this.page.locator(`${kWidget} input[placeholder="${placeholder}"]`).first();
    await input.waitFor();
    await input.fill(text);
    // A click while the list is being filled goes to a row that is none any more.
    let isTried = false;
    await poll(
      async () => {
        if (!(await input.isVisible())) {
          if (isTried) return;
          throw new Error('it closed by itself');
        }
        isTried = true;
        await this.pick(label, 10_000);
        await input.waitFor({ timeout: 2_000, state: 'hidden' });
      },
      { what: `the list takes "${label}"` },
    );
  }

  /** Answers the dialog of this title, which wants a folder, with one that has a folder of the name `inside` in it. */
  async pickFolder(title: string, folder: string, inside: string): Promise<void> {
    const dialog = this.page.locator(kWidget).filter({ hasText: title }).first();
    await dialog.waitFor();
    await poll(
      async () => {
        if (!(await dialog.isVisible())) return;
        await dialog.locator('.quick-input-box input').first().fill(`${folder}/`, { timeout: 2_000 });
        await dialog.locator(kRow).filter({ hasText: inside }).first().waitFor({ timeout: 5_000 });
        await this.page.keyboard.press('Enter');
        await dialog.waitFor({ timeout: 2_000, state: 'hidden' });
      },
      { what: `the dialog "${title}" takes ${folder}` },
    );
  }

  /** Waits until the list that is open, or comes, has this. */
  async offers(label: string): Promise<void> {
    const rows = this.page.locator(`${kWidget} ${kRow}`);
    await rows.filter({ hasText: label }).first().waitFor();
  }

  /** Waits until no input box is open. */
  async nothingIsAsked(): Promise<void> {
    await poll(
      async () => {
        if (await this.page.locator('.quick-input-widget').first().isVisible()) throw new Error('one is');
      },
      { what: 'no input box is open' },
    );
  }

  /** Picks an item of the quick pick that is open, or comes, within a time where it is tried again. */
  async pick(label: string, timeoutMs = kPatienceMs): Promise<void> {
    const row = this.page.locator(kRow).filter({ hasText: label }).first();
    await row.click({ timeout: timeoutMs });
  }
}
