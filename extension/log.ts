/** Creates the only output channel of the extension. */
import { LogOutputChannel, window } from 'vscode';

export function createLog(): LogOutputChannel {
  return window.createOutputChannel('Resident Git', { log: true });
}
