/**
 * The toast that reports a failed git: the action, the moment, the reason, and at most two buttons.
 *
 * An extension cannot close a toast. VS Code keeps an error with buttons in sight until a person closes it, and hides a
 * warning after some seconds. Failures that a next step mends are therefore warnings.
 */
import { commands, window } from 'vscode';
import { t } from '../l10n';
import { FailureKind } from './failures';

/** What a person can do about a failure: a button of its toast. */
export interface WayOut {
  /** At most 16 characters in English. */
  label: string;
  run: () => unknown;
}
export type WaysOut = Readonly<Partial<Record<FailureKind, readonly WayOut[]>>>;

/** More hide the message. */
const kMostButtons = 2;

/** These stay in sight until they are closed. */
const kErrors: ReadonlySet<FailureKind> = new Set([
  'other',
  'unsafe',
  'signing',
  'refused',
  'hook',
  'pushHook',
  'authentication',
]);

/** "10:32", as the language of the system writes it. */
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

/** The way that was chosen. Those beyond two are left out: the log has what they show. */
export async function showFailure(
  kind: FailureKind,
  text: string,
  offered: readonly WayOut[],
): Promise<WayOut | undefined> {
  const buttons = orderOf(kind, offered).slice(0, kMostButtons);
  const labels = buttons.map(({ label }) => label);
  const answer = kErrors.has(kind)
    ? await window.showErrorMessage(text, ...labels)
    : await window.showWarningMessage(text, ...labels);
  return buttons.find(({ label }) => label === answer);
}

/** The first is the primary one: past a refusing hook it is never the one that skips it. */
function orderOf(kind: FailureKind, offered: readonly WayOut[]): readonly WayOut[] {
  if (kind === 'hook') return [...offered].reverse();
  if (kind !== 'conflicts') return offered;
  const show = () => commands.executeCommand('workbench.view.scm');
  return [{ label: t('Show Conflicts'), run: show }, ...offered];
}
