/**
 * Rows and groups of the view that have gone since their menu was opened. VS Code passes undefined for each, and without a
 * row most commands mean the active editor's file, which nobody pointed at.
 */
import { Resource } from '../scm/Resource';

export function namesGoneRow(args: readonly unknown[]): boolean {
  return args.includes(undefined) && args.every((each) => each === undefined || each instanceof Resource);
}
