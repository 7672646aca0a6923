/** Answers dialogs with keys alone. */
import { poll } from './poll';
import type { Workbench } from './workbench';

/** Presses the button `label` of the dialog whose text matches. */
export async function answerByKeys(workbench: Workbench, pattern: RegExp, label: string): Promise<void> {
  const { keyboard } = workbench.page;
  const button = await workbench.dialogButton(pattern, label);
  await button.waitFor();
  await poll(
    async () => {
      const focused = await workbench.page.evaluate<string>(
        `document.activeElement?.closest('.monaco-dialog-box .monaco-button')?.textContent ?? ''`,
      );
      if (focused === label) return;
      await keyboard.press('Tab');
      throw new Error(`"${focused}" has the focus`);
    },
    { what: `"${label}" has the focus`, timeoutMs: 20_000 },
  );
  await keyboard.press('Enter');
  await button.waitFor({ state: 'hidden' });
}
