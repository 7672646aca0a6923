/** Guesses whether other extensions draw in the Source Control view: the editor has no API that lists them. */
import { Extension, extensions } from 'vscode';

/** The used part of an extension's manifest. */
export interface Manifest {
  readonly isBuiltin?: boolean;
  readonly categories?: readonly string[];
  readonly contributes?: { readonly menus?: Readonly<Record<string, unknown>> };
}

/**
 * True: the extension may have repositories in the view. False for built-in extensions: of these, only VS Code's own Git
 * has repositories, and `hasStrangers` asks its API.
 */
export function mayHaveRepositories({ isBuiltin, categories, contributes }: Manifest): boolean {
  if (isBuiltin === true) return false;
  const menus = Object.keys(contributes?.menus ?? {});
  return categories?.includes('SCM Providers') === true || menus.some((menu) => menu.startsWith('scm/'));
}

/** True: an active extension other than `ownId` may draw in the view. */
export function hasStrangers(builtIn: { readonly hasRepositories: boolean }, ownId: string): boolean {
  const isStranger = ({ id, isActive, packageJSON }: Extension<unknown>): boolean =>
    id !== ownId && isActive && mayHaveRepositories(packageJSON as Manifest);
  return builtIn.hasRepositories || extensions.all.some(isStranger);
}
