/** Shows reports to the user, in editors without a file. */
import { commands, EventEmitter, Uri, workspace } from 'vscode';
import { Feature } from '../lifecycle';

const kScheme = 'resident-git-report';
/** A command of VS Code's own Markdown extension. The extension can be disabled. */
const kShowPreview = 'markdown.showPreview';

export class Reports extends Feature {
  private readonly texts = new Map<string, string>();
  private shown = 0;
  private readonly changed = this.store.add(new EventEmitter<Uri>());

  constructor() {
    super();
    this.store.add(
      workspace.registerTextDocumentContentProvider(kScheme, {
        onDidChange: this.changed.event,
        provideTextDocumentContent: (uri) => this.texts.get(uri.path),
      }),
    );
  }

  /** Shows the text as a report. Replaces an earlier report with this name. */
  async show(name: string, text: string): Promise<void> {
    const uri = this.put(name, text);
    await commands.executeCommand('vscode.open', uri, { preview: false });
  }

  /** Shows a rendered report. Each call uses a new URI: the preview does not read a known URI again. */
  async showMarkdown(name: string, text: string): Promise<void> {
    const uri = this.put(name, text).with({ query: String(++this.shown) });
    try {
      // This call activates the Markdown extension.
      await commands.executeCommand(kShowPreview, uri);
    } catch {
      await this.show(name, text);
    }
  }

  private put(name: string, text: string): Uri {
    const uri = Uri.from({ scheme: kScheme, path: `/${name}` });
    this.texts.set(uri.path, text);
    this.changed.fire(uri);
    return uri;
  }
}
