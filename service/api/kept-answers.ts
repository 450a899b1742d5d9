import { RecentlyUsed } from '../recently-used.ts';
import { entityTag } from './entity-tag.ts';
import { Pieces } from './pieces.ts';

/** The body of an answer and its entity tag. */
export type TaggedBody = { readonly body: Pieces; readonly tag: string };

type Kept = TaggedBody & { readonly asOf: string };

const MOST_BYTES = 64 * 1024 * 1024;
const LONGEST_KEPT = MOST_BYTES / 16;

/** Answers that were given before, each for as long as it would be the same again. */
export class KeptAnswers {
  readonly #kept = new RecentlyUsed<Kept>({
    most: MOST_BYTES,
    heaviest: LONGEST_KEPT,
    weigh: ({ body }, name) => body.held + name.length,
  });

  /** What was answered to `name` as of `asOf`, or else what `make` tells now. Throws what it does. */
  read(name: string, asOf: string, make: () => TaggedBody): TaggedBody {
    const kept = this.#kept.get(name);
    if (kept?.asOf === asOf) return kept.body.all.length === 1 ? kept : this.#join(name, kept);
    const made = make();
    this.#kept.set(name, { ...made, asOf });
    return made;
  }

  /** What is requested again is sent in one piece from now on, and holds nothing but itself. */
  #join(name: string, kept: Kept): Kept {
    const joined = { ...kept, body: new Pieces([kept.body.whole()]) };
    this.#kept.set(name, joined);
    return joined;
  }
}

/** A text as a body, with its entity tag. */
export function tagged(text: string): TaggedBody {
  return { body: Pieces.of(text), tag: entityTag(text) };
}
