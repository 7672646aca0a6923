/** A file that git wants written by hand: in an editor, until its last tab is closed. */
import { TabInputText, Uri, window, workspace } from 'vscode';

/** Undefined where nobody waits any more: then its tabs are closed. Rejects where it cannot be opened. */
export async function editFile(file: string, signal: AbortSignal): Promise<object | undefined> {
  const uri = Uri.file(file);
  const document = await workspace.openTextDocument(uri);
  await window.showTextDocument(document, { preview: false });
  await new Promise<void>((resolve) => {
    const listening = window.tabGroups.onDidChangeTabs(() => {
      if (tabsOf(uri).length === 0) done();
    });
    const done = () => {
      listening.dispose();
      signal.removeEventListener('abort', done);
      resolve();
    };
    signal.addEventListener('abort', done, { once: true });
    if (signal.aborted || tabsOf(uri).length === 0) done();
  });
  if (!signal.aborted) return {};
  await window.tabGroups.close(tabsOf(uri));
  return undefined;
}

function tabsOf(uri: Uri) {
  const text = uri.toString();
  return window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(({ input }) => input instanceof TabInputText && input.uri.toString() === text);
}
