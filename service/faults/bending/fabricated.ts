import type { RequestContext } from '../../api/distortion.ts';
import type { CandleRecord } from '../../api/records.ts';
import { bucketStart, LENGTH, MONDAY } from '../../market/interval.ts';

const MOST_MADE_UP = 1000;

/** The rows, and flat ones for the whole buckets of the range that have none; at most a thousand of them. */
export function fabricated(rows: readonly CandleRecord[], requested: RequestContext): CandleRecord[] {
  const { question } = requested;
  if (question?.from === undefined || question.to === undefined) return [...rows];
  const { poolId, interval, from, to } = question;
  const length = LENGTH[interval];
  const known = new Map(rows.map((row) => [row.startTimestampSeconds, row]));
  const made = [...rows];
  let start = bucketStart(from + length - 1, interval, MONDAY);
  for (let left = MOST_MADE_UP; left > 0 && start + length <= to; start += length) {
    if (known.has(start)) continue;
    made.push(flat({ poolId, start, end: start + length, price: rows[0]?.open ?? 1 }));
    left -= 1;
  }
  return made.sort((a, b) => a.startTimestampSeconds - b.startTimestampSeconds);
}

function flat(row: { poolId: number; start: number; end: number; price: number }): CandleRecord {
  const { poolId, start, end, price } = row;
  return {
    poolId,
    open: price,
    high: price,
    low: price,
    close: price,
    avg: price,
    volume: '0',
    liquidity: '0',
    volumeUsd: '0',
    liquidityUsd: '0',
    timestampSeconds: end,
    startTimestampSeconds: start,
  };
}
