import type { PostgresQuery, PostgresTransaction } from '@candleproof/postgres/postgres-database';
import type { TokenProfile } from '../../market/token-list.ts';
import { countOutcomes, type MergeCounts } from '../sample-merge.ts';
import {
  ALWAYS,
  type ChangeCounts,
  type GivenToken,
  isSameToken,
  type MarketChange,
  type MarketState,
  NOTHING_CHANGED,
  type PoolName,
  readToken,
  readWalks,
  UNBORN,
} from '../stored-market.ts';
import { recordSamples } from './candle-writer.ts';
import { toPool } from './market-tables.ts';
import { dropPartitions } from './partitions.ts';

/** Reads the market's state, inside or outside of a transaction. */
export async function readMarketState(query: PostgresQuery): Promise<MarketState> {
  const facts = await query('SELECT * FROM service.facts');
  const pools = await query('SELECT * FROM service.pools ORDER BY generation, id');
  const walks = await query('SELECT * FROM service.walks');
  return {
    facts: new Map(facts.map(({ name, value }) => [String(name), Number(value)])),
    pools: pools.map(toPool),
    walks: readWalks(walks),
  };
}

/** Writes a change to the tables. Must run in the transaction of the only writer. */
export async function writeChange(
  transaction: PostgresTransaction,
  change: MarketChange,
): Promise<ChangeCounts> {
  const { query } = transaction;
  if (change.bornAnew !== undefined) await deleteHistory(query, change.bornAnew);
  if (change.dropBefore !== undefined) await dropPartitions(query, change.dropBefore);
  await writeFacts(query, Object.entries(change.facts ?? {}));
  const pools = await writePools(query, change.pools ?? []);
  const tokens = await writeGivenTokens(query, change.givenTokens ?? []);
  for (const [position, token] of (change.listedTokens ?? []).entries())
    await addToken(query, position, token);
  await writePrices(query, change);
  await writeWalks(query, change.walks ?? new Map());
  return { pools, tokens, observations: await writeSamples(transaction, change.samples ?? []) };
}

/** Deletes the history of all pools and sets their birth (Unix seconds). */
async function deleteHistory(query: PostgresQuery, birth: number): Promise<void> {
  // TRUNCATE would wait for all current readers.
  for (const table of ['samples', 'candles', 'walks', 'hbar_prices'])
    await query(`DELETE FROM service.${table}`);
  await query('UPDATE service.pools SET birth = $1, revision = revision + 1', [birth]);
}

