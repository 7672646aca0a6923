/** Object ids in texts. */
const kLength = 8;

export const shortId = (oid: string): string => oid.slice(0, kLength);
