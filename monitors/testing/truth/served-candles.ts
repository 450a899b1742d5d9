import { begin } from './episodes.ts';

/** Length of a candle in seconds. */
const hour = 3600;

/** The hour that is corrected once, Unix seconds. */
const correctedHour = Math.floor(begin / 3_600_000) * hour - 5 * hour;

/** A past that is otherwise than it was: one corrected hour, all candles, and those that vanished, by their starts. */
export type ServedPast = {
  readonly isCorrected?: boolean;
  readonly isReplaced?: boolean;
  readonly isGone?: (start: number) => boolean;
  readonly price?: number;
};

type Served = {
  readonly body: string;
  /** Starts of the closed ones, and of those that a monitor compares with what it saw before. */
  readonly closed: readonly number[];
  readonly compared: readonly number[];
};

const usual = {
  ...{ poolId: 1, open: 0.05, high: 0.06, low: 0.04, close: 0.05, avg: 0.05, volume: '120000000' },
  ...{ liquidity: '9668737245792', volumeUsd: '0.06', liquidityUsd: '4653.53' },
};

/** Returns the latest five minutes at `now` (Unix ms), with prices around one. */
export function servedLatest(now: number, price: number): string {
  const minute = Math.floor(now / 60_000) * 60;
  const times = { timestampSeconds: minute, startTimestampSeconds: minute - (minute % 300) };
  const prices = { open: price, high: 1.2 * price, low: 0.8 * price, close: price, avg: price };
  return JSON.stringify({ ...usual, ...prices, ...times });
}

/** Returns the answer to a request for hours at `now` (Unix ms). */
export function servedCandles(
  path: string,
  now: number,
  { isCorrected, isReplaced, isGone = () => false, price }: ServedPast,
): Served {
  const query = new URL(path, 'https://front.invalid').searchParams;
  const [from, to] = [Number(query.get('from')), Number(query.get('to'))];
  const first = Math.ceil(from / hour) * hour;
  const starts = Array.from(
    { length: Math.max(0, Math.ceil((to - first) / hour)) },
    (_, n) => first + n * hour,
  );
  const candles = starts
    .filter((start) => !isGone(start))
    .map((start) => ({
      ...usual,
      ...(price !== undefined && { open: price, high: price, low: price, close: price }),
      avg: price ?? (isCorrected && start === correctedHour ? 0.051 : 0.05),
      volume: isReplaced ? '240000000' : '120000000',
      ...{ timestampSeconds: start + hour, startTimestampSeconds: start },
    }));
  const serverNow = Math.floor(now / 1000);
  return {
    body: JSON.stringify(candles),
    closed: starts.filter((start) => start + hour <= serverNow),
    compared: starts.filter((start) => start >= from + hour && start < to - hour),
  };
}
