/** The item in the status bar: who changed the line of the cursor last. A click opens the commit. */
import { Command, env, MarkdownString, StatusBarAlignment, window } from 'vscode';
import { config } from '../../config';
import { Feature } from '../../lifecycle';
import { t } from '../../l10n';
import { Repository } from '../../model/Repository';
import { toDisplay } from '../../model/repoPath';
import { BlameTracker } from './BlameTracker';
import { CommitDetails } from './CommitDetails';
import { commitHover } from './hover';
import { BlameCommit } from './incremental';
import { LineBlame, textWithoutCommit } from './plan';
import { blameText, withoutIcons } from './template';

/** Places the item right of our other items (StatusBar.ts). */
const kPriority = 9_997;
/** Limit of the text, without its icon. */
const kMaxCharacters = 40;
/** Delay before the item says that git still runs. A shorter state would only make it flicker. */
const kBusyDelayMs = 500;
/** The ages in texts grow. */
const kAgeMs = 60_000;

export class BlameStatusItem extends Feature {
  private readonly item = this.store.add(
    window.createStatusBarItem('residentGit.blame', StatusBarAlignment.Left, kPriority),
  );
  private busyTimer: NodeJS.Timeout | undefined;
  /** The commit whose details are being read, and the one to read next. */
  private reading: BlameCommit | undefined;
  private readNext: (() => void) | undefined;
  private told = '';

  constructor(
    private readonly tracker: BlameTracker,
    private readonly details: CommitDetails,
  ) {
    super();
    this.item.name = t('Resident Git: Blame');
    this.store.add(tracker.onDidChange(() => this.render()));
    const timer = setInterval(() => this.render(), kAgeMs);
    this.store.add({
      dispose: () => {
        clearInterval(timer);
        clearTimeout(this.busyTimer);
      },
    });
    this.render();
  }

  private render(): void {
    const editor = window.activeTextEditor;
    const { repository } = this.tracker;
    if (editor === undefined || repository === undefined || !this.tracker.shows('statusBarItem')) {
      this.hide();
      return;
    }
    const line = this.tracker.at(editor.document, editor.selection.active.line);
    if (line === undefined) return;
    if (line.kind !== 'waiting') this.endBusy();
    if (line.kind === 'commit') this.showCommit(repository, line.commit);
    else this.showOther(line);
  }

  private showCommit(repository: Repository, commit: BlameCommit): void {
    const { statusBarItemTemplate: template } = config.blame;
    const text = blameText(commit, { template, limit: kMaxCharacters, language: env.language });
    const { root } = repository;
    const known = this.details.known(root, commit.hash);
    if (known === undefined) this.read(repository, commit);
    const command: Command = {
      command: 'residentGit.blame.openCommit',
      title: t('Open Commit'),
      arguments: [root, commit.hash],
    };
    const key = JSON.stringify([text, root, commit.hash, known !== undefined]);
    if (key === this.told) return;
    this.told = key;
    this.item.text = `$(git-commit) ${withoutIcons(text)}`;
    this.item.tooltip = commitHover(root, commit, known);
    this.item.command = command;
    this.item.accessibilityInformation = {
      label: t('Blame: {0}, {1}', text, commit.subject),
      role: 'button',
    };
    this.item.show();
  }

  private showOther(line: LineBlame): void {
    if (line.kind === 'waiting') {
      this.waits();
      return;
    }
    const text = textWithoutCommit(line);
    if (text === undefined) {
      this.hide();
      return;
    }
    const reason = line.kind === 'failed' ? toDisplay(line.reason) : text;
    this.showText(`$(git-commit) ${text}`, reason);
  }

  private showText(text: string, tooltip: string): void {
    const key = JSON.stringify([text, tooltip]);
    if (key === this.told) return;
    this.told = key;
    this.item.text = text;
    this.item.tooltip = new MarkdownString().appendText(tooltip);
    this.item.command = undefined;
    this.item.accessibilityInformation = { label: t('Blame: {0}', tooltip) };
    this.item.show();
  }

  private hide(): void {
    this.endBusy();
    this.told = '';
    this.item.hide();
  }

  private waits(): void {
    if (this.busyTimer !== undefined) return;
    this.told = '';
    this.item.hide();
    this.busyTimer = setTimeout(() => {
      this.showText(`$(loading~spin) ${t('Blame')}`, t('git blame is running for this file.'));
    }, kBusyDelayMs);
  }

  private endBusy(): void {
    clearTimeout(this.busyTimer);
    this.busyTimer = undefined;
  }

  /** Reads the details of one commit at a time. While the cursor moves fast, only the last commit is read next. */
  private read({ root, details }: Repository, commit: BlameCommit): void {
    if (this.reading?.hash === commit.hash) return;
    const start = () => {
      this.reading = commit;
      this.readNext = undefined;
      void this.details.of(root, commit.hash, details?.upstream?.remote).then(() => {
        this.reading = undefined;
        const next: (() => void) | undefined = this.readNext;
        next?.();
        this.render();
      });
    };
    if (this.reading === undefined) start();
    else this.readNext = start;
  }
}
