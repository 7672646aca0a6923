/** The texts for a repository's branch, changes, operation and upstream. Only `text` has codicons (`$(name)`). */
import { Branch, BranchDetails, Operation } from '../protocol';
import { t } from '../l10n';
import { grouped } from './numberText';
import { shortId } from './oid';
import { OperationStep, operationText } from './operations';
import { redact } from './redact';
import { toDisplay } from './repoPath';
import { GroupId } from './status';

export interface BranchSource {
  branch: Branch;
  operation: Operation | undefined;
  details?: BranchDetails | undefined;
  /** The current step of a rebase or am. */
  step?: OperationStep | undefined;
  stale: boolean;
}

/** The branch, or the commit at a detached HEAD. */
function headName({ name, oid }: Branch, step?: OperationStep): string {
  // During a rebase HEAD is detached; at the end git checks out the branch of the step again.
  return toDisplay(name ?? step?.branch ?? (oid && shortId(oid)) ?? t('no branch'));
}

/** The marks of the built-in Git at the branch: `*` for unstaged changes, `+` for staged changes, `!` for conflicts. */
export function changeMarks(has: (group: GroupId) => boolean): string {
  const unstaged = has('workingTree') || has('untracked') ? '*' : '';
  return unstaged + (has('index') ? '+' : '') + (has('merge') ? '!' : '');
}

export interface BranchLine {
  text: string;
  /** At most five lines. */
  tooltip: string;
}

/** `trouble`: why the status may be late or missing. */
export function branchLine(source: BranchSource, marks: string, trouble?: string): BranchLine {
  const { branch, step } = source;
  const icon = branch.name === undefined ? '$(git-commit)' : '$(git-branch)';
  const name = headName(branch, step) + marks;
  const lines = [
    t('{0}, Checkout Branch or Tag...', name),
    marksText(marks),
    upstreamText(source),
    operationDetail(source) ?? placeText(source),
    trouble,
  ];
  return {
    text: `${icon} ${name}`,
    tooltip: lines.filter((line) => line !== undefined && line !== '').join('\n'),
  };
}

function marksText(marks: string): string {
  const words = [];
  if (marks.includes('!')) words.push(t('Conflicts'));
  if (marks.includes('+')) words.push(t('Staged changes'));
  if (marks.includes('*')) words.push(t('Unstaged changes'));
  return words.join(', ');
}

function upstreamText({ branch }: BranchSource): string | undefined {
  if (branch.oid === undefined) return t('No commits yet');
  if (branch.name === undefined) return t('HEAD is detached at {0}', shortId(branch.oid));
  if (branch.upstream === undefined) return undefined;
  return t('Upstream {0}: {1}', toDisplay(branch.upstream), distanceText(branch));
}

/** The nearest tag and the stash. */
function placeText({ details, stale }: BranchSource): string | undefined {
  if (details === undefined || stale) return undefined;
  return tagDetails(details).map(toDisplay).join(' \u00b7 ');
}

/** The item that continues the operation in progress. */
export interface OperationLine {
  text: string;
  tooltip: string;
  /** The action of a click. An operation cannot continue while files have conflicts. */
  does: 'continue' | 'showConflicts';
}

export function operationLine(
  { operation, step }: BranchSource,
  conflicts: number,
): OperationLine | undefined {
  if (operation === undefined) return undefined;
  const doing = operationText(operation, step);
  const text = t('{0}: Continue', doing);
  if (conflicts === 0) return { text, tooltip: text, does: 'continue' };
  const left =
    conflicts === 1 ? t('1 file has conflicts') : t('{0} files have conflicts', grouped(conflicts));
  return { text, tooltip: `${text}. ${left}`, does: 'showConflicts' };
}

/** The item beside the branch: synchronizes it with its upstream, and shows the distance. Else: publishes it. */
export interface SyncLine {
  text: string;
  tooltip: string;
  /** The action of a click. */
  does: 'sync' | 'publish';
}

