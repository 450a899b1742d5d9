import type { Spec } from '@candleproof/document/spec/spec';
import type { Exchange, TargetFacts } from '@candleproof/law/reading/exchange';
import { refusesRange } from '@candleproof/law/reading/exchange';
import { recognizeRequest } from '@candleproof/law/reading/requested';
import type { Range } from '@candleproof/law/rules/rule';
import type { RangeLimits } from '../plan/moment.ts';
import { isMeantToFail, type PlannedRequest } from '../plan/planned-request.ts';

/** Ranges of which a part is as good. */
const divisible: readonly (Range | undefined)[] = [
  'recent',
  'since the week',
  'all',
  'before the week',
  'closed week',
  'first half',
  'second half',
  'around the first row',
];

/** Most tries of a run to narrow a refused range. */
const mostTries = 10;

/** Returns the divisor of a refused range: all rows of a pool go far beyond a limit, other ranges a little. */
function narrowingFactor(range: Range | undefined): number {
  return range === 'all' ? 10 : 3;
}

/** Rows of which a part still shows something. */
const leastRows = 3;

type ReadRange = { readonly from: number; readonly to: number; readonly length: number };

/** The limits of ranges that a document leaves open, as far as a target's refusals show them: later requests keep them. */
export class LearnedLimits {
  readonly #spec: Spec;
  readonly #target: TargetFacts;
  /** By kind of range and length: a wider range of another kind is tried, since it may show that no limit was the reason. */
  readonly #rows = new Map<string, number>();
  #endsNow = false;
  #tries = 0;

  constructor({ spec, target }: { readonly spec: Spec; readonly target: TargetFacts }) {
    this.#spec = spec;
    this.#target = target;
  }

  /** Returns the limits in terms of a moment. */
  get limits(): RangeLimits {
    return {
      rows: (range, length) => this.#rows.get(`${range} ${length}`) ?? Number.POSITIVE_INFINITY,
      endsNow: this.#endsNow,
    };
  }

  /**
   * Returns whether a request that was refused is worth sending again within the limits that this shows. A range that an
   * answered one contains is not: no limit explains its refusal.
   */
  learn(planned: PlannedRequest, exchange: Exchange, others: readonly Exchange[], now: number): boolean {
    const { need, credential } = planned;
    if (credential !== 'api-key' || isMeantToFail(planned) || !divisible.includes(need.range)) return false;
    if (!refusesRange(exchange.response?.status ?? 0) || this.#tries >= mostTries) return false;
    const range = this.#readRange(exchange, now);
    if (!range || others.some((other) => this.#isAnsweredBeyond(other, range, now))) return false;
    this.#tries += 1;
    if (range.to <= now || this.#endsNow) return this.#narrow(need.range, range);
    this.#endsNow = true;
    return true;
  }

  #narrow(range: Range | undefined, { from, to, length }: ReadRange): boolean {
    const kind = `${range} ${length}`;
    const rows = Math.floor((to - from) / length);
    const known = this.#rows.get(kind);
    if (known !== undefined && known < rows) return true;
    if (rows < leastRows) return false;
    this.#rows.set(kind, Math.floor(rows / narrowingFactor(range)) + 2);
    return true;
  }

  #isAnsweredBeyond(other: Exchange, { from, to, length }: ReadRange, now: number): boolean {
    if (other.response?.status !== 200) return false;
    const range = this.#readRange(other, now);
    return range?.length === length && range.from <= from && range.to >= to;
  }

  #readRange({ request }: Exchange, now: number): ReadRange | undefined {
    const requested = recognizeRequest(this.#spec, this.#target.baseUrl, request, now);
    const { from, to, length, proper } = requested ?? {};
    return proper && from !== undefined && to !== undefined && length ? { from, to, length } : undefined;
  }
}
