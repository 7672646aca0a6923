import { nulRecords } from '../../extension/git/nulRecords';
import { StagedPath, StatusLetter } from '../../extension/protocol';

/** The staged paths in the output of `git status --porcelain=v2 -z`. */
export function parseStaged(output: Buffer): StagedPath[] {
  const staged: StagedPath[] = [];
  const next = nulRecords(output);
  for (let record = next(); record !== undefined; record = next()) {
    const [kind, letters = '', , headMode = '', , , headOid = '', ...rest] = record.split(' ');
    const from = kind === '2' ? next() : undefined;
    if ((kind !== '1' && kind !== '2') || letters.startsWith('.')) continue;
    const path = rest.slice(kind === '1' ? 1 : 2).join(' ');
    const index = letters.charAt(0) as StatusLetter;
    staged.push({ path, index, headMode, headOid, ...(from !== undefined && { from }) });
  }
  return staged;
}
