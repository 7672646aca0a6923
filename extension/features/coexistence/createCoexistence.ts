/** Connects `Coexistence` to the settings of the editor and to the built-in Git. */
import { ConfigurationTarget, Memento, workspace } from 'vscode';
import { BuiltInGit } from '../../git/BuiltInGit';
import { isText } from '../../model/repoPath';
import { RepositoryRegistry } from '../../model/RepositoryRegistry';
import { Coexistence } from './Coexistence';
import {
  CoexistenceSettings,
  CountBadge,
  kCountBadges,
  kShownParts,
  Setting,
  SettingName,
  ShownParts,
  Write,
} from './plan';

export function createCoexistence(
  registry: RepositoryRegistry,
  builtIn: BuiltInGit,
  globalState: Memento,
  workspaceState: Memento,
): Coexistence {
  return new Coexistence({
    settings: { read: readSettings, write: writeSetting },
    memory: { user: globalState, workspace: workspaceState },
    builtIn: {
      openRoots: () => (builtIn.isOn ? builtIn.repositories.map(({ root }) => root) : undefined),
      close: (root) => builtIn.close(root),
      open: (root) => builtIn.open(root),
    },
    names: () => {
      const roots = registry.repositories.map(({ root }) => root).filter(isText);
      const theirs = builtIn.repositories.filter(({ real }) => roots.includes(real));
      const names = [
        ...roots.flatMap((root) => registry.paths.toOpened(root)),
        ...theirs.map(({ root }) => root),
      ];
      return [...new Set(names)];
    },
  });
}

function readSettings(): CoexistenceSettings {
  return {
    'residentGit.show': read('residentGit.show', 'everything', isShownParts),
    'git.decorations.enabled': read('git.decorations.enabled', true, isBoolean),
    'git.countBadge': read('git.countBadge', 'all', isCountBadge),
    'git.autorefresh': read('git.autorefresh', true, isBoolean),
    'git.ignoredRepositories': read('git.ignoredRepositories', [], isList),
  };
}

function read<T>(name: SettingName, fallback: T, is: (value: unknown) => value is T): Setting<T> {
  const found = workspace.getConfiguration().inspect<unknown>(name);
  const checked = (value: unknown) => (is(value) ? value : undefined);
  return {
    user: checked(found?.globalValue),
    workspace: checked(found?.workspaceValue),
    default: checked(found?.defaultValue) ?? fallback,
  };
}

const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean';
const isCountBadge = (value: unknown): value is CountBadge => kCountBadges.some((each) => each === value);
const isShownParts = (value: unknown): value is ShownParts => kShownParts.some((each) => each === value);
const isList = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string');

async function writeSetting({ setting, scope, value }: Write): Promise<void> {
  const target = scope === 'user' ? ConfigurationTarget.Global : ConfigurationTarget.Workspace;
  await workspace.getConfiguration().update(setting, value, target);
}
