import type { ChangeCounts, MarketChange, PoolName } from '../market-change.ts';
import type { MergeCounts } from '../sample-merge.ts';
import type { CandleStore } from './candle-store.ts';
import type { MarketFacts } from './market-facts.ts';
import type { TokenStore } from './token-store.ts';

/** Brings a change into the tables. Belongs into a transaction. */
export class MarketWriter {
  readonly #candles: CandleStore;
  readonly #facts: MarketFacts;
  readonly #tokens: TokenStore;

  constructor(candles: CandleStore, facts: MarketFacts, tokens: TokenStore) {
    this.#candles = candles;
    this.#facts = facts;
    this.#tokens = tokens;
  }

  write(change: MarketChange): ChangeCounts {
    const [facts, tokens] = [this.#facts, this.#tokens];
    if (change.bornAnew !== undefined) facts.forgetHistory(change.bornAnew);
    if (change.dropBefore !== undefined) facts.dropSamples(change.dropBefore);
    for (const [name, value] of Object.entries(change.facts ?? {})) facts.keepFact(name, value);
    const pools = total((change.pools ?? []).map((each) => this.#keepPool(each)));
    const given = total((change.givenTokens ?? []).map((each) => tokens.give(each)));
    for (const [position, token] of (change.listedTokens ?? []).entries()) tokens.add(position, token);
    for (const { t, position, price } of change.tokenPrices ?? []) tokens.keepPrice(t, position, price);
    for (const [t, usd] of change.hbarUsd ?? []) facts.keepHbarUsd(t, usd);
    for (const [series, walk] of change.walks ?? []) facts.keepWalk(series, walk);
    return { pools, tokens: given, observations: this.#recorded(change) };
  }

  #keepPool({ generation, id, birth }: PoolName & { readonly birth?: number }): keyof MergeCounts {
    if (this.#facts.pool(generation, id)) return 'unchanged';
    this.#facts.addPool(generation, id, birth);
    return 'added';
  }

  #recorded({ samples = [] }: MarketChange): MergeCounts {
    const counts = { added: 0, unchanged: 0, corrected: 0 };
    for (const { generation, id, arrived } of samples) {
      const pool = this.#facts.pool(generation, id)?.pool;
      if (pool === undefined || arrived.length === 0) continue;
      this.#facts.bornBy(
        pool,
        arrived.reduce((first, { t }) => Math.min(first, t), Number.POSITIVE_INFINITY),
      );
      const { added, unchanged, corrected } = this.#candles.record(pool, arrived);
      counts.added += added;
      counts.unchanged += unchanged;
      counts.corrected += corrected;
    }
    return counts;
  }
}

function total(outcomes: readonly (keyof MergeCounts)[]): MergeCounts {
  const counts = { added: 0, unchanged: 0, corrected: 0 };
  for (const each of outcomes) counts[each]++;
  return counts;
}
