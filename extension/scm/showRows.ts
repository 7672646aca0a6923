/** Gives a group of the view its rows and its name, at the price of one redraw. Does not know `vscode`. */

/** A group as the editor has it. */
export interface ShownGroup<Row> {
  label: string;
  resourceStates: Row[];
}

/**
 * The editor draws the whole view anew for each name that a group is given, the same one too; and again, 100 ms later, for
 * the rows. So a name is given only where it is another one.
 */
export function showRows<Row>(group: ShownGroup<Row>, label: string, rows: Row[]): void {
  group.resourceStates = rows;
  if (group.label !== label) group.label = label;
}
