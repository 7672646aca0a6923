/** What the status bar says of a repository: pure text, with codicons as `$(name)`. */
import { Branch, ModelState, Operation, Sweep, Waiting } from '../protocol';
import { OperationStep, operationText } from './operations';
import { toDisplay } from './repoPath';

export type HelperCondition = 'running' | 'starting' | 'givenUp';

export interface StatusSource {
  branch: Branch;
  operation: Operation | undefined;
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
  const name = branch.name ?? step?.branch ?? branch.oid?.slice(0, kIdLength) ?? 'no branch';
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
export function syncLine({ name, oid, upstream, ahead, behind = 0 }: Branch): SyncLine | undefined {
  if (name === undefined || oid === undefined) return undefined;
  // Without an upstream, or with one that is gone.
  if (upstream === undefined || ahead === undefined) {
    return { text: '$(cloud-upload)', tooltip: 'Publish Branch', does: 'publish' };
  }
  const distance = ahead + behind > 0 ? ` ${grouped(behind)}\u2193 ${grouped(ahead)}\u2191` : '';
  const commits = (count: number) => `${grouped(count)} ${count === 1 ? 'commit' : 'commits'}`;
  const where = toDisplay(upstream);
  let tooltip = 'Synchronize Changes';
  if (ahead > 0) tooltip = `Push ${commits(ahead)} to ${where}`;
  if (behind > 0) tooltip = `Pull ${commits(behind)} from ${where}`;
  if (ahead > 0 && behind > 0) {
    tooltip = `Pull ${grouped(behind)} and push ${commits(ahead)} between ${where}`;
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

function branchDetails({ branch, operation, step }: StatusSource): string[] {
  const details = [];
  if (branch.name === undefined) details.push(`HEAD is detached at ${branch.oid ?? 'nothing'}`);
  else details.push(branch.oid === undefined ? `On ${branch.name}, no commits yet` : `On ${branch.name}`);
  if (branch.upstream !== undefined) {
    const { ahead, behind } = branch;
    const distance = ahead === undefined ? 'which is gone' : `${ahead} ahead, ${behind ?? 0} behind`;
    details.push(`Upstream ${branch.upstream}: ${distance}`);
  }
  if (operation !== undefined) details.push(operationDetail(operation, step));
  return details.map(toDisplay);
}

function operationDetail(operation: Operation, step?: OperationStep): string {
  const of = step?.branch === undefined ? '' : ` of ${step.branch}`;
  return `${operationText(operation, step)}${of} is in progress`;
}

function verificationDetails(state: ModelState): string[] {
  const details = [];
  if ('sweep' in state) details.push(sweepText(state.sweep));
  if ('linkedBeyond' in state) {
    const count = grouped(state.linkedBeyond);
    details.push(`Files with several hard links, too many to be looked at with every question: ${count}`);
  }
  return details;
}

function waitingText({ name, files, since }: Waiting): string {
  const about = files > 0 ? `, ${grouped(files)} ${files === 1 ? 'file' : 'files'}` : '';
  return `Waiting for ${toDisplay(name)}${about}, since ${new Date(since).toLocaleTimeString('en-GB')}`;
}

function sweepText({ withinMinutes, verifiedAt, percent, paused }: Sweep): string {
  const time = new Date(verifiedAt).toLocaleTimeString('en-GB');
  const pace = paused === undefined ? `every ${minutesText(withinMinutes)}` : `paused: ${paused}`;
  const progress = percent > 0 ? `, ${percent}% of the next round` : '';
  return `Everything was looked at again by ${time} (${pace}${progress})`;
}

function minutesText(minutes: number): string {
  return minutes === 1 ? 'minute' : `${minutes} minutes`;
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
      detail: 'The helper has stopped: what is shown may be stale',
      severity: 'error',
    };
  }
  if (helper === 'starting') {
    return { mark: '$(sync~spin)', detail: 'The helper is starting', severity: 'normal' };
  }
  switch (state.state) {
    case 'scanning':
      return { mark: counting(state), detail: `Scanning ${progressText(state)}`, severity: 'normal' };
    case 'verifying':
      return {
        mark: counting(state),
        detail: `Verifying ${progressText(state)}: ${toDisplay(state.reason)}`,
        severity: 'normal',
      };
    case 'watching': {
      if (stale) return { mark: '$(sync~spin)', detail: 'Verifying what is shown', severity: 'normal' };
      return { mark: '', detail: `Watching ${grouped(state.directories)} directories`, severity: 'normal' };
    }
    case 'polling':
      if (state.needed === 0) {
        return {
          mark: '',
          detail: `${grouped(state.polled)} directories do not tell of every change and are looked at periodically`,
          severity: 'normal',
        };
      }
      return {
        mark: '$(warning)',
        detail:
          `Out of inotify watches: ${grouped(state.polled)} of ${grouped(state.directories)} directories are only ` +
          `looked at periodically. fs.inotify.max_user_watches should be ${state.needed}: ${state.command}`,
        severity: 'warning',
      };
    case 'delegated':
      return { mark: '$(info)', detail: `git answers here: ${toDisplay(state.reason)}`, severity: 'normal' };
    case 'failed':
      return { mark: '$(error)', detail: toDisplay(state.message), severity: 'error' };
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
  if (filesExpected <= 0) return `${grouped(filesSeen)} files`;
  return `${grouped(filesSeen)} of ${grouped(Math.max(filesSeen, filesExpected))} files`;
}

function grouped(count: number): string {
  return count.toLocaleString('en-US');
}
