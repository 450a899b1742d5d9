import type { PostgresQuery } from '../../../postgres/postgres-database.ts';
import type { Sample } from '../../market/candle.ts';
import { LENGTH } from '../../market/interval.ts';
import { type MergeCounts, mergeSamples, sortByTime } from '../sample-merge.ts';
import { toSample } from './market-tables.ts';
import { makePartitions } from './partitions.ts';

/** New samples of one pool, in any order. */
export type ArrivedSamples = { readonly pool: number; readonly arrived: readonly Sample[] };

/** Adds in ascending order of samples, so that sums are identical whatever the order of arrival. */
const WHOLE_BUCKETS = `
  INSERT INTO service.candles
  SELECT bucket.pool, $3, bucket.start, whole.*
  FROM unnest($1::int[], $2::int8[]) AS bucket (pool, start) CROSS JOIN LATERAL (
    SELECT max(part.last_sample), sum(part.samples), (array_agg(part.open ORDER BY part.start))[1], max(part.high),
      min(part.low), (array_agg(part.close ORDER BY part.start DESC))[1], sum(part.price_sum ORDER BY part.start),
      sum(part.inverse_sum ORDER BY part.start), sum(part.volume), sum(part.volume_usd_cents),
      (array_agg(part.liquidity ORDER BY part.start DESC))[1],
      (array_agg(part.liquidity_usd_cents ORDER BY part.start DESC))[1]
    FROM (@PARTS) AS part
  ) AS whole
  ON CONFLICT (pool, length, start) DO UPDATE SET (last_sample, samples, open, high, low, close, price_sum, inverse_sum,
    volume, volume_usd_cents, liquidity, liquidity_usd_cents) = (excluded.last_sample, excluded.samples, excluded.open,
    excluded.high, excluded.low, excluded.close, excluded.price_sum, excluded.inverse_sum, excluded.volume,
    excluded.volume_usd_cents, excluded.liquidity, excluded.liquidity_usd_cents)`;

const OF_SAMPLES = WHOLE_BUCKETS.replace(
  '@PARTS',
  `SELECT t AS start, t AS last_sample, 1 AS samples, price AS open, price AS high, price AS low, price AS close,
    price AS price_sum, 1 / price AS inverse_sum, volume, volume_usd_cents, liquidity, liquidity_usd_cents
  FROM service.samples AS s WHERE s.pool = bucket.pool AND t >= bucket.start AND t < bucket.start + $3`,
);
const OF_CANDLES = WHOLE_BUCKETS.replace(
  '@PARTS',
  `SELECT * FROM service.candles AS c
  WHERE c.pool = bucket.pool AND c.length = $4 AND c.start >= bucket.start AND c.start < bucket.start + $3`,
);

const WRITE_SAMPLES = `
  INSERT INTO service.samples
  SELECT * FROM unnest($1::int[], $2::int8[], $3::float8[], $4::int8[], $5::int8[], $6::int8[], $7::int8[])
  ON CONFLICT (pool, t) DO UPDATE SET (price, volume, volume_usd_cents, liquidity, liquidity_usd_cents) =
    (excluded.price, excluded.volume, excluded.volume_usd_cents, excluded.liquidity, excluded.liquidity_usd_cents)`;

/**
 * Writes samples and updates their candles to what they would be if all samples had arrived once and in order. Must run
 * in the transaction of the only writer.
 */
export async function recordSamples(
  query: PostgresQuery,
  all: readonly ArrivedSamples[],
): Promise<MergeCounts> {
  const counts = { added: 0, unchanged: 0, corrected: 0 };
  const changed: { readonly pool: number; readonly sample: Sample }[] = [];
  const stored = await readStoredSamples(query, all);
  for (const { pool, arrived } of all) {
    const merged = mergeSamples(stored.get(pool) ?? [], sortByTime(arrived));
    counts.added += merged.recorded.added;
    counts.unchanged += merged.recorded.unchanged;
    counts.corrected += merged.recorded.corrected;
    for (const sample of merged.changed) changed.push({ pool, sample });
  }
  if (changed.length === 0) return counts;
  await makePartitions(
    query,
    changed.map(({ sample }) => sample.t),
  );
  await revisePools(query, changed);
  await query(WRITE_SAMPLES, [
    changed.map(({ pool }) => pool),
    changed.map(({ sample }) => sample.t),
    changed.map(({ sample }) => sample.price),
    changed.map(({ sample }) => sample.volume),
    changed.map(({ sample }) => sample.volumeUsdCents),
    changed.map(({ sample }) => sample.liquidity),
    changed.map(({ sample }) => sample.liquidityUsdCents),
  ]);
  await query(OF_SAMPLES, listBuckets(changed, LENGTH.FIVEMIN));
  await query(OF_CANDLES, [...listBuckets(changed, LENGTH.HOUR), LENGTH.FIVEMIN]);
  await query(OF_CANDLES, [...listBuckets(changed, LENGTH.DAY), LENGTH.HOUR]);
  return counts;
}

type ChangedSample = { readonly pool: number; readonly sample: Sample };

/** Reads the stored samples of the minutes that arrived, ascending by pool. */
async function readStoredSamples(
  query: PostgresQuery,
  all: readonly ArrivedSamples[],
): Promise<ReadonlyMap<number, Sample[]>> {
  const minutes = all.flatMap(({ pool, arrived }) => arrived.map(({ t }) => ({ pool, t })));
  const rows = await query(
    `SELECT s.* FROM (SELECT DISTINCT * FROM unnest($1::int[], $2::int8[])) AS minute (pool, t)
     CROSS JOIN LATERAL (SELECT * FROM service.samples AS s WHERE s.pool = minute.pool AND s.t = minute.t) AS s
     ORDER BY t`,
    [minutes.map(({ pool }) => pool), minutes.map(({ t }) => t)],
  );
  const stored = new Map<number, Sample[]>();
  for (const row of rows) {
    const samples = stored.get(Number(row.pool)) ?? [];
    samples.push(toSample(row));
    stored.set(Number(row.pool), samples);
  }
  return stored;
}

/** Increments the revision of pools where a sample changes that is not the newest. */
async function revisePools(query: PostgresQuery, changed: readonly ChangedSample[]): Promise<void> {
  const first = new Map<number, number>();
  for (const { pool, sample } of changed) first.set(pool, Math.min(first.get(pool) ?? sample.t, sample.t));
  await query(
    `UPDATE service.pools SET revision = revision + 1 FROM unnest($1::int[], $2::int8[]) AS first (number, t)
     WHERE pool = number AND EXISTS (SELECT FROM service.samples AS s WHERE s.pool = number AND s.t >= first.t)`,
    [[...first.keys()], [...first.values()]],
  );
}

function listBuckets(changed: readonly ChangedSample[], length: number): [number[], number[], number] {
  const buckets = new Map(
    changed.map(({ pool, sample: { t } }) => [
      `${pool} ${t - (t % length)}`,
      [pool, t - (t % length)] as const,
    ]),
  );
  const places = [...buckets.values()];
  return [places.map(([pool]) => pool), places.map(([, start]) => start), length];
}