async function writeFacts(
  query: PostgresQuery,
  facts: readonly (readonly [string, number])[],
): Promise<void> {
  if (facts.length === 0) return;
  await query(
    `INSERT INTO service.facts SELECT * FROM unnest($1::text[], $2::float8[])
     ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
    [facts.map(([name]) => name), facts.map(([, value]) => value)],
  );
}

async function writePools(
  query: PostgresQuery,
  pools: readonly (PoolName & { readonly birth?: number })[],
): Promise<MergeCounts> {
  const rows = await query(
    `INSERT INTO service.pools (generation, id, birth)
     SELECT generation, id, birth FROM unnest($1::text[], $2::int[], $3::int8[]) WITH ORDINALITY AS given (generation, id, birth, place)
     ORDER BY place ON CONFLICT DO NOTHING RETURNING pool`,
    [
      pools.map(({ generation }) => generation),
      pools.map(({ id }) => id),
      pools.map(({ birth = UNBORN }) => birth),
    ],
  );
  return { added: rows.length, unchanged: pools.length - rows.length, corrected: 0 };
}

async function writeGivenTokens(query: PostgresQuery, given: readonly GivenToken[]): Promise<MergeCounts> {
  const outcomes: (keyof MergeCounts)[] = [];
  for (const token of given) outcomes.push(await writeGivenToken(query, token));
  return countOutcomes(outcomes);
}

async function writeGivenToken(query: PostgresQuery, token: GivenToken): Promise<keyof MergeCounts> {
  const [row] = await query(
    'SELECT * FROM service.token_prices JOIN service.tokens USING (position) WHERE t = $1 AND id = $2',
    [ALWAYS, token.id],
  );
  const before = row && readToken(row);
  if (before && isSameToken(before, token)) return 'unchanged';
  const [next] = await query('SELECT coalesce(max(position) + 1, 0) AS position FROM service.tokens');
  const position = before?.position ?? Number(next?.position);
  await addToken(query, position, token);
  await query(
    `INSERT INTO service.token_prices VALUES ($1, $2, $3, $4)
     ON CONFLICT (t, position) DO UPDATE SET price = excluded.price, price_usd = excluded.price_usd`,
    [ALWAYS, position, token.price, token.priceUsd],
  );
  return before ? 'corrected' : 'added';
}

async function addToken(query: PostgresQuery, position: number, token: TokenProfile): Promise<void> {
  const { id, icon, symbol, decimals, dueDiligenceComplete, isFeeOnTransferToken } = token;
  await query(
    `INSERT INTO service.tokens VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT (position) DO UPDATE SET icon = excluded.icon, symbol = excluded.symbol, decimals = excluded.decimals,
       due_diligence_complete = excluded.due_diligence_complete, is_fee_on_transfer = excluded.is_fee_on_transfer`,
    [position, id, icon, symbol, decimals, dueDiligenceComplete, isFeeOnTransferToken],
  );
}

async function writePrices(query: PostgresQuery, change: MarketChange): Promise<void> {
  const { tokenPrices = [], hbarUsd = [] } = change;
  await query(
    `INSERT INTO service.token_prices SELECT * FROM unnest($1::int8[], $2::int[], $3::numeric[])
     ON CONFLICT (t, position) DO UPDATE SET price = excluded.price`,
    [
      tokenPrices.map(({ t }) => t),
      tokenPrices.map(({ position }) => position),
      tokenPrices.map(({ price }) => price),
    ],
  );
  await query(
    `INSERT INTO service.hbar_prices SELECT * FROM unnest($1::int8[], $2::float8[])
     ON CONFLICT (t) DO UPDATE SET usd = excluded.usd`,
    [hbarUsd.map(([t]) => t), hbarUsd.map(([, usd]) => usd)],
  );
}

async function writeWalks(query: PostgresQuery, walks: NonNullable<MarketChange['walks']>): Promise<void> {
  const states = [...walks.values()];
  await query(
    `INSERT INTO service.walks SELECT * FROM unnest($1::text[], $2::float8[], $3::float8[], $4::float8[])
     ON CONFLICT (series) DO UPDATE
     SET level = excluded.level, nervousness = excluded.nervousness, log_liquidity = excluded.log_liquidity`,
    [
      [...walks.keys()],
      states.map(({ walk }) => walk.level),
      states.map(({ walk }) => walk.nervousness),
      states.map(({ logLiquidity }) => logLiquidity),
    ],
  );
}

async function writeSamples(
  transaction: PostgresTransaction,
  samples: NonNullable<MarketChange['samples']>,
): Promise<MergeCounts> {
  const observed = samples.filter(({ arrived }) => arrived.length > 0);
  if (observed.length === 0) return NOTHING_CHANGED.observations;
  const rows = await transaction.query(
    `UPDATE service.pools AS p SET birth = least(p.birth, observed.birth)
     FROM unnest($1::text[], $2::int[], $3::int8[]) AS observed (generation, id, birth)
     WHERE p.generation = observed.generation AND p.id = observed.id RETURNING p.*`,
    [
      observed.map(({ generation }) => generation),
      observed.map(({ id }) => id),
      observed.map(({ arrived }) => arrived.reduce((first, { t }) => Math.min(first, t), UNBORN)),
    ],
  );
  const numbers = new Map(rows.map((row) => [`${row.generation} ${row.id}`, Number(row.pool)]));
  const arrivals = observed.flatMap(({ generation, id, arrived }) => {
    const pool = numbers.get(`${generation} ${id}`);
    return pool === undefined ? [] : [{ pool, arrived }];
  });
  return recordSamples(transaction, arrivals);
}
