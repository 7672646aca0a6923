/** Texts made for a person, shown in an editor that nobody has to save. */
import { commands, EventEmitter, Uri, workspace } from 'vscode';
import { Feature } from '../lifecycle';

const kScheme = 'resident-git-report';

export class Reports extends Feature {
  private readonly texts = new Map<string, string>();
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

  /** In place of what was shown under that name. */
  async show(name: string, text: string): Promise<void> {
    const uri = Uri.from({ scheme: kScheme, path: `/${name}` });
    this.texts.set(uri.path, text);
    this.changed.fire(uri);
    await commands.executeCommand('vscode.open', uri, { preview: false });
  }
}
