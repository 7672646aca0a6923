/** The file in front of the user. */
import {
  TabInputCustom,
  TabInputNotebook,
  TabInputNotebookDiff,
  TabInputText,
  TabInputTextDiff,
  Uri,
  window,
} from 'vscode';
import { isBlob, parseContentQuery } from '../../model/contentQuery';
import { kContentScheme } from '../../scm/uris';

/** Undefined if the active tab is no file, or if no tab is open. */
export function activeUri(): Uri | undefined {
  const input = window.tabGroups.activeTabGroup.activeTab?.input;
  if (input instanceof TabInputText || input instanceof TabInputCustom || input instanceof TabInputNotebook) {
    return input.uri;
  }
  return input instanceof TabInputTextDiff || input instanceof TabInputNotebookDiff
    ? input.modified
    : undefined;
}

/**
 * True if the tab shows an old version, or is no file at all, like a page of settings. A list of commits stays while
 * the user looks at its versions.
 */
export function isAside(uri: Uri | undefined): boolean {
  if (uri === undefined) return window.tabGroups.activeTabGroup.activeTab !== undefined;
  if (uri.scheme !== kContentScheme) return false;
  const source = parseContentQuery(uri.query)?.source ?? '';
  return source === 'nothing' || isBlob(source);
}
