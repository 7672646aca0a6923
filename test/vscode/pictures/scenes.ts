/** What the pictures show: each scene begins where the one before has ended. */
import assert from 'node:assert/strict';
import type { Repository } from '../../support/repository';
import { poll } from '../support/poll';
import type { Workbench } from '../support/workbench';
import { beginMerge } from './project';

interface Scene {
  /** Of its files, and of the walkthrough's step. */
  name: string;
  arrange: (workbench: Workbench, repository: Repository) => Promise<void>;
}

export const scenes: readonly Scene[] = [
  {
    name: 'see',
    arrange: async (workbench, repository) => {
      // What an editor has drawn for another size of the window can stay.
      await workbench.command('View: Close All Editors');
      await showChange(workbench, repository);
    },
  },
  { name: 'commit', arrange: (workbench) => workbench.writeMessage('Longer backlog, and a guide') },
  {
    name: 'keep',
    arrange: async (workbench) => {
      await workbench.command('Resident Git: Choose How to Work with Built-in Git');
      await workbench.offers('Side by Side');
    },
  },
  {
    name: 'watched',
    arrange: async (workbench) => {
      await workbench.page.keyboard.press('Escape');
      await workbench.command('Resident Git: Show Actions');
      await workbench.offers('Rescan worktree');
    },
  },
  { name: 'conflicts', arrange: merge },
];

/** Explorer at the left, Source Control at the right, so that rows and badges are both in sight. */
export async function overview(workbench: Workbench, repository: Repository): Promise<void> {
  const { page } = workbench;
  await workbench.showSourceControl();
  await workbench.command('View: Move View');
  for (const choice of ['Changes', 'New Secondary Side Bar Entry']) {
    const row = page.locator('.quick-input-list .monaco-list-row').filter({ hasText: choice }).first();
    await row.click({ timeout: 10_000 });
  }
  await showChange(workbench, repository);
}

async function showChange(workbench: Workbench, repository: Repository): Promise<void> {
  const { page } = workbench;
  // The explorer unfolds down to the file that is open.
  await workbench.showExplorer();
  await workbench.resource('server.py').click();
  const change = page.locator('.monaco-diff-editor .char-insert, .monaco-diff-editor .line-insert');
  await change.first().waitFor({ state: 'attached' });
  await poll(
    async () => {
      const rows = await workbench.explorerRows();
      const badge = rows.find(({ path }) => path === `${repository.root}/src/server.py`)?.badge;
      assert.equal(badge, 'M');
    },
    { what: 'the explorer has badges' },
  );
}

async function merge(workbench: Workbench, repository: Repository): Promise<void> {
  const { page } = workbench;
  await page.keyboard.press('Escape');
  beginMerge(repository);
  await workbench.command('View: Close All Editors');
  await poll(async () => assert.equal((await workbench.resources())[0]?.group, 'Merge Changes'), {
    what: 'the conflict has a row',
  });
  await workbench.rowAction('src/server.py', 'Resolve in Merge Editor');
  await page.locator('.merge-editor .code-view.input .view-lines').first().waitFor();
  await workbench.statusBarShows('main (Merging)');
}
