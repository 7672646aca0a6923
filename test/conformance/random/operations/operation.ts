/** Something that happens to a repository. */
import type { World } from '../world';

export interface Operation {
  name: string;
  weight: number;
  /** Does it, or returns false where the repository offers nothing to do it to. */
  run(world: World): boolean | undefined;
}
