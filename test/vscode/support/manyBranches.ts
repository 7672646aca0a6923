/** A repository with very many branches, as one has it where everybody pushes: most of them packed, some loose. */
import type { Repository } from '../../support/repository';

/** The name of one of those that are packed. */
export function packedBranch(i: number): string {
  return `many/branch-${String(i).padStart(5, '0')}`;
}

/** Makes them at HEAD, where no ref is packed yet. git would take half a minute for 50,000. */
export function makeBranches(
  repository: Repository,
  { packed, loose }: Record<'packed' | 'loose', number>,
): void {
  const at = repository.git('rev-parse', 'HEAD').trim();
  // A repository of this size has its commits in packs: git would open a loose one for each branch.
  repository.git('repack', '-a', '-d', '-q');
  const lines = Array.from({ length: packed }, (_, i) => `${at} refs/heads/${packedBranch(i)}\n`);
  repository.write('.git/packed-refs', `# pack-refs with: peeled fully-peeled sorted \n${lines.join('')}`);
  for (let i = 0; i < loose; i++) repository.write(`.git/refs/heads/loose/branch-${i}`, `${at}\n`);
}