/** Undefined: HEAD is detached, or the branch has no commit. */
export function syncLine(branch: Branch): SyncLine | undefined {
  const { name, oid, upstream, counting, ahead = counting ? 0 : undefined, behind = 0 } = branch;
  if (name === undefined || oid === undefined) return undefined;
  // The upstream is not configured, or is gone.
  if (upstream === undefined || ahead === undefined) {
    return { text: '$(cloud-upload)', tooltip: t('Publish Branch'), does: 'publish' };
  }
  const distance = ahead + behind > 0 ? ` ${grouped(behind)}\u2193 ${grouped(ahead)}\u2191` : '';
  const commits = (count: number) =>
    count === 1 ? t('{0} commit', grouped(count)) : t('{0} commits', grouped(count));
  const where = toDisplay(upstream);
  let tooltip = t('Synchronize Changes');
  if (ahead > 0) tooltip = t('Push {0} to {1}', commits(ahead), where);
  if (behind > 0) tooltip = t('Pull {0} from {1}', commits(behind), where);
  if (ahead > 0 && behind > 0) {
    tooltip = t('Pull {0} and push {1} between {2}', grouped(behind), commits(ahead), where);
  }
  return { text: `$(sync)${distance}`, tooltip, does: 'sync' };
}

/** All known facts, one line each. */
export function branchDetails(source: BranchSource): string[] {
  const { branch, details: more, stale } = source;
  const details = [];
  if (branch.name === undefined) details.push(t('HEAD is detached at {0}', branch.oid ?? t('no commit')));
  else
    details.push(
      branch.oid === undefined ? t('On {0}, no commits yet', branch.name) : t('On {0}', branch.name),
    );
  if (branch.upstream !== undefined) {
    details.push(t('Upstream {0}: {1}', branch.upstream, distanceText(branch)));
  }
  if (more !== undefined && !stale) details.push(...remoteDetails(more), ...tagDetails(more));
  const doing = operationDetail(source);
  if (doing !== undefined) details.push(doing);
  return details.map(toDisplay);
}

function remoteDetails({ upstream, push }: BranchDetails): string[] {
  const details = [];
  if (upstream?.url !== undefined) details.push(t('Remote {0}: {1}', upstream.remote, redact(upstream.url)));
  if (push === undefined) return details;
  const where = push.remote === '.' ? push.branch : `${push.remote}/${push.branch}`;
  if (push.isUpstream !== true) details.push(t('Push destination {0}: {1}', where, distanceText(push)));
  if (push.url !== undefined && (push.remote !== upstream?.remote || push.url !== upstream.url)) {
    details.push(t('Push remote {0}: {1}', push.remote, redact(push.url)));
  }
  return details;
}

function tagDetails({ tag, describing, stashes = 0 }: BranchDetails): string[] {
  const details = [];
  if (describing) details.push(t('Searching for the nearest tag'));
  if (tag) {
    const { name, distance } = tag;
    let text = t('{0} commits after tag {1}', grouped(distance), name);
    if (distance === 0) text = t('At tag {0}', name);
    if (distance === 1) text = t('1 commit after tag {0}', name);
    details.push(text);
  }
  if (stashes > 0) details.push(t('Stashes: {0}', grouped(stashes)));
  return details;
}

function distanceText({
  counting,
  ahead,
  behind = 0,
}: Pick<Branch, 'counting' | 'ahead' | 'behind'>): string {
  if (counting) return t('counting commits');
  return ahead === undefined ? t('gone') : t('{0} ahead, {1} behind', ahead, behind);
}

function operationDetail({ operation, step }: BranchSource): string | undefined {
  if (operation === undefined) return undefined;
  const doing = operationText(operation, step);
  return step?.branch === undefined
    ? t('{0} is in progress', doing)
    : t('{0} of {1} is in progress', doing, toDisplay(step.branch));
}
