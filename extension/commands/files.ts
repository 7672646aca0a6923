/** What is done with a row's file: open it as HEAD has it, ignore it, copy its path or its change, show it elsewhere. */
import { appendFile } from 'node:fs/promises';
import { commands, env, window, workspace } from 'vscode';
import { Run } from '../git/changeOperations';
import { FailureKind } from '../git/failures';
import { patchOf, PatchRow } from '../git/patch';
import { readWorktreeFile } from '../git/worktreeFile';
import { ignoreAddition } from '../model/ignoreLines';
import { basename, join, toBytes, toDisplay } from '../model/repoPath';
import { Repository } from '../model/Repository';
import { messageOf } from '../model/RepositoryRegistry';
import { isMove, statusIn } from '../model/status';
import { RepoPath } from '../protocol';
import { contentUri, pathOf, worktreeUri } from '../scm/uris';
import { CommandContext, CommandTable } from './context';
import { Chosen, chosen } from './resource';

export const fileCommands = {
  'residentGit.openHEADFile': async ({ registry }, ...args) => {
    for (const { repository, entry, group } of chosen(registry, args)) {
      const status = statusIn(entry, group);
      const from =
        entry.kind === 'changed' && status !== undefined && isMove(status) ? entry.from : undefined;
      const path = from ?? entry.path;
      const name = toDisplay(basename(path));
      if (status === 'untracked' || status === 'indexAdded') {
        void window.showWarningMessage(`HEAD version of "${name}" is not available.`);
        continue;
      }
      const uri = contentUri(registry.paths, repository, path, 'HEAD');
      await commands.executeCommand('vscode.open', uri, {}, `${name} (HEAD)`);
    }
  },
  'residentGit.ignore': async (context, ...args) => {
    for (const [repository, rows] of byRepository(chosen(context.registry, args))) {
      const untracked = rows.filter(({ entry }) => entry.kind === 'untracked').map(({ entry }) => entry.path);
      if (untracked.length > 0) await ignore(context, repository, untracked);
    }
  },
  'residentGit.copyPath': async ({ registry }, ...args) => {
    const paths = chosen(registry, args).map(({ repository, entry }) =>
      pathOf(worktreeUri(registry.paths, repository, entry.path)),
    );
    if (paths.length > 0) await env.clipboard.writeText(paths.map(toDisplay).join('\n'));
  },
  'residentGit.copyRelativePath': async ({ registry }, ...args) => {
    const paths = chosen(registry, args).map(({ entry }) => toDisplay(entry.path));
    if (paths.length > 0) await env.clipboard.writeText(paths.join('\n'));
  },
  'residentGit.copyPatch': async (context, ...args) => {
    await copyPatch(context, chosen(context.registry, args));
  },
  'residentGit.revealInExplorer': async ({ registry }, ...args) => {
    const [first] = chosen(registry, args);
    if (first === undefined) return;
    const uri = worktreeUri(registry.paths, first.repository, first.entry.path);
    await commands.executeCommand('revealInExplorer', uri);
  },
} satisfies CommandTable;

function byRepository(rows: readonly Chosen[]): Map<Repository, Chosen[]> {
  const all = new Map<Repository, Chosen[]>();
  for (const row of rows) all.set(row.repository, [...(all.get(row.repository) ?? []), row]);
  return all;
}

/** In the `.gitignore` of the worktree's root, and shows it. */
async function ignore(
  { registry, log }: CommandContext,
  repository: Repository,
  paths: readonly RepoPath[],
): Promise<void> {
  const kName = '.gitignore';
  if (!workspace.isTrusted) {
    void window.showWarningMessage('Resident Git changes nothing in a workspace that is not trusted.');
    return;
  }
  const uri = worktreeUri(registry.paths, repository, kName);
  const open = workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  if (open?.isDirty === true && !(await open.save())) return;
  try {
    const before = (await readWorktreeFile(repository.root, kName)) ?? Buffer.alloc(0);
    await appendFile(toBytes(join(repository.root, kName)), ignoreAddition(before, paths));
  } catch (error) {
    log.error(`${toDisplay(repository.root)}: ${kName} cannot be written: ${messageOf(error)}`);
    void window.showErrorMessage(`Resident Git: ${kName} cannot be written: ${toDisplay(messageOf(error))}`);
    return;
  }
  await commands.executeCommand('vscode.open', uri, { preview: true, preserveFocus: true });
}

/** That a file differs from none at all, which git tells by its exit code. */
const kDiffers: readonly FailureKind[] = ['other'];

async function copyPatch({ git }: CommandContext, rows: readonly Chosen[]): Promise<void> {
  const parts: Buffer[] = [];
  const left: RepoPath[] = [];
  for (const [repository, own] of byRepository(rows)) {
    const patch = await git.exclusively(repository, 'Making a patch', (signal) => {
      const run: Run = (command) => {
        const expected = command.args.includes('--no-index') ? kDiffers : [];
        return git.runNow(repository, command, { expected }, signal);
      };
      return patchOf(run, own.flatMap(patchRow));
    });
    if (patch === undefined) return;
    parts.push(patch.text);
    left.push(...patch.left);
  }
  const text = Buffer.concat(parts).toString('utf8');
  if (text !== '') await env.clipboard.writeText(text);
  if (left.length > 0 || text === '') {
    const names = left.map(toDisplay).join(', ');
    const why = left.length > 0 ? `names that are no text: ${names}` : 'no changes';
    void window.showWarningMessage(`Resident Git: the patch lacks ${why}.`);
  }
}

function patchRow({ entry, group }: Chosen): PatchRow[] {
  // A patch has no conflicts, and no repository within another.
  if (group === 'merge' || entry.path.endsWith('/')) return [];
  const status = statusIn(entry, group);
  const from = entry.kind === 'changed' && status !== undefined && isMove(status) ? entry.from : undefined;
  return [{ path: entry.path, side: group, ...(from !== undefined && { from }) }];
}
