import { KeptBodies } from '@candleproof/client/send/kept-bodies';
import type { Finding } from '@candleproof/law/judge/verdict';
import type { Exchange } from '@candleproof/law/reading/exchange';
import { maxExamples, maxFindings, maxKeptBytes } from './judging-limits.ts';
import type { Found } from './messages.ts';

/** A finding of traffic; `exchange` in it and its examples is the number of a passed exchange. */
export type OpenFinding = {
  readonly finding: Finding;
  readonly count: number;
  /** ISO 8601 in UTC. */
  readonly firstSeen: string;
  readonly lastSeen: string;
};

/** All findings since the start, one for each fingerprint, and the exchanges that show them. */
export class OpenFindings {
  readonly #findings = new Map<string, OpenFinding>();
  readonly #exchanges = new Map<number, Exchange>();
  readonly #bodies = new KeptBodies(maxKeptBytes);

  get all(): readonly OpenFinding[] {
    return [...this.#findings.values()];
  }

  /** Returns the exchanges by their number among all that passed. */
  get exchanges(): ReadonlyMap<number, Exchange> {
    return this.#exchanges;
  }

  /** Returns the current finding and its previous count; undefined if there are too many to keep one more. */
  add(found: Found): { readonly openFinding: OpenFinding; readonly before: number } | undefined {
    const { fingerprint } = found.finding;
    const known = this.#findings.get(fingerprint);
    if (!known && this.#findings.size >= maxFindings) return undefined;
    const openFinding = known ? mergeFinding(known, found) : newFinding(found);
    this.#findings.set(fingerprint, openFinding);
    const shown = new Set(openFinding.finding.examples.map((example) => example.exchange));
    for (const { ordinal, exchange } of found.entries)
      if (shown.has(ordinal) && !this.#exchanges.has(ordinal))
        this.#exchanges.set(ordinal, this.#bodies.keep(exchange));
    return { openFinding, before: known?.count ?? 0 };
  }
}

function newFinding({ finding, count, first, last }: Found): OpenFinding {
  const { extent: _ofOneLook, ...rest } = finding;
  return { finding: { ...rest, count }, count, firstSeen: first, lastSeen: last };
}

function mergeFinding(known: OpenFinding, { finding, count, first, last }: Found): OpenFinding {
  const total = known.count + count;
  return {
    finding: {
      ...known.finding,
      count: total,
      intermittent: known.finding.intermittent || finding.intermittent,
      examples: [...known.finding.examples, ...finding.examples].slice(0, maxExamples),
    },
    count: total,
    firstSeen: first < known.firstSeen ? first : known.firstSeen,
    lastSeen: last > known.lastSeen ? last : known.lastSeen,
  };
}
