/** The objects that commands work with. */
import { LogOutputChannel } from 'vscode';
import { Accelerator } from '../git/Accelerator';
import { CurrentStatus } from '../git/currentStatus';
import { Git } from '../git/Git';
import { Coexistence } from '../model/Coexistence';
import { HelperApi } from '../model/HelperApi';
import { RepositoryRegistry } from '../model/RepositoryRegistry';
import { WorktreeHistories } from '../model/WorktreeHistory';
import { OpenAnswers } from '../scm/OpenAnswers';
import { Reports } from '../scm/Reports';
import { SourceControls } from '../scm/SourceControls';
import { StatusBar } from '../scm/StatusBar';

export interface CommandContext {
  accelerator: Accelerator;
  registry: RepositoryRegistry;
  helper: Pick<HelperApi, 'rescan' | 'explain'> & { readonly pid: number | undefined };
  restartHelper: () => Promise<void>;
  sourceControls: SourceControls;
  statusBar: StatusBar;
  log: LogOutputChannel;
  coexistence: Coexistence;
  git: Git;
  currentStatus: CurrentStatus;
  histories: WorktreeHistories;
  reports: Reports;
  openAnswers: OpenAnswers;
}

/** A command in the table. Its arguments depend on the place where the user invoked it, so each command checks them. */
export type CommandHandler = (context: CommandContext, ...args: unknown[]) => unknown;
export type CommandTable = Readonly<Record<`residentGit.${string}`, CommandHandler>>;
