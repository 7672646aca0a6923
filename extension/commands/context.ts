/** The objects that the commands of every feature work with. A feature adds its own. */
import { LogOutputChannel } from 'vscode';
import { CurrentStatus } from '../git/currentStatus';
import { Git } from '../git/Git';
import { HelperApi } from '../model/HelperApi';
import { RepositoryRegistry } from '../model/RepositoryRegistry';
import { Reports } from '../scm/Reports';
import { SourceControls } from '../scm/SourceControls';
import { StatusBar } from '../scm/StatusBar';
import { Synchronizing } from '../scm/Synchronizing';

export interface CommandContext {
  registry: RepositoryRegistry;
  helper: Pick<HelperApi, 'rescan' | 'explain'> & { readonly pid: number | undefined };
  sourceControls: SourceControls;
  statusBar: StatusBar;
  synchronizing: Synchronizing;
  log: LogOutputChannel;
  git: Git;
  currentStatus: CurrentStatus;
  reports: Reports;
}

/** A command in the table. Its arguments depend on the place where the user invoked it, so each command checks them. */
export type CommandHandler<Context = CommandContext> = (context: Context, ...args: unknown[]) => unknown;
export type CommandTable<Context = CommandContext> = Readonly<
  Record<`residentGit.${string}`, CommandHandler<Context>>
>;
