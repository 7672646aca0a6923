/** The settings, read where they are needed, so that a change needs no restart. */
import { ConfigurationChangeEvent, workspace } from 'vscode';

const kSection = 'residentGit';

export const config = {
  /** How many levels of folders below a workspace folder repositories are looked for. */
  get repositoryScanMaxDepth(): number {
    const depth = workspace.getConfiguration(kSection).get<number>('repositoryScanMaxDepth', 1);
    return Number.isInteger(depth) && depth >= 0 ? depth : 1;
  },
  /** How long what the system never tells may go unseen; 0: for as long as it may. */
  get sweepMinutes(): number {
    const minutes = workspace.getConfiguration(kSection).get<number>('sweepMinutes', 10);
    return Number.isFinite(minutes) && minutes >= 0 ? minutes : 10;
  },
  get decorationsEnabled(): boolean {
    return workspace.getConfiguration(kSection).get<boolean>('decorations.enabled', true);
  },
};

export function affectsSetting(event: ConfigurationChangeEvent, name: string): boolean {
  return event.affectsConfiguration(`${kSection}.${name}`);
}
