/** Expected fields of a prompt in a worktree, from git's own commands. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fromBuffer, type Bytes } from '../../support/bytes';
import { withoutCaches } from '../../support/oracle';
import type { PromptFields } from '../../support/promptProcess';
import type { Repository } from '../../support/repository';

export interface PromptModes {
  /** Option --recurse-untracked-dirs. */
  recursesUntracked?: boolean;
  /** Options -U, -W and -D: ignore the settings that hide counts. */
  ignoresSettings?: boolean;
  /** True: the third field of the request is 1. */
  withoutIndex?: boolean;
}

/** Output without the final newline; undefined if git fails. */
function said(repo: Repository, ...args: Bytes[]): Bytes | undefined {
  const result = repo.ask('--no-optional-locks', ...args);
  return result.code === 0 ? fromBuffer(result.stdout).replace(/\n$/, '') : undefined;
}

function isOff(repo: Repository, name: string): boolean {
  return said(repo, 'config', '--type=bool', '--get', name) === 'false';
}

const printable = (text: string): string => text.replace(/[\x00-\x1f\x7f]/g, '?');

interface Counts {
  staged: number;
  unstaged: number;
  conflicted: number;
  untracked: number;
  unstagedDeleted: number;
  stagedNew: number;
  stagedDeleted: number;
}

function countRows(repo: Repository, modes: PromptModes): Counts | undefined {
  const counts = { staged: 0, unstaged: 0, conflicted: 0, untracked: 0 };
  const further = { unstagedDeleted: 0, stagedNew: 0, stagedDeleted: 0 };
  const shown = (name: string): boolean => modes.ignoresSettings === true || !isOff(repo, name);
  const untracked = shown('status.showUntrackedFiles') && shown('bash.showUntrackedFiles');
  const mode = !untracked ? 'no' : modes.recursesUntracked ? 'all' : 'normal';
  const status = said(
    repo,
    ...[...withoutCaches, 'status', '--porcelain=v2', '-z', '--no-renames'],
    `--untracked-files=${mode}`,
  );
  if (status === undefined) return undefined;
  const dirty = shown('bash.showDirtyState');
  for (const row of status.split('\0').slice(0, -1)) {
    if (row.startsWith('?')) counts.untracked++;
    if (!dirty) continue;
    if (row.startsWith('u')) counts.conflicted++;
    if (!row.startsWith('1')) continue;
    const [index, worktree] = [row[2], row[3]];
    if (index !== '.') counts.staged++;
    if (index === 'A') further.stagedNew++;
    if (index === 'D') further.stagedDeleted++;
    if (worktree !== '.') counts.unstaged++;
    if (worktree === 'D') further.unstagedDeleted++;
  }
  return { ...counts, ...further };
}

function remoteUrl(repo: Repository, remote: string): string {
  if (said(repo, 'config', '--get', `remote.${remote}.url`) === undefined) return '';
  return said(repo, 'remote', 'get-url', remote) ?? '';
}

function distance(repo: Repository, ref: string): [string, string] {
  const counts = said(repo, 'rev-list', '--count', '--left-right', `HEAD...${ref}`)?.split('\t');
  return [counts?.[0] ?? '0', counts?.[1] ?? '0'];
}

function upstreamOf(repo: Repository, branch: string): Partial<PromptFields> {
  const ref = said(repo, 'rev-parse', '--symbolic-full-name', '@{upstream}');
  const remote = said(repo, 'config', '--get', `branch.${branch}.remote`);
  if (!ref || remote === undefined) return {};
  const prefix = [`refs/remotes/${remote}/`, 'refs/remotes/', 'refs/heads/'].find((each) =>
    ref.startsWith(each),
  );
  const [ahead, behind] = distance(repo, ref);
  return {
    upstream: prefix === undefined ? '' : ref.slice(prefix.length),
    remote,
    remoteUrl: remoteUrl(repo, remote),
    ahead,
    behind,
  };
}

function pushOf(repo: Repository, branch: string): Partial<PromptFields> {
  const remote =
    said(repo, 'config', '--get', `branch.${branch}.pushRemote`) ??
    said(repo, 'config', '--get', 'remote.pushDefault');
  if (remote === undefined) return {};
  const ref = said(repo, '-c', 'push.default=current', 'rev-parse', '--symbolic-full-name', '@{push}');
  if (!ref) return {};
  const [pushAhead, pushBehind] = distance(repo, ref);
  return { pushRemote: remote, pushUrl: remoteUrl(repo, remote), pushAhead, pushBehind };
}

/** The last tag by name that points to HEAD's commit. */
function tagOf(repo: Repository, commit: string): string {
  const refs = said(repo, 'for-each-ref', '--format=%(refname)', 'refs/tags')?.split('\n') ?? [];
  const found = refs.filter(
    (ref) => ref !== '' && said(repo, 'rev-parse', '-q', '--verify', `${ref}^{commit}`) === commit,
  );
  return found.at(-1)?.slice('refs/tags/'.length) ?? '';
}

