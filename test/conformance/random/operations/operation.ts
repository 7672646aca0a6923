/** An action on a repository. */
import type { World } from '../world';

export interface Operation {
  name: string;
  weight: number;
  /** Kinds of states that it adds to `World.kinds` after it reached them. */
  kinds?: readonly string[];
  /** Runs the action. Returns false if the repository has no target for it. */
  run(world: World): boolean | undefined;
}

/** A variant of an operation; adds its kind when it succeeds. */
export interface Variant {
  kind: string;
  run(world: World): boolean | undefined;
}

/** A variant that acts on the result of `find`, if there is one. */
export function given<Found>(
  kind: string,
  find: (world: World) => Found | undefined,
  act: (world: World, found: Found) => void,
): Variant {
  const run = (world: World): boolean => {
    const found = find(world);
    if (found === undefined) return false;
    act(world, found);
    return true;
  };
  return { kind, run };
}

/** An operation that draws a random variant, or the next variant with a target in the repository. */
export function oneOf(name: string, weight: number, variants: readonly Variant[]): Operation {
  const run = (world: World): boolean => {
    const first = world.prng.below(variants.length);
    const order = [...variants.slice(first), ...variants.slice(0, first)];
    const done = order.find((variant) => variant.run(world) !== false);
    if (done) world.kinds.add(done.kind);
    return done !== undefined;
  };
  return { name, weight, kinds: variants.map(({ kind }) => kind), run };
}
