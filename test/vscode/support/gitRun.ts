/** A running git in the Source Control view: a progress bar below the title, and a cancel button. */
import assert from 'node:assert/strict';
import { poll } from './poll';
import type { Workbench } from './workbench';

const kBar = '.part.sidebar .monaco-progress-container.active';
const kCancel = 'Cancel the Running Git Command';

export class GitRun {
  constructor(private readonly workbench: Workbench) {}

  async isShown(): Promise<void> {
    await this.workbench.page.locator(kBar).first().waitFor();
    await (await this.workbench.titleButton(kCancel)).waitFor();
  }

  async cancel(): Promise<void> {
    await this.workbench.titleAction(kCancel);
  }

  /** Waits until the bar and the button are gone. */
  async isOver(): Promise<void> {
    await poll(
      async () => {
        const button = await this.workbench.titleButton(kCancel);
        for (const part of [this.workbench.page.locator(kBar).first(), button])
          assert.equal(await part.isVisible(), false);
      },
      { what: 'no git is shown to run' },
    );
  }
}
