/** The terminal command that lets git open repositories of another user. It quotes their paths. */
import { strict as assert } from 'node:assert';
import type { CommandContext } from '../../../../extension/commands/context';
import { installVscodeStandIn, standInWindow } from '../../client/vscodeStandIn';

describe('the command for repositories of another user', () => {
  let copied: string[];
  let told: string[];

  beforeEach(() => {
    [copied, told] = [[], []];
    const clipboard = { writeText: (text: string) => Promise.resolve(void copied.push(text)) };
    installVscodeStandIn({ env: { appName: 'a test', language: 'en', clipboard } });
    standInWindow.showInformationMessage = (text: string) => Promise.resolve(void told.push(text));
  });
  afterEach(() => {
    delete standInWindow.showInformationMessage;
  });

  async function copy(problems: Record<string, string>): Promise<void> {
    const { trustCommands } = await import('../../../../extension/features/repositories/trustCommands.js');
    const context = {
      registry: { problems: new Map(Object.entries(problems)) },
    } as unknown as CommandContext;
    await trustCommands['residentGit.copySafeDirectoryCommand'](context);
  }
  const dubious = (directory: string) => `detected dubious ownership in repository at '${directory}'`;
  const kCommand = 'git config --global --add safe.directory';

  it('is copied and shown, for the directory that git names', async () => {
    await copy({ '/a/sub': dubious('/a'), '/b': 'git 2.20.5 is too old' });
    assert.deepEqual(copied, [`${kCommand} /a`]);
    assert.deepEqual(told, [`Copied. Run this in a terminal: ${kCommand} /a`]);
  });

  it('is one line for several, each as a shell takes it', async () => {
    await copy({ '/a': dubious('/a'), "/it's": dubious("/it's") });
    assert.deepEqual(copied, [`${kCommand} /a && ${kCommand} '/it'\\''s'`]);
  });

  it('is none where there is none, which is said', async () => {
    await copy({ '/b': 'git 2.20.5 is too old' });
    assert.deepEqual(copied, []);
    assert.match(told.join(), /git trusts every repository here/);
  });
});
