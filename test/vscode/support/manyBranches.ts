/** A repository with very many branches, like a large team's: most of them packed, some loose. */
import type { Repository } from '../../support/repository';

/** Name of packed branch number `i`. */
export function packedBranch(i: number): string {
  return `many/branch-${String(i).padStart(5, '0')}`;
}

/**
 * Creates the branches at HEAD. Requires a repository without packed refs. git would need half a minute for 50,000.
 */
export function makeBranches(
  repository: Repository,
  { packed, loose }: Record<'packed' | 'loose', number>,
): void {
  const at = repository.git('rev-parse', 'HEAD').trim();
  // A repository of this size has packed commits. With a loose commit, git would open its file for each branch.
  repository.git('repack', '-a', '-d', '-q');
  const lines = Array.from({ length: packed }, (_, i) => `${at} refs/heads/${packedBranch(i)}\n`);
  repository.write('.git/packed-refs', `# pack-refs with: peeled fully-peeled sorted \n${lines.join('')}`);
  for (let i = 0; i < loose; i++) repository.write(`.git/refs/heads/loose/branch-${i}`, `${at}\n`);
}
