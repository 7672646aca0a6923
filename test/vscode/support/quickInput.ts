/** The inputs at the window's top: the palette, pick lists and input boxes. */
import { clicked, type Locator, type Page } from './browser';
import { kPatienceMs, poll } from './poll';

const kWidget = '.quick-input-widget:visible';
const kBox = `${kWidget} .quick-input-box input`;
const kRow = '.quick-input-list .monaco-list-row';

export class QuickInput {
  constructor(readonly page: Page) {}

  /** Runs a command by its title in the palette. */
  async command(title: string): Promise<void> {
    await this.offerCommand(title, (row) => clicked(row.click({ timeout: 5_000 })));
  }

  /** Opens the palette and moves the focus to a command by keys. Enter then runs the command. */
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
    // A recently run command comes first, even if its title only starts with `title`. A row's name can end with its
    // keys.
    const exact = this.page
      .locator(`${kRow}[aria-label="${title}"], ${kRow}[aria-label^="${title}, "]`)
      .first();
    let isTried = false;
    await poll(
      async () => {
        // An open palette offers only the commands available when it opened. Right after a start, commands that need
        // trust are missing.
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

  /** Answers the input box with this placeholder. */
  async type(placeholder: string, text: string): Promise<void> {
    const input = this.page.locator(`${kWidget} input[placeholder="${placeholder}"]`).first();
    await input.waitFor();
    await input.fill(text);
    await this.page.keyboard.press('Enter');
  }

  /** Waits for the input box whose text matches. */
  async prompted(pattern: RegExp): Promise<Locator> {
    const widget = this.page.locator(kWidget).filter({ hasText: pattern }).first();
    await widget.waitFor();
    return widget.locator('.quick-input-box input').first();
  }

  /** Answers the input box whose text matches. Returns its input type: "text" or "password". */
  async prompt(pattern: RegExp, text: string): Promise<string> {
    const input = await this.prompted(pattern);
    const type = (await input.getAttribute('type')) ?? '';
    await input.fill(text);
    await this.page.keyboard.press('Enter');
    return type;
  }

  /** Filters the list with this placeholder by `text`, and picks `label`. */
  async find(placeholder: string, text: string, label = text): Promise<void> {
    const input = this.page.locator(`${kWidget} input[placeholder="${placeholder}"]`).first();
    await input.waitFor();
    await input.fill(text);
    // A click while the list is being filled can hit a removed row.
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

  /** Answers the folder dialog of this title with `folder`. `inside`: the name of a folder in it. */
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

  /** Waits until an open list offers this label. */
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

  /** Picks an item of the quick pick, after waiting for the item. Callers that retry pass a short timeout. */
  async pick(label: string, timeoutMs = kPatienceMs): Promise<void> {
    const row = this.page.locator(kRow).filter({ hasText: label }).first();
    await row.click({ timeout: timeoutMs });
  }
}
