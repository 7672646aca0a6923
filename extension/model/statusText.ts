/** Texts about a repository's state: the status may be late or missing, and why. Only `text` has codicons (`$(name)`). */
import { ModelState, Sweep, Waiting } from '../protocol';
import { t } from '../l10n';
import { branchDetails, BranchSource } from './branchText';
import { reasonText, taskText } from './helperReasons';
import { grouped } from './numberText';
import { toDisplay } from './repoPath';

export type HelperCondition = 'running' | 'starting' | 'givenUp';

export interface StatusSource extends BranchSource {
  state: ModelState;
}

export interface StatusLine {
  /** '': no problem. */
  text: string;
  /** True: the state ends soon, without the user. */
  isBusy: boolean;
  severity: 'normal' | 'warning' | 'error';
  /** One sentence about the state. */
  summary: string;
  /** Why the status may be late or missing; undefined: no lasting problem. */
  trouble: string | undefined;
}

export function statusLine(source: StatusSource, helper: HelperCondition): StatusLine {
  const { text, summary, isBusy = false, severity = 'normal' } = stateLine(source, helper);
  const { waiting } = source.state;
  const trouble = text !== '' && !isBusy ? summary : waiting && waitingText(waiting);
  return { text, isBusy, severity, summary, trouble };
}

/** A line for each fact, for reports. Each delta makes a status line; only a report needs these. */
export function statusDetails(source: StatusSource, helper: HelperCondition): string[] {
  const { summary, command } = stateLine(source, helper);
  const details = [...branchDetails(source), summary];
  if (command !== undefined) details.push(command);
  if (helper === 'running' && source.state.waiting) details.push(waitingText(source.state.waiting));
  if (helper === 'running' && !source.stale) details.push(...verificationDetails(source.state));
  return details;
}

function verificationDetails(state: ModelState): string[] {
  const details = [];
  if ('sweep' in state) details.push(sweepText(state.sweep));
  if ('linkedBeyond' in state) {
    details.push(
      t('Files with several hard links, checked only in the background: {0}', grouped(state.linkedBeyond)),
    );
  }
  return details;
}

function waitingText({ name, files, since }: Waiting): string {
  const shown = toDisplay(taskText(name));
  const time = clockTime(since);
  if (files === 0) return t('Waiting for {0} since {1}', shown, time);
  return files === 1
    ? t('Waiting for {0} (1 file) since {1}', shown, time)
    : t('Waiting for {0} ({1} files) since {2}', shown, grouped(files), time);
}

function sweepText({ withinMinutes, verifiedAt, percent, paused }: Sweep): string {
  const pace = paused === undefined ? paceText(withinMinutes) : kPaused[paused];
  const progress = percent > 0 ? t(', {0}% of the next check', percent) : '';
  return t('Last full check: {0} ({1}{2})', clockTime(verifiedAt), pace, progress);
}

const kPaused = { battery: t('paused on battery'), load: t('paused under load') } as const;

function paceText(minutes: number): string {
  return minutes === 1 ? t('every minute') : t('every {0} minutes', minutes);
}

type StateLine = Pick<StatusLine, 'text' | 'summary'> &
  Partial<Pick<StatusLine, 'isBusy' | 'severity'>> & {
    /** A line with the shell command that solves the problem. */
    command?: string;
  };

function stateLine({ state, stale }: StatusSource, helper: HelperCondition): StateLine {
  if (helper === 'givenUp') return kStopped;
  if (helper === 'starting') {
    return busy(t('Starting Resident Git'), t('The background process is starting'));
  }
  switch (state.state) {
    case 'scanning':
      return busy(t('Scanning {0}', shortProgress(state)), t('Scanning {0}', progressText(state)));
    case 'verifying': {
      const reason = toDisplay(reasonText(state.reason));
      const text = t('Verifying {0}', shortProgress(state));
      return busy(text, t('Verifying {0}: {1}', progressText(state), reason));
    }
    case 'watching':
      return stale
        ? busy(t('Verifying'), t('Verifying the status'))
        : { text: '', summary: watchingText(state.directories) };
    case 'polling':
      return pollingLine(state);
    case 'delegated': {
      const summary = t('git answers for this repository: {0}', toDisplay(reasonText(state.reason)));
      return { text: `$(info) ${t('Answered by git')}`, summary };
    }
    case 'failed':
      return {
        text: `$(error) ${t('No Status')}`,
        summary: toDisplay(reasonText(state.message)),
        severity: 'error',
      };
  }
}

/** The line after the background process ended too often. */
export const kStopped = {
  text: `$(error) ${t('Resident Git Stopped')}`,
  summary: t('The background process has stopped. The status may be stale, and a sped-up git is slow again.'),
  isBusy: false,
  severity: 'error',
} as const;

function busy(text: string, summary: string): StateLine {
  return { text: `$(sync~spin) ${text}`.trimEnd(), summary, isBusy: true };
}

function watchingText(directories: number): string {
  return directories === 1 ? t('Watching 1 directory') : t('Watching {0} directories', grouped(directories));
}

function pollingLine({
  directories,
  polled,
  shortage,
}: Extract<ModelState, { state: 'polling' }>): StateLine {
  if (shortage === undefined) {
    const summary =
      polled === 1
        ? t('1 directory reports no events and is polled')
        : t('{0} directories report no events and are polled', grouped(polled));
    return { text: '', summary };
  }
  return {
    text: `$(warning) ${t('Watch Limit Reached')}`,
    summary: t(
      'Out of inotify watches. Directories: {0} watched, {1} polled',
      grouped(directories),
      grouped(polled),
    ),
    command: t('Set {0} to {1}: {2}', shortage.limit, shortage.needed, shortage.command),
    severity: 'warning',
  };
}

interface Counts {
  filesSeen: number;
  filesExpected: number;
}

/** '': nothing is counted yet. */
function shortProgress({ filesSeen, filesExpected }: Counts): string {
  if (filesSeen === 0) return '';
  if (filesExpected <= 0) return grouped(filesSeen);
  return `${grouped(filesSeen)}/${grouped(Math.max(filesSeen, filesExpected))}`;
}

function progressText({ filesSeen, filesExpected }: Counts): string {
  const expected = Math.max(filesSeen, filesExpected);
  if (filesExpected > 0) return t('{0} of {1} files', grouped(filesSeen), grouped(expected));
  return filesSeen === 1 ? t('1 file') : t('{0} files', grouped(filesSeen));
}

const clockTime = (time: number) => new Date(time).toLocaleTimeString('en-GB');
