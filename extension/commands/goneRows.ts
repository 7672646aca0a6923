/**
 * Detects rows and groups that disappeared after their menu was opened. VS Code passes undefined for each. Without a
 * row, most commands would use the active editor's file, which the user did not choose.
 */
import { Resource } from '../scm/Resource';

export function namesGoneRow(args: readonly unknown[]): boolean {
  return args.includes(undefined) && args.every((each) => each === undefined || each instanceof Resource);
}
