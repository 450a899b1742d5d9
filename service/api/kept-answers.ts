import { RecentlyUsed } from '../recently-used.ts';
import { entityTag } from './entity-tag.ts';

/** The text of an answer and its entity tag; an answer that is kept is encoded already. */
export type TaggedText = { readonly body: string; readonly tag: string; readonly encoded?: Buffer };

type Kept = TaggedText & { readonly asOf: string };

const MOST_BYTES = 64 * 1024 * 1024;
const LONGEST_KEPT = MOST_BYTES / 16;

/** Answers that were given before, each for as long as it would be the same again. */
export class KeptAnswers {
  readonly #kept = new RecentlyUsed<Kept>({
    most: MOST_BYTES,
    heaviest: LONGEST_KEPT,
    weigh: ({ body, encoded }, name) => body.length + (encoded?.length ?? 0) + name.length,
  });

  /** What was answered to `name` as of `asOf`, or else what `make` tells now. Throws what it does. */
  read(name: string, asOf: string, make: () => string): TaggedText {
    const kept = this.#kept.get(name);
    if (kept?.asOf === asOf) return kept;
    const body = make();
    const encoded = Buffer.from(body);
    const made = { body, encoded, tag: entityTag(encoded), asOf };
    this.#kept.set(name, made);
    return made;
  }
}

/** A text with its entity tag. */
export function tagged(body: string): TaggedText {
  return { body, tag: entityTag(body) };
}
