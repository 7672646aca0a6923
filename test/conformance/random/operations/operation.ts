/** Something that happens to a repository. */
import type { World } from '../world';

export interface Operation {
  name: string;
  weight: number;
  /** Kinds of state that it notes in `World.kinds` when it has brought them about. */
  kinds?: readonly string[];
  /** Does it, or returns false where the repository offers nothing to do it to. */
  run(world: World): boolean | undefined;
}

/** One way among several of an operation; notes its kind when it succeeds. */
export interface Variant {
  kind: string;
  run(world: World): boolean | undefined;
}

/** A variant that acts on what `find` finds, where it finds something. */
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

/** An operation that draws one of its variants each time, or the next that the repository has something for. */
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
