/** The one output channel. */
import { LogOutputChannel, window } from 'vscode';

export function createLog(): LogOutputChannel {
  return window.createOutputChannel('Resident Git', { log: true });
}
