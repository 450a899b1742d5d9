import { mostExamples, mostFindings } from './limits.ts';

type Place = { readonly counted: Set<number>; examples: number };

/** Exchanges in which a finding was counted already: the window is judged again and again. */
export class CountedPlaces {
  readonly #places = new Map<string, Place>();

  /** Those of the exchanges that are new to the finding; undefined where there are too many findings to keep one more. */
  count(fingerprint: string, ordinals: Iterable<number>): number[] | undefined {
    const place = this.#placeOf(fingerprint);
    if (!place) return undefined;
    const fresh = [...ordinals].filter((ordinal) => !place.counted.has(ordinal));
    for (const ordinal of fresh) place.counted.add(ordinal);
    return fresh;
  }

  /** Tells whether examples of a finding are still wanted; an example is sent once. */
  wantsExamples(fingerprint: string): boolean {
    const place = this.#placeOf(fingerprint);
    if (!place || place.examples >= mostExamples) return false;
    place.examples += 1;
    return true;
  }

  /** Forgets exchanges that have left the window. */
  forgetBefore(ordinal: number): void {
    for (const { counted } of this.#places.values())
      for (const earlier of counted) if (earlier < ordinal) counted.delete(earlier);
  }

  #placeOf(fingerprint: string): Place | undefined {
    const known = this.#places.get(fingerprint);
    if (known || this.#places.size >= mostFindings) return known;
    const place = { counted: new Set<number>(), examples: 0 };
    this.#places.set(fingerprint, place);
    return place;
  }
}
