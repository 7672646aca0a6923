/** Scenes of the pictures. Each scene starts from the end of the previous scene. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Repository } from '../../support/repository';
import { poll } from '../support/poll';
import type { Workbench } from '../support/workbench';
import type { Crop } from './crop';
import { beginMerge } from './project';
import { kThemes, type Theme } from './themes';

export interface Scene {
  /** Name of the picture's files, and of the walkthrough's step. */
  name: string;
  folder: 'walkthrough' | 'readme';
  themes: readonly Theme[];
  arrange: (workbench: Workbench, repository: Repository) => Promise<void>;
  /** Runs before each picture: a change of theme closes lists and moves the mouse off rows. */
  show?: (workbench: Workbench) => Promise<void>;
  crop: Crop;
}

const kEditor = '.editor-group-container.active';
const kMenu = '.monaco-menu';
const kRows = '.scm-view .monaco-list-row';
const walkthrough = { folder: 'walkthrough', themes: kThemes } as const;
const readme = { folder: 'readme', themes: ['light'] } as const;

const texts = JSON.parse(readFileSync(resolve(__dirname, '../../../package.nls.json'), 'utf8')) as Record<
  string,
  string
>;
/** A command's title, found by its key in package.nls.json. Titles may change. */
function title(key: string): string {
  return texts[`command.${key}`] ?? assert.fail(`no command.${key} in package.nls.json`);
}
const run = (workbench: Workbench, key: string) => workbench.command(`Resident Git: ${title(key)}`);
const closeEditors = (workbench: Workbench) => workbench.command('View: Close All Editors');

export const scenes: readonly Scene[] = [
  {
    ...walkthrough,
    name: 'see',
    arrange: async (workbench) => {
      await workbench.showSourceControl();
      await workbench.resource('server.py').waitFor();
    },
    crop: { of: `.part.sidebar .composite.title, ${kRows}` },
  },
  {
    ...walkthrough,
    name: 'commit',
    arrange: (workbench) => workbench.writeMessage('Longer backlog, and a guide'),
    show: (workbench) => workbench.resource('settings.py').hover(),
    crop: { of: `.part.sidebar .composite.title, ${kRows}`, maxHeight: 222 },
  },
  {
    ...readme,
    name: 'stage-lines',
    arrange: async (workbench, repository) => {
      await workbench.openFile(`${repository.root}/src/server.py`);
      await workbench.page.locator(`${kEditor} .dirty-diff-glyph`).first().waitFor();
      await workbench.page.keyboard.press('Alt+F3');
      await workbench.page.locator('.peekview-widget').first().waitFor();
    },
    crop: { of: kEditor, maxHeight: 420 },
  },
  {
    ...readme,
    name: 'explain',
    arrange: async (workbench, repository) => {
      await closeEditors(workbench);
      await workbench.openFile(`${repository.root}/build.log`);
      await run(workbench, 'explain');
      await workbench.page
        .locator('.tab.active')
        .filter({ hasText: /^(?!build\.log)/ })
        .first()
        .waitFor();
    },
    crop: { of: kEditor, maxHeight: 240 },
  },
  {
    ...walkthrough,
    name: 'watched',
    arrange: async (workbench) => {
      await closeEditors(workbench);
      await workbench.showSourceControl();
    },
    show: async (workbench) => {
      const { page } = workbench;
      const entry = (label: string) => page.locator(`${kMenu} .action-label[aria-label="${label}"]`).first();
      await poll(
        async () => {
          for (const key of ['Escape', 'Escape']) await page.keyboard.press(key);
          await workbench.titleAction('More Actions...');
          await entry('Diagnostics').hover({ timeout: 5_000 });
          await entry(title('showWatched')).waitFor({ timeout: 5_000 });
        },
        { what: 'the menu is open' },
      );
    },
    crop: { of: kMenu },
  },
  {
    ...walkthrough,
    name: 'keep',
    arrange: closeEditors,
    show: async (workbench) => {
      await workbench.page.keyboard.press('Escape');
      await run(workbench, 'setUpCoexistence');
      await workbench.page.locator('.quick-input-list .monaco-list-row').nth(2).waitFor();
    },
    crop: { of: '.quick-input-widget' },
  },
  {
    ...readme,
    name: 'terminal',
    arrange: async (workbench) => {
      await workbench.page.keyboard.press('Escape');
      await workbench.command('Terminal: Create New Terminal in Editor Area');
      await workbench.page.locator(`${kEditor} .xterm-screen`).first().waitFor();
      await workbench.page.keyboard.type('exec git-resident watch\n');
    },
    crop: { of: kEditor, maxHeight: 380 },
  },
  {
    ...walkthrough,
    name: 'conflicts',
    arrange: merge,
    crop: { of: '.merge-editor', maxHeight: 420 },
  },
];

async function merge(workbench: Workbench, repository: Repository): Promise<void> {
  await closeEditors(workbench);
  beginMerge(repository);
  await poll(async () => assert.equal((await workbench.resources())[0]?.group, 'Merge Changes'), {
    what: 'the conflict has a row',
  });
  await workbench.rowAction('src/server.py', 'Resolve in Merge Editor');
  await workbench.page.locator('.merge-editor .code-view.input .view-lines').first().waitFor();
}
