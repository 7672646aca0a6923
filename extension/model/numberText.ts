/** Numbers in texts. */
const kFormat = new Intl.NumberFormat('en');

/** "1,234". */
export const grouped = (count: number): string => kFormat.format(count);
