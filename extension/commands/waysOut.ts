/** Next steps after a failure, shared by several commands. */
import { commands } from 'vscode';
import { WaysOut } from '../git/Git';
import { t } from '../l10n';
import { Repository } from '../model/Repository';

/** If a hook refused the commit of a merge: commits without hooks. All changes of the merge are staged by then. */
export function byNoVerify(repository: Repository): WaysOut {
  return pastHook(() => commands.executeCommand('residentGit.commitNoVerify', repository));
}

/** `run` commits without the hook. */
export function pastHook(run: () => unknown): WaysOut {
  return { hook: [{ label: t('Skip Hooks'), run }] };
}
