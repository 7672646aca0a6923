/**
 * The buttons of one repository: its branch, and the way to its upstream. The editor shows those of the active repository
 * in the status bar, and those of each repository in its row, where the view shows several.
 */
import { Command, SourceControl, workspace } from 'vscode';
import { t } from '../l10n';
import { branchLine, changeMarks, syncLine } from '../model/branchText';
import { GroupId } from '../model/status';
import { statusLine, StatusSource } from '../model/statusText';

export interface BranchState extends StatusSource {
  /** How many rows a group of the view has. */
  countIn(group: GroupId): number;
  isSynchronizing: boolean;
  /** git runs here, and no menu of the view's title has the button that ends it. */
  canCancel: boolean;
}

const kCheckout = 'residentGit.checkout';
const kSyncs = { sync: 'residentGit.sync', publish: 'residentGit.publish' } as const;

export function branchCommands(state: BranchState, sourceControl: SourceControl): Command[] {
  const args = [sourceControl];
  const marks = changeMarks((group) => state.countIn(group) > 0);
  const branch = branchLine(state, marks, statusLine(state, 'running').trouble);
  const commands: Command[] = [
    { command: kCheckout, title: branch.text, tooltip: branch.tooltip, arguments: args },
  ];
  const sync = workspace.isTrusted ? syncLine(state.branch) : undefined;
  if (sync !== undefined) {
    const { text, tooltip, does } = sync;
    commands.push(
      state.isSynchronizing
        ? { command: '', title: spinning(text), tooltip: t('Synchronizing Changes...') }
        : { command: kSyncs[does], title: text, tooltip, arguments: args },
    );
  }
  if (state.canCancel) {
    const tooltip = t('Cancel the Running Git Command');
    commands.push({
      command: 'residentGit.cancelGit',
      title: `$(debug-stop) ${t('Cancel')}`,
      tooltip,
      arguments: args,
    });
  }
  return commands;
}

function spinning(text: string): string {
  return text.replace(/^\$\([\w-]+\)/, '$(sync~spin)');
}

/** Whether the editor would show both alike, and run the same. */
export function areSameCommands(a: readonly Command[], b: readonly Command[]): boolean {
  const key = ({ command, title, tooltip }: Command) => JSON.stringify([command, title, tooltip]);
  return a.length === b.length && a.every((each, i) => b[i] !== undefined && key(each) === key(b[i]));
}
