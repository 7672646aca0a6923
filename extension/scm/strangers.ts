/** Other extensions in the Source Control view. The editor tells nobody who is in it. */
import { Extension, extensions } from 'vscode';

/** What we use of an extension's manifest. */
export interface Manifest {
  readonly isBuiltin?: boolean;
  readonly categories?: readonly string[];
  readonly contributes?: { readonly menus?: Readonly<Record<string, unknown>> };
}

/** Of those that come with the editor only its own Git has repositories; it is asked for them. */
export function mayHaveRepositories({ isBuiltin, categories, contributes }: Manifest): boolean {
  if (isBuiltin === true) return false;
  const menus = Object.keys(contributes?.menus ?? {});
  return categories?.includes('SCM Providers') === true || menus.some((menu) => menu.startsWith('scm/'));
}

/** Whether others than `ownId` may draw in it by now. */
export function hasStrangers(builtIn: { readonly hasRepositories: boolean }, ownId: string): boolean {
  const isStranger = ({ id, isActive, packageJSON }: Extension<unknown>): boolean =>
    id !== ownId && isActive && mayHaveRepositories(packageJSON as Manifest);
  return builtIn.hasRepositories || extensions.all.some(isStranger);
}
