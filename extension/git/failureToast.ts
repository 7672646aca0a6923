/**
 * The toast that reports a failed git: the action, the time, the reason, and at most two buttons.
 *
 * An extension cannot close a toast. An error with buttons stays until the user closes it. VS Code hides a warning
 * after some seconds. Therefore a failure that a next step can fix is shown as a warning.
 */
import { commands, window } from 'vscode';
import { t } from '../l10n';
import { FailureKind } from './failures';

/** A next step after a failure: a button of its toast. */
export interface WayOut {
  /** At most 16 characters in English. */
  label: string;
  run: () => unknown;
}
export type WaysOut = Readonly<Partial<Record<FailureKind, readonly WayOut[]>>>;

/** More buttons would hide the message. */
const kMaxButtons = 2;

/** Failures shown as errors: their toast stays until the user closes it. */
const kErrors: ReadonlySet<FailureKind> = new Set([
  'other',
  'unsafe',
  'signing',
  'refused',
  'hook',
  'pushHook',
  'authentication',
]);

/** The time of day in the system's format. Example: "10:32". */
export const clock = (at: Date): string =>
  at.toLocaleTimeString(undefined, { hour: 'numeric', minute: '2-digit' });

export function failureText(
  kind: FailureKind,
  { title, at, message }: { title: string; at: Date; message: string },
): string {
  return kind === 'conflicts'
    ? t('{0} stopped at {1}. {2}', title, clock(at), message)
    : t('{0} failed at {1}. {2}', title, clock(at), message);
}

/** Returns the way that the user chose. Shows the first two only: the log has the information of the others. */
export async function showFailure(
  kind: FailureKind,
  text: string,
  offered: readonly WayOut[],
): Promise<WayOut | undefined> {
  const buttons = orderOf(kind, offered).slice(0, kMaxButtons);
  const labels = buttons.map(({ label }) => label);
  const answer = kErrors.has(kind)
    ? await window.showErrorMessage(text, ...labels)
    : await window.showWarningMessage(text, ...labels);
  return buttons.find(({ label }) => label === answer);
}

/** The first button is the primary button. After a refusal by a hook, the primary button never skips the hook. */
function orderOf(kind: FailureKind, offered: readonly WayOut[]): readonly WayOut[] {
  if (kind === 'hook') return [...offered].reverse();
  if (kind !== 'conflicts') return offered;
  const show = () => commands.executeCommand('workbench.view.scm');
  return [{ label: t('Show Conflicts'), run: show }, ...offered];
}
