import { Sandbox } from '/work/wt-t1/test/support/sandbox';
import { makeProject } from '/work/wt-t1/test/vscode/pictures/project';
import { Session } from '/work/wt-t1/test/vscode/support/session';
async function main() {
  const sandbox = new Sandbox();
  const repository = makeProject(sandbox);
  const session = await Session.open(sandbox, { folder: repository.root });
  try {
    await session.workbench.page.setViewportSize({ width: 1200, height: 1600 });
    await session.workbench.command('Extensions: Show Installed Extensions');
    const row = session.workbench.page.locator('.extensions-list .monaco-list-row, .extension-list-item').filter({ hasText: 'Resident Git' }).first();
    await row.click();
    await session.workbench.page.locator('iframe.webview.ready').first().waitFor();
    await new Promise((r) => setTimeout(r, 6000));
  } finally {
    await session.workbench.screenshot('t1-details');
    await Session.closeAll();
  }
}
main().catch((e) => { console.error(e); process.exitCode = 1; });
