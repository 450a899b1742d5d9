import { RecentlyUsed } from '../recently-used.ts';
import { entityTag } from './entity-tag.ts';

/** The body of an answer and its entity tag. */
export type TaggedBody = { readonly body: Buffer; readonly tag: string };

type Kept = TaggedBody & { readonly asOf: string };

const MOST_BYTES = 64 * 1024 * 1024;
const LONGEST_KEPT = MOST_BYTES / 16;

/** Answers that were given before, each for as long as it would be the same again. */
export class KeptAnswers {
  readonly #kept = new RecentlyUsed<Kept>({
    most: MOST_BYTES,
    heaviest: LONGEST_KEPT,
    weigh: ({ body }, name) => body.length + name.length,
  });

  /** What was answered to `name` as of `asOf`, or else what `make` tells now. Throws what it does. */
  read(name: string, asOf: string, make: () => TaggedBody): TaggedBody {
    const kept = this.#kept.get(name);
    if (kept?.asOf === asOf) return kept;
    const made = make();
    this.#kept.set(name, { ...made, asOf });
    return made;
  }
}

/** A text as a body, with its entity tag. */
export function tagged(text: string): TaggedBody {
  const body = Buffer.from(text);
  return { body, tag: entityTag(body) };
}
