/** What the status bar says of a repository: pure text, with codicons as `$(name)`. */
import { Branch, BranchDetails, ModelState, Operation, Sweep, Waiting } from '../protocol';
import { t } from '../l10n';
import { reasonText, taskText } from './helperReasons';
import { OperationStep, operationText } from './operations';
import { redact } from './redact';
import { toDisplay } from './repoPath';

export type HelperCondition = 'running' | 'starting' | 'givenUp';

export interface StatusSource {
  branch: Branch;
  operation: Operation | undefined;
  details?: BranchDetails | undefined;
  /** Of a rebase or am. */
  step?: OperationStep | undefined;
  state: ModelState;
  stale: boolean;
}

export interface StatusLine {
  text: string;
  /** One line per fact. */
  details: string[];
  severity: 'normal' | 'warning' | 'error';
}

/** So much of a commit's id is shown. */
export const kIdLength = 8;

export function branchText(branch: Branch, operation: Operation | undefined, step?: OperationStep): string {
  // A branch that is being rebased is HEAD again in the end.
  const name = branch.name ?? step?.branch ?? branch.oid?.slice(0, kIdLength) ?? t('no branch');
  const icon = branch.name === undefined ? '$(git-commit)' : '$(git-branch)';
  const doing = operation === undefined ? '' : ` (${operationText(operation, step)})`;
  return `${icon} ${toDisplay(name)}${doing}`;
}

/** What stands beside the branch: how far it is from its upstream, and what a click does about it. */
export interface SyncLine {
  text: string;
  tooltip: string;
  does: 'sync' | 'publish';
}

