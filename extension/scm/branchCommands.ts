/**
 * The buttons of one repository: its branch, synchronize or publish, and cancel. The editor shows the buttons of the active
 * repository in the status bar. If the view shows several repositories, each has its buttons in its row too.
 */
import { Command, SourceControl, workspace } from 'vscode';
import { t } from '../l10n';
import { branchLine, changeMarks, syncLine } from '../model/branchText';
import { GroupId } from '../model/status';
import { statusLine, StatusSource } from '../model/statusText';

export interface BranchState extends StatusSource {
  /** The number of changes in a group of the view. */
  countIn(group: GroupId): number;
  isSynchronizing: boolean;
  /** True: git runs here, and the view's title has no button that cancels it. */
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

/** True: the editor would show both lists alike, and run the same commands. */
export function areSameCommands(a: readonly Command[], b: readonly Command[]): boolean {
  const key = ({ command, title, tooltip }: Command) => JSON.stringify([command, title, tooltip]);
  return a.length === b.length && a.every((each, i) => b[i] !== undefined && key(each) === key(b[i]));
}