/** The action by git's state files, with the names of zsh's vcs_info. */
function actionOf(repo: Repository): string {
  const at = (name: string): string => join(repo.root, said(repo, 'rev-parse', '--git-path', name) ?? '');
  const absolute = (name: string): string => {
    const path = said(repo, 'rev-parse', '--git-path', name) ?? '';
    return path.startsWith('/') ? path : at(name);
  };
  const has = (name: string): boolean => existsSync(absolute(name));
  const isRef = (name: string): boolean => said(repo, 'rev-parse', '-q', '--verify', name) !== undefined;
  const word = (name: string): string =>
    has(name) ? (/^\S*/.exec(readFileSync(absolute(name), 'latin1'))?.[0] ?? '') : '';
  const step = (now: string, end: string): string =>
    word(now) !== '' && word(end) !== '' ? ` ${word(now)}/${word(end)}` : '';
  if (has('rebase-merge')) {
    const name = has('rebase-merge/interactive') ? 'rebase-i' : 'rebase-m';
    return name + step('rebase-merge/msgnum', 'rebase-merge/end');
  }
  if (has('rebase-apply')) {
    const name = has('rebase-apply/rebasing') ? 'rebase' : has('rebase-apply/applying') ? 'am' : 'am/rebase';
    return name + step('rebase-apply/next', 'rebase-apply/last');
  }
  if (has('MERGE_HEAD')) return 'merge';
  const sequence = has('sequencer/todo') ? '-seq' : '';
  if (isRef('REVERT_HEAD')) return `revert${sequence}`;
  if (isRef('CHERRY_PICK_HEAD')) return `cherry${sequence}`;
  return has('BISECT_LOG') ? 'bisect' : '';
}

function messageOf(repo: Repository): Partial<PromptFields> {
  const commit = said(repo, 'cat-file', 'commit', 'HEAD');
  if (commit === undefined) return {};
  const header = commit.slice(0, commit.indexOf('\n\n') + 1);
  const encoding = /^encoding (.*)$/m.exec(header)?.[1] ?? '';
  const summary = said(
    repo,
    ...['log', '-1', '--no-show-signature', '--format=%s', `--encoding=${encoding || 'UTF-8'}`],
  );
  return { encoding, summary: summary ?? '' };
}

/** Undefined if git itself fails. */
export function expectedPrompt(repo: Repository, modes: PromptModes = {}): PromptFields | undefined {
  const counts = countRows(repo, modes);
  if (counts === undefined) return undefined;
  // Otherwise git ignores the bit if the file exists.
  const asWritten = ['-c', 'sparse.expectFilesOutsideOfPatterns=true'];
  const entries =
    said(repo, ...asWritten, 'ls-files', '-v', '-z')
      ?.split('\0')
      .slice(0, -1) ?? [];
  const commit = said(repo, 'rev-parse', '-q', '--verify', 'HEAD^{commit}') ?? '';
  const head = said(repo, 'symbolic-ref', '-q', 'HEAD') ?? '';
  const branch = head.startsWith('refs/heads/') ? head.slice('refs/heads/'.length) : '';
  const nothing = { upstream: '', remote: '', remoteUrl: '', ahead: '0', behind: '0' };
  const nowhere = { pushRemote: '', pushUrl: '', pushAhead: '0', pushBehind: '0' };
  const fields: PromptFields = {
    isRepository: '1',
    worktree: said(repo, 'rev-parse', '--show-toplevel') ?? '',
    commit,
    branch,
    ...nothing,
    action: actionOf(repo),
    indexSize: String(entries.length),
    stashes: String(said(repo, 'stash', 'list', '--format=%gd')?.split('\n').filter(Boolean).length ?? 0),
    tag: commit === '' ? '' : tagOf(repo, commit),
    ...nowhere,
    skipWorktree: String(entries.filter((entry) => /^[Ss]/.test(entry)).length),
    assumeUnchanged: String(entries.filter((entry) => /^[a-z]/.test(entry)).length),
    encoding: '',
    summary: '',
    ...messageOf(repo),
    ...(Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, String(count)])) as Record<
      keyof Counts,
      string
    >),
  };
  if (branch !== '') Object.assign(fields, upstreamOf(repo, branch), pushOf(repo, branch));
  if (modes.withoutIndex) {
    const zeros: Partial<PromptFields> = { indexSize: '0', skipWorktree: '0', assumeUnchanged: '0' };
    for (const name of Object.keys(counts)) zeros[name as keyof Counts] = '0';
    Object.assign(fields, zeros);
  }
  for (const [name, value] of Object.entries(fields)) {
    fields[name as keyof PromptFields] = printable(value);
  }
  return fields;
}
