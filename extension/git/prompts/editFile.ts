/** Opens a file in an editor for git, and waits until its last tab is closed. */
import { Tab, Uri, window, workspace } from 'vscode';

/** Undefined if the result is no longer needed: its tabs are then closed. Rejects if the file cannot be opened. */
export async function editFile(file: string, signal: AbortSignal): Promise<object | undefined> {
  const uri = Uri.file(file);
  const closed = untilClosed(uri, signal);
  try {
    const document = await workspace.openTextDocument(uri);
    await window.showTextDocument(document, { preview: false });
    await closed.promise;
  } finally {
    closed.dispose();
  }
  if (!signal.aborted) return {};
  await window.tabGroups.close(tabsOf(uri));
  return undefined;
}

/**
 * Resolves when the file's last tab was closed, or the result is no longer needed. The list of tabs gets a new tab only
 * some time after its editor is shown.
 */
function untilClosed(uri: Uri, signal: AbortSignal): { promise: Promise<void>; dispose: () => void } {
  let wasOpen = false;
  let done: () => void = () => undefined;
  const promise = new Promise<void>((resolve) => {
    done = resolve;
  });
  const look = () => {
    const isOpen = tabsOf(uri).length > 0;
    if (wasOpen && !isOpen) done();
    wasOpen ||= isOpen;
  };
  look();
  const listening = window.tabGroups.onDidChangeTabs(({ closed }) => {
    wasOpen ||= closed.some((tab) => isOf(tab, uri));
    look();
  });
  signal.addEventListener('abort', done, { once: true });
  if (signal.aborted) done();
  return {
    promise,
    dispose: () => {
      listening.dispose();
      signal.removeEventListener('abort', done);
    },
  };
}

function tabsOf(uri: Uri): Tab[] {
  return window.tabGroups.all.flatMap(({ tabs }) => tabs).filter((tab) => isOf(tab, uri));
}

/** True for a tab that shows the file itself, in any editor. False for a comparison. */
function isOf({ input }: Tab, uri: Uri): boolean {
  return (input as { uri?: Uri } | undefined)?.uri?.toString() === uri.toString();
}
