/** The colour themes of the pictures. */
import assert from 'node:assert/strict';
import type { Repository } from '../../support/repository';
import { poll } from '../support/poll';
import type { Workbench } from '../support/workbench';

/** For each theme: the workbench's name, and the CSS class of a window that uses it. */
const themes = {
  light: { setting: 'Light Modern', look: 'vs' },
  dark: { setting: 'Dark Modern', look: 'vs-dark' },
  hc: { setting: 'Default High Contrast', look: 'hc-black' },
} as const;

const hidden = { 'files.exclude': { '**/.vscode': true }, 'editor.minimap.enabled': false };

export type Theme = keyof typeof themes;
export const kThemes = Object.keys(themes) as Theme[];

/** Sets the theme in the project's settings, hidden in the pictures. The server's settings cannot set a theme. */
export async function useTheme(workbench: Workbench, repository: Repository, theme: Theme): Promise<void> {
  const { setting, look } = themes[theme];
  const settings = { ...hidden, 'workbench.colorTheme': setting };
  repository.write('.vscode/settings.json', JSON.stringify(settings));
  const window = workbench.page.locator('.monaco-workbench').first();
  await poll(async () => assert.ok(((await window.getAttribute('class')) ?? '').split(' ').includes(look)), {
    what: `the workbench looks ${theme}`,
  });
}
