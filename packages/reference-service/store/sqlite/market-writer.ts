import type { Statements } from '@candleproof/files/database-file';
import { LENGTH, type Sample } from '../../market/candle.ts';
import type { TokenProfile } from '../../market/token-list.ts';
import {
  candleRow,
  countOutcomes,
  findBucketRuns,
  foldChanged,
  type MergeCounts,
  mergeSamples,
  sampleRow,
  sumCounts,
} from '../sample-merge.ts';
import {
  ALWAYS,
  type ChangeCounts,
  type GivenToken,
  isSameToken,
  type MarketChange,
  type PoolName,
  readToken,
  UNBORN,
} from '../stored-market.ts';
import type { SqliteMarket } from './market-tables.ts';

/** Writes a change to the tables. Must run in a transaction. */
export function writeChange(sql: Statements, tables: SqliteMarket, change: MarketChange): ChangeCounts {
  if (change.bornAnew !== undefined) deleteHistory(sql, change.bornAnew);
  if (change.dropBefore !== undefined) sql.run('DELETE FROM samples WHERE t < ?', change.dropBefore);
  for (const [name, value] of Object.entries(change.facts ?? {}))
    sql.run('INSERT OR REPLACE INTO facts VALUES (?, ?)', name, String(value));
  const pools = countOutcomes((change.pools ?? []).map((pool) => addPool(sql, tables, pool)));
  const tokens = countOutcomes((change.givenTokens ?? []).map((token) => writeGivenToken(sql, token)));
  for (const [position, token] of (change.listedTokens ?? []).entries()) addToken(sql, position, token);
  for (const { t, position, price } of change.tokenPrices ?? []) writePrice(sql, t, position, price, null);
  for (const [t, usd] of change.hbarUsd ?? [])
    sql.run('INSERT OR REPLACE INTO hbar_prices VALUES (?, ?)', t, usd);
  for (const [series, { walk, logLiquidity }] of change.walks ?? [])
    sql.run(
      'INSERT OR REPLACE INTO walks VALUES (?, ?, ?, ?)',
      series,
      walk.level,
      walk.nervousness,
      logLiquidity,
    );
  return { pools, tokens, observations: writeSamples(sql, tables, change.samples ?? []) };
}

/** Deletes the history of all pools and sets their birth (Unix seconds). */
function deleteHistory(sql: Statements, birth: number): void {
  for (const table of ['samples', 'candles', 'walks', 'hbar_prices']) sql.run(`DELETE FROM ${table}`);
  sql.run('UPDATE pools SET birth = ?, revision = revision + 1', birth);
}

function addPool(
  sql: Statements,
  tables: SqliteMarket,
  { generation, id, birth = UNBORN }: PoolName & { readonly birth?: number },
): keyof MergeCounts {
  if (tables.pool(generation, id)) return 'unchanged';
  sql.run('INSERT INTO pools (generation, id, birth) VALUES (?, ?, ?)', generation, id, birth);
  return 'added';
}

/** Writes an ingested token: replaces the one with the same id, or appends it to the list. */
function writeGivenToken(sql: Statements, token: GivenToken): keyof MergeCounts {
  const row = sql.get(
    'SELECT * FROM token_prices JOIN tokens USING (position) WHERE t = ? AND id = ?',
    ALWAYS,
    token.id,
  );
  const before = row && readToken(row);
  if (before && isSameToken(before, token)) return 'unchanged';
  const next = sql.get('SELECT coalesce(max(position) + 1, 0) AS position FROM tokens');
  const position = before?.position ?? Number(next?.position);
  addToken(sql, position, token);
  writePrice(sql, ALWAYS, position, token.price, token.priceUsd);
  return before ? 'corrected' : 'added';
}

function addToken(sql: Statements, position: number, token: TokenProfile): void {
  const { id, icon, symbol, decimals, dueDiligenceComplete, isFeeOnTransferToken } = token;
  const flags = [Number(dueDiligenceComplete), Number(isFeeOnTransferToken)];
  sql.run(
    'INSERT OR REPLACE INTO tokens VALUES (?, ?, ?, ?, ?, ?, ?)',
    position,
    id,
    icon,
    symbol,
    decimals,
    ...flags,
  );
}

function writePrice(sql: Statements, t: number, position: number, price: bigint, usd: number | null): void {
  sql.run('INSERT OR REPLACE INTO token_prices VALUES (?, ?, ?, ?)', t, position, String(price), usd);
}

function writeSamples(
  sql: Statements,
  tables: SqliteMarket,
  samples: NonNullable<MarketChange['samples']>,
): MergeCounts {
  const counts = samples.map(({ generation, id, arrived }) => {
    const pool = tables.pool(generation, id)?.pool;
    return pool === undefined || arrived.length === 0 ? undefined : recordSamples(sql, tables, pool, arrived);
  });
  return sumCounts(counts.filter((merged) => merged !== undefined));
}

/** Writes samples of one pool and updates its candles to what they would be if all samples had arrived once and in order. */
function recordSamples(
  sql: Statements,
  tables: SqliteMarket,
  pool: number,
  arrived: readonly Sample[],
): MergeCounts {
  const first = arrived.reduce((least, { t }) => Math.min(least, t), Number.POSITIVE_INFINITY);
  sql.run('UPDATE pools SET birth = ? WHERE pool = ? AND birth > ?', first, pool, first);
  const newest = tables.newestSample(pool, Number.MAX_SAFE_INTEGER) ?? -1;
  const stored = findBucketRuns(arrived, LENGTH.FIVEMIN).flatMap((run) =>
    tables.samples(pool, run.first, run.last),
  );
  const merged = mergeSamples(stored, arrived);
  if ((merged.changed[0]?.t ?? Number.POSITIVE_INFINITY) <= newest)
    sql.run('UPDATE pools SET revision = revision + 1 WHERE pool = ?', pool);
  const candles = foldChanged(merged, (length, runs) =>
    runs.flatMap((run) => tables.candles(pool, length, run.first, run.last)),
  );
  const writeSample = sql.prepare('INSERT OR REPLACE INTO samples VALUES (?,?,?,?,?,?,?)');
  for (const sample of merged.changed) writeSample.run(...sampleRow(pool, sample));
  const writeCandle = sql.prepare('INSERT OR REPLACE INTO candles VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)');
  for (const candle of candles) writeCandle.run(...candleRow(pool, candle));
  return merged.recorded;
}