/** Undefined where there is no branch to synchronize. */
export function syncLine(branch: Branch): SyncLine | undefined {
  const { name, oid, upstream, counting, ahead = counting ? 0 : undefined, behind = 0 } = branch;
  if (name === undefined || oid === undefined) return undefined;
  // Without an upstream, or with one that is gone.
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

export function statusLine(source: StatusSource, helper: HelperCondition): StatusLine {
  const head = branchText(source.branch, source.operation, source.step);
  const state = stateLine(source, helper);
  const text = state.mark === '' ? head : `${head} ${state.mark}`;
  const details = [...branchDetails(source), state.detail];
  if (helper === 'running' && source.state.waiting) details.push(waitingText(source.state.waiting));
  if (helper === 'running' && !source.stale) details.push(...verificationDetails(source.state));
  return { text, details, severity: state.severity };
}

function branchDetails({ branch, operation, step, details: more, stale }: StatusSource): string[] {
  const details = [];
  if (branch.name === undefined) details.push(t('HEAD is detached at {0}', branch.oid ?? t('nothing')));
  else
    details.push(
      branch.oid === undefined ? t('On {0}, no commits yet', branch.name) : t('On {0}', branch.name),
    );
  if (branch.upstream !== undefined) {
    details.push(t('Upstream {0}: {1}', branch.upstream, distanceText(branch)));
  }
  if (more !== undefined && !stale) details.push(...remoteDetails(more), ...tagDetails(more));
  if (operation !== undefined) details.push(operationDetail(operation, step));
  return details.map(toDisplay);
}

function remoteDetails({ upstream, push }: BranchDetails): string[] {
  const details = [];
  if (upstream?.url !== undefined) details.push(t('Remote {0}: {1}', upstream.remote, redact(upstream.url)));
  if (push === undefined) return details;
  const where = push.remote === '.' ? push.branch : `${push.remote}/${push.branch}`;
  if (push.isUpstream !== true) details.push(t('Pushed to {0}: {1}', where, distanceText(push)));
  if (push.url !== undefined && (push.remote !== upstream?.remote || push.url !== upstream.url)) {
    details.push(t('Remote for pushing {0}: {1}', push.remote, redact(push.url)));
  }
  return details;
}

function tagDetails({ tag, describing, stashes = 0 }: BranchDetails): string[] {
  const details = [];
  if (describing) details.push(t('The nearest tag is being looked for'));
  if (tag) {
    const { name, distance } = tag;
    let text = t('{0} commits after tag {1}', grouped(distance), name);
    if (distance === 0) text = t('At tag {0}', name);
    if (distance === 1) text = t('1 commit after tag {0}', name);
    details.push(text);
  }
  if (stashes > 0) details.push(t('Stashed changes: {0}', grouped(stashes)));
  return details;
}

function distanceText({
  counting,
  ahead,
  behind = 0,
}: Pick<Branch, 'counting' | 'ahead' | 'behind'>): string {
  if (counting) return t('commits are being counted');
  return ahead === undefined ? t('which is gone') : t('{0} ahead, {1} behind', ahead, behind);
}

function operationDetail(operation: Operation, step?: OperationStep): string {
  const doing = operationText(operation, step);
  return step?.branch === undefined
    ? t('{0} is in progress', doing)
    : t('{0} of {1} is in progress', doing, step.branch);
}

function verificationDetails(state: ModelState): string[] {
  const details = [];
  if ('sweep' in state) details.push(sweepText(state.sweep));
  if ('linkedBeyond' in state) {
    const count = grouped(state.linkedBeyond);
    details.push(
      t('Files with several hard links, too many to be looked at with every question: {0}', count),
    );
  }
  return details;
}

function waitingText({ name, files, since }: Waiting): string {
  const shown = toDisplay(taskText(name));
  const time = new Date(since).toLocaleTimeString('en-GB');
  if (files === 0) return t('Waiting for {0}, since {1}', shown, time);
  return files === 1
    ? t('Waiting for {0}, 1 file, since {1}', shown, time)
    : t('Waiting for {0}, {1} files, since {2}', shown, grouped(files), time);
}

function sweepText({ withinMinutes, verifiedAt, percent, paused }: Sweep): string {
  const time = new Date(verifiedAt).toLocaleTimeString('en-GB');
  const pace = paused === undefined ? paceText(withinMinutes) : kPaused[paused];
  const progress = percent > 0 ? t(', {0}% of the next round', percent) : '';
  return t('Everything was looked at again by {0} ({1}{2})', time, pace, progress);
}

const kPaused = { battery: t('paused: battery'), load: t('paused: load') } as const;

function paceText(minutes: number): string {
  return minutes === 1 ? t('every minute') : t('every {0} minutes', minutes);
}

interface StateLine {
  mark: string;
  detail: string;
  severity: StatusLine['severity'];
}

function stateLine({ state, stale }: StatusSource, helper: HelperCondition): StateLine {
  if (helper === 'givenUp') {
    return {
      mark: '$(error)',
      detail: t('The helper has stopped: what is shown may be stale'),
      severity: 'error',
    };
  }
  if (helper === 'starting') {
    return { mark: '$(sync~spin)', detail: t('The helper is starting'), severity: 'normal' };
  }
  switch (state.state) {
    case 'scanning':
      return { mark: counting(state), detail: t('Scanning {0}', progressText(state)), severity: 'normal' };
    case 'verifying':
      return {
        mark: counting(state),
        detail: t('Verifying {0}: {1}', progressText(state), toDisplay(reasonText(state.reason))),
        severity: 'normal',
      };
    case 'watching': {
      if (stale) return { mark: '$(sync~spin)', detail: t('Verifying what is shown'), severity: 'normal' };
      return {
        mark: '',
        detail: t('Watching {0} directories', grouped(state.directories)),
        severity: 'normal',
      };
    }
    case 'polling':
      if (state.needed === 0) {
        return {
          mark: '',
          detail: t(
            '{0} directories do not tell of every change and are looked at periodically',
            grouped(state.polled),
          ),
          severity: 'normal',
        };
      }
      return {
        mark: '$(warning)',
        detail: t(
          'Out of inotify watches: {0} directories are only looked at periodically, ' +
            '{1} are watched. fs.inotify.max_user_watches should be {2}: {3}',
          grouped(state.polled),
          grouped(state.directories),
          state.needed,
          state.command,
        ),
        severity: 'warning',
      };
    case 'delegated':
      return {
        mark: '$(info)',
        detail: t('git answers here: {0}', toDisplay(reasonText(state.reason))),
        severity: 'normal',
      };
    case 'failed':
      return { mark: '$(error)', detail: toDisplay(reasonText(state.message)), severity: 'error' };
  }
}

interface Counts {
  filesSeen: number;
  filesExpected: number;
}

function counting(counts: Counts): string {
  return counts.filesSeen === 0 ? '$(sync~spin)' : `$(sync~spin) ${shortProgress(counts)}`;
}

function shortProgress({ filesSeen, filesExpected }: Counts): string {
  if (filesExpected <= 0) return grouped(filesSeen);
  return `${grouped(filesSeen)}/${grouped(Math.max(filesSeen, filesExpected))}`;
}

export function progressText({ filesSeen, filesExpected }: Counts): string {
  if (filesExpected <= 0) return t('{0} files', grouped(filesSeen));
  return t('{0} of {1} files', grouped(filesSeen), grouped(Math.max(filesSeen, filesExpected)));
}

function grouped(count: number): string {
  return count.toLocaleString('en-US');
}
