/** Constructs what the extension is made of and connects it. Waits for nothing: the helper starts behind it. */
import { dirname } from 'node:path';
import { ExtensionContext, window, workspace } from 'vscode';
import { HelperClient, HelperListener } from './client/HelperClient';
import { registerCommands } from './commands';
import { offerCoexistence } from './commands/coexistence';
import { affectsSetting, config } from './config';
import { Decorations } from './decorations/Decorations';
import { createLog } from './log';
import { messageOf, RepositoryRegistry } from './model/RepositoryRegistry';
import { ContentProvider } from './scm/ContentProvider';
import { QuickDiff } from './scm/QuickDiff';
import { SourceControls } from './scm/SourceControls';
import { StatusBar } from './scm/StatusBar';
import { pathOf, worktreeUris } from './scm/uris';

let helper: HelperClient | undefined;

export function activate(context: ExtensionContext): void {
  const started = performance.now();
  const log = createLog();
  const own = <T extends { dispose(): unknown }>(disposable: T): T => {
    context.subscriptions.push(disposable);
    return disposable;
  };
  own(log);

  const listener: HelperListener = {
    helperStarted: () => {
      statusBar.setHelper('running');
      registry.helperStarted();
    },
    helperLost: () => {
      statusBar.setHelper('starting');
      registry.helperLost();
    },
    helperGivenUp: (message) => {
      statusBar.setHelper('givenUp');
      void offerRestart(message);
    },
    didChange: (delta) => {
      registry.didChange(delta);
    },
    didClose: (params) => {
      registry.didClose(params);
    },
    log: (severity, message) => {
      log[severity](message);
    },
  };
  const module = context.asAbsolutePath('dist/helper.js');
  const client = new HelperClient(async (handlers) => {
    // vscode-languageclient is large: loaded behind activation, not within it.
    const { connectLanguageClient } = await import('./client/languageClient.js');
    return connectLanguageClient({ module, cwd: dirname(module), outputChannel: log }, handlers);
  }, listener);
  helper = client;

  const registry = own(
    new RepositoryRegistry(client, (severity, message) => {
      log[severity](message);
    }),
  );
  const content = own(new ContentProvider(registry, client));
  const sourceControls = own(
    new SourceControls(registry, new QuickDiff(registry, content), () => {
      log.show();
    }),
  );
  own(
    new Decorations(registry, client, {
      urisOf: (repository, path) => worktreeUris(registry.paths, repository, path),
      pathOf,
    }),
  );
  const statusBar = own(new StatusBar(registry));
  const restartHelper = () => {
    statusBar.setHelper('starting');
    return client.restart();
  };
  const { globalState } = context;
  own(
    registerCommands({
      registry,
      helper: client,
      restartHelper,
      sourceControls,
      statusBar,
      log,
      globalState,
    }),
  );
  own(offerCoexistence(registry, globalState));

  const offerRestart = async (message: string) => {
    const [restart, show] = ['Restart Helper', 'Show Log'] as const;
    const text = `Resident Git: ${message} Badges and rows stay as they were last known.`;
    const answer = await window.showErrorMessage(text, restart, show);
    if (answer === restart) await restartHelper();
    if (answer === show) log.show();
  };

  const openWorkspace = async () => {
    const folders = workspace.workspaceFolders ?? [];
    const paths = folders.filter((folder) => folder.uri.scheme === 'file').map((folder) => folder.uri.fsPath);
    try {
      await registry.setWorkspace(paths, {
        depth: config.repositoryScanMaxDepth,
        trusted: workspace.isTrusted,
      });
    } catch (error) {
      log.error(`the workspace cannot be opened: ${messageOf(error)}`);
    }
  };
  const openAround = async (path: string) => {
    try {
      await registry.discoverAround(path);
    } catch (error) {
      log.warn(`${path}: ${messageOf(error)}`);
    }
  };
  own(
    workspace.onDidChangeWorkspaceFolders(async () => {
      await openWorkspace();
      sourceControls.rebuild();
    }),
  );
  own(workspace.onDidGrantWorkspaceTrust(openWorkspace));
  own(
    workspace.onDidChangeConfiguration((event) => {
      if (affectsSetting(event, 'repositoryScanMaxDepth')) void openWorkspace();
    }),
  );
  own(
    window.onDidChangeActiveTextEditor((editor) => {
      if (editor?.document.uri.scheme === 'file') void openAround(editor.document.uri.fsPath);
    }),
  );
  void client.start();
  void openWorkspace();
  log.info(`activated in ${(performance.now() - started).toFixed(1)} ms`);
}

/** VS Code waits for the helper's end only if it is told of it. */
export function deactivate(): Promise<void> | undefined {
  return helper?.stop();
}
