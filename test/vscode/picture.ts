/**
 * Takes the README's picture (media/screenshot.png) and those of the walkthrough (media/walkthrough), of the packaged
 * extension in a real workbench.
 *
 *     npm run package && npx tsx test/vscode/picture.ts
 */
import { copyFileSync, mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { Sandbox } from '../support/sandbox';
import { makeProject } from './pictures/project';
import { overview, scenes } from './pictures/scenes';
import { kThemes, useTheme } from './pictures/themes';
import { Session } from './support/session';

const projectRoot = resolve(__dirname, '../..');

async function take(session: Session, file: string): Promise<void> {
  await session.workbench.screenshot('picture');
  copyFileSync(resolve(projectRoot, 'test/artefacts/picture.png'), resolve(projectRoot, 'media', file));
}

async function main(): Promise<void> {
  mkdirSync(resolve(projectRoot, 'media/walkthrough'), { recursive: true });
  const sandbox = new Sandbox();
  const repository = makeProject(sandbox);
  const session = await Session.open(sandbox, { folder: repository.root });
  const { page } = session.workbench;
  try {
    await useTheme(session.workbench, repository, 'light');
    await page.setViewportSize({ width: 1280, height: 800 });
    await overview(session.workbench, repository);
    await take(session, 'screenshot.png');
    await page.setViewportSize({ width: 1000, height: 640 });
    for (const { name, arrange } of scenes) {
      await arrange(session.workbench, repository);
      for (const theme of kThemes) {
        await useTheme(session.workbench, repository, theme);
        await take(session, `walkthrough/${name}-${theme}.png`);
      }
    }
  } catch (error) {
    await session.workbench.screenshot('failed picture');
    throw error;
  } finally {
    await Session.closeAll();
  }
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
