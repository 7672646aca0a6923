/** A running git in the Source Control view: a progress bar below the title, and a cancel button. */
import assert from 'node:assert/strict';
import { poll } from './poll';
import type { Workbench } from './workbench';

const kBar = '.part.sidebar .monaco-progress-container.active';
const kCancel = 'Cancel the Running Git Command';
const kButton = `.part.sidebar .title-actions .action-label[aria-label="${kCancel}"]`;

export class GitRun {
  constructor(private readonly workbench: Workbench) {}

  async isShown(): Promise<void> {
    for (const part of [kBar, kButton]) await this.workbench.page.locator(part).first().waitFor();
  }

  async cancel(): Promise<void> {
    await this.workbench.titleAction(kCancel);
  }

  /** Waits until the bar and the button are gone. */
  async isOver(): Promise<void> {
    await poll(
      async () => {
        for (const part of [kBar, kButton])
          assert.equal(await this.workbench.page.locator(part).first().isVisible(), false, part);
      },
      { what: 'no git is shown to run' },
    );
  }
}
