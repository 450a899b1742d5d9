import type { Finding } from '@candleproof/law/judge/verdict';
import type { Breach } from '@candleproof/law/rules/breach';
import { maxExamples, maxFindings } from './judging-limits.ts';
import type { Found } from './messages.ts';
import type { Entry } from './window.ts';

/** The counts of one finding. */
type FindingTally = {
  /** The ordinals of the exchanges in which the finding was counted. */
  readonly counted: Set<number>;
  /** The examples that were reserved. */
  examples: number;
};

/**
 * The exchanges in which each finding was counted already: the window is judged again and again, which finds the same
 * breaches each time. An exchange has two numbers. Its index is its position among the exchanges that are judged together,
 * such as 0, and changes as the window moves. Its ordinal is its number since the proxy started, such as 4711, and stays.
 */
export class CountedExchanges {
  readonly #tallies = new Map<string, FindingTally>();

  /**
   * Counts a finding in exchanges, and returns those in which it was not counted before: [5, 6] and then [5, 6, 7]
   * return [5, 6] and then [7]. Returns undefined if there are too many findings to keep one more.
   */
  count(fingerprint: string, ordinals: Iterable<number>): number[] | undefined {
    const tally = this.#findTally(fingerprint);
    if (!tally) return undefined;
    const fresh = [...ordinals].filter((ordinal) => !tally.counted.has(ordinal));
    for (const ordinal of fresh) tally.counted.add(ordinal);
    return fresh;
  }

  /** Reserves one of the 3 examples of a finding; returns false if none is left. */
  reserveExample(fingerprint: string): boolean {
    const tally = this.#findTally(fingerprint);
    if (!tally || tally.examples >= maxExamples) return false;
    tally.examples += 1;
    return true;
  }

  /** Forgets exchanges that have left the window: those before its lowest ordinal. */
  forgetBefore(lowest: number): void {
    for (const { counted } of this.#tallies.values())
      for (const ordinal of counted) if (ordinal < lowest) counted.delete(ordinal);
  }

  #findTally(fingerprint: string): FindingTally | undefined {
    const known = this.#tallies.get(fingerprint);
    if (known || this.#tallies.size >= maxFindings) return known;
    const tally = { counted: new Set<number>(), examples: 0 };
    this.#tallies.set(fingerprint, tally);
    return tally;
  }
}

/**
 * Returns the part of a finding that was not counted before, in which `exchange` is an ordinal instead of an index;
 * undefined if there is none.
 * @param entries the exchanges that were judged together, by index
 */
export function findUncounted(
  finding: Finding,
  breaches: readonly Breach[],
  entries: readonly Entry[],
  counted: CountedExchanges,
): Found | undefined {
  const { fingerprint } = finding;
  const findOrdinal = (index: number): number => entries[index]?.ordinal ?? 0;
  const byOrdinal = Map.groupBy(breaches, ({ answer }) => findOrdinal(answer.index));
  const fresh = counted.count(fingerprint, byOrdinal.keys());
  if (fresh === undefined || fresh.length === 0) return undefined;
  const shown = finding.examples
    .filter(({ exchange }) => fresh.includes(findOrdinal(exchange)))
    .filter(() => counted.reserveExample(fingerprint));
  const startedAt = fresh
    .map((ordinal) => entries.find((entry) => entry.ordinal === ordinal)?.exchange.startedAt ?? '')
    .sort();
  return {
    finding: {
      ...finding,
      exchange: findOrdinal(finding.exchange),
      examples: shown.map((example) => ({ ...example, exchange: findOrdinal(example.exchange) })),
    },
    // A breach may stand for several of one kind: `times` is their number.
    count: fresh
      .flatMap((ordinal) => byOrdinal.get(ordinal) ?? [])
      .reduce((sum, { times = 1 }) => sum + times, 0),
    first: startedAt[0] ?? '',
    last: startedAt.at(-1) ?? '',
    entries: entries.filter((_, index) => shown.some(({ exchange }) => exchange === index)),
  };
}
