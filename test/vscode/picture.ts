/**
 * Takes all pictures of the packaged extension in a real workbench, for the README (media/readme) and the walkthrough
 * (media/walkthrough).
 *
 *     npm run package && npx tsx test/vscode/picture.ts [<name of a picture>...]
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, resolve } from 'node:path';
import { residentBinary } from '../support/binary';
import type { Repository } from '../support/repository';
import { Sandbox } from '../support/sandbox';
import { takeCrop } from './pictures/crop';
import { makeProject } from './pictures/project';
import { promisePicture } from './pictures/promise';
import { scenes } from './pictures/scenes';
import { useTheme } from './pictures/themes';
import { Session } from './support/session';

const media = resolve(__dirname, '../../media');
const wanted = process.argv.slice(2);
const isWanted = (name: string) => wanted.length === 0 || wanted.includes(name);

async function takeScenes({ workbench }: Session, repository: Repository): Promise<void> {
  for (const { name, folder, themes, arrange, show, crop } of scenes) {
    if (!isWanted(name)) continue;
    await useTheme(workbench, repository, 'light');
    await arrange(workbench, repository);
    for (const theme of themes) {
      await useTheme(workbench, repository, theme);
      await show?.(workbench);
      await takeCrop(workbench.page, resolve(media, folder, `${name}-${theme}.png`), crop);
      // Closes a submenu and its menu, which would cover the next scene.
      for (const key of ['Escape', 'Escape']) await workbench.page.keyboard.press(key);
    }
  }
}

async function main(): Promise<void> {
  for (const folder of ['readme', 'walkthrough']) mkdirSync(resolve(media, folder), { recursive: true });
  const sandbox = new Sandbox();
  const repository = makeProject(sandbox);
  const PATH = [dirname(residentBinary()), process.env.PATH].join(delimiter);
  const session = await Session.open(sandbox, { folder: repository.root }, { env: { ...sandbox.env, PATH } });
  const { page } = session.workbench;
  try {
    await page.setViewportSize({ width: 980, height: 640 });
    await takeScenes(session, repository);
    if (isWanted('promise'))
      writeFileSync(
        resolve(media, 'readme/promise.png'),
        await promisePicture(page, sandbox.path('frame.png')),
      );
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
