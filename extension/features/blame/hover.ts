/** The hover over blame: the message of the commit, its author and age, and links. Texts of the commit stay plain. */
import { env, MarkdownString } from 'vscode';
import { t } from '../../l10n';
import { ageText } from '../refs/age';
import { Details } from './CommitDetails';
import { BlameCommit } from './incremental';
import { dateText, kHashLength, plain } from './template';

const kMaxLines = 20;
const kMaxCharacters = 2_000;
const kCommands = ['residentGit.blame.openCommit', 'residentGit.blame.copyHash'] as const;

/** Without `details`, only the subject of the message is known. */
export function commitHover(root: string, commit: BlameCommit, details: Details | undefined): MarkdownString {
  const { hash, authorName, authorEmail, authorDate, subject } = commit;
  const hover = new MarkdownString(undefined, true);
  hover.isTrusted = { enabledCommands: [...kCommands] };
  hover.appendMarkdown('$(account) **').appendText(plain(authorName)).appendMarkdown('**');
  if (authorEmail !== '') hover.appendText(` <${plain(authorEmail)}>`);
  const age = `${ageText(authorDate, env.language)} (${dateText(authorDate, env.language)})`;
  hover.appendMarkdown(', $(history) ').appendText(age).appendMarkdown('\n\n');
  appendPlain(hover, cut(details?.message ?? plain(subject)));
  hover.appendMarkdown('\n\n---\n\n');
  const query = encodeURIComponent(JSON.stringify([root, hash]));
  const link = (text: string, target: string, title: string) => `[${text}](${target} "${title}")`;
  const [open, copy] = kCommands.map((command) => `command:${command}?${query}`);
  const links = [
    link(`$(git-commit) ${hash.slice(0, kHashLength)}`, open ?? '', t('Open Commit')),
    link('$(copy)', copy ?? '', t('Copy Commit Hash')),
  ];
  const { page } = details ?? {};
  if (page !== undefined) {
    const title = page.site === 'GitHub' ? t('Open on GitHub') : t('Open on GitLab');
    links.push(link(`$(link-external) ${title}`, page.url, title));
  }
  return hover.appendMarkdown(links.join('&nbsp; '));
}

/** Addresses are links. The editor would take the escape after an address as a part of it. */
function appendPlain(hover: MarkdownString, text: string): void {
  let at = 0;
  for (const { 0: address, index } of text.matchAll(/https?:\/\/[\w.~:/?#@!$&'*+,;=%-]*[\w/]/g)) {
    hover.appendText(text.slice(at, index)).appendMarkdown(`<${address}>`);
    at = index + address.length;
  }
  hover.appendText(text.slice(at));
}

function cut(message: string): string {
  const lines = message.split(/\r\n|\n|\r/);
  const kept = lines.slice(0, kMaxLines).join('\n').slice(0, kMaxCharacters);
  return kept.length < message.length ? `${kept}…` : kept;
}
