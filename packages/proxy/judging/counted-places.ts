import type { Example, Finding } from '@candleproof/law/judge/verdict';
import type { Breach } from '@candleproof/law/rules/breach';
import { maxExamples, maxFindings } from './judging-limits.ts';
import type { Found } from './messages.ts';
import type { Entry } from './window.ts';

type Place = { readonly counted: Set<number>; examples: number };

/** Exchanges in which a finding was already counted, because the window is judged repeatedly. */
export class CountedPlaces {
  readonly #places = new Map<string, Place>();

  /** Returns the exchanges that are new to the finding; undefined if there are too many findings to keep one more. */
  count(fingerprint: string, ordinals: Iterable<number>): number[] | undefined {
    const place = this.#placeOf(fingerprint);
    if (!place) return undefined;
    const fresh = [...ordinals].filter((ordinal) => !place.counted.has(ordinal));
    for (const ordinal of fresh) place.counted.add(ordinal);
    return fresh;
  }

  /** Returns whether a finding still needs examples; each example is sent once. */
  wantsExamples(fingerprint: string): boolean {
    const place = this.#placeOf(fingerprint);
    if (!place || place.examples >= maxExamples) return false;
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
    if (known || this.#places.size >= maxFindings) return known;
    const place = { counted: new Set<number>(), examples: 0 };
    this.#places.set(fingerprint, place);
    return place;
  }
}

/** Returns the new part of a finding in these exchanges; undefined if all of it was counted already. */
export function foundIn(
  finding: Finding,
  breaches: readonly Breach[],
  entries: readonly Entry[],
  places: CountedPlaces,
): Found | undefined {
  const { fingerprint } = finding;
  const ordinalAt = (index: number): number => entries[index]?.ordinal ?? 0;
  const byOrdinal = Map.groupBy(breaches, ({ answer }) => ordinalAt(answer.index));
  const fresh = places.count(fingerprint, byOrdinal.keys());
  if (fresh === undefined || fresh.length === 0) return undefined;
  const isShown = ({ exchange }: Example): boolean =>
    fresh.includes(ordinalAt(exchange)) && places.wantsExamples(fingerprint);
  const shown = finding.examples.filter(isShown);
  const times = fresh.map(
    (place) => entries.find(({ ordinal }) => ordinal === place)?.exchange.startedAt ?? '',
  );
  return {
    finding: {
      ...finding,
      exchange: ordinalAt(finding.exchange),
      examples: shown.map((example) => ({ ...example, exchange: ordinalAt(example.exchange) })),
    },
    count: fresh
      .flatMap((ordinal) => byOrdinal.get(ordinal) ?? [])
      .reduce((sum, { times = 1 }) => sum + times, 0),
    first: times.toSorted()[0] ?? '',
    last: times.toSorted().at(-1) ?? '',
    entries: entries.filter((_, index) => shown.some(({ exchange }) => exchange === index)),
  };
}
