import { type Interval, LENGTH, meanInverse, meanPrice } from '../market/candle.ts';
import type { DatedCandle } from '../store/candle-reading.ts';
import type { StoredToken } from '../store/stored-market.ts';
import type { Choices } from './choices.ts';
import type { JsonObject } from './message.ts';

/** The documented candlestick record (§2.2). */
export type CandleRecord = {
  readonly poolId: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly avg: number;
  readonly volume: string;
  readonly liquidity: string;
  readonly volumeUsd: string;
  readonly liquidityUsd: string;
  readonly timestampSeconds: number;
  readonly startTimestampSeconds: number;
};

/** The presentation of candles: pool, interval, and plain or inverted prices. */
export type Presentation = {
  readonly poolId: number;
  readonly interval: Interval;
  readonly inverted: boolean;
  readonly openEnd: Choices['openEnd'];
};

/**
 * Returns the record of a candle. Inversion turns every price p into 1/p, so high and low swap and avg is the mean of
 * the inverted minutes. Amounts of money do not change.
 */
export function candleRecord(candle: DatedCandle, shown: Presentation): CandleRecord {
  const { open, high, low, close, start } = candle;
  const prices = shown.inverted
    ? { open: 1 / open, high: 1 / low, low: 1 / high, close: 1 / close, avg: meanInverse(candle) }
    : { open, high, low, close, avg: meanPrice(candle) };
  return {
    poolId: shown.poolId,
    ...prices,
    volume: String(candle.volume),
    liquidity: String(candle.liquidity),
    volumeUsd: formatUsd(candle.volumeUsdCents),
    liquidityUsd: formatUsd(candle.liquidityUsdCents),
    timestampSeconds: candleEnd(candle, shown.interval, shown.openEnd),
    startTimestampSeconds: start,
  };
}

/** Returns E of a candle: the end of a closed bucket; for an open one it depends on the choices. */
export function candleEnd(candle: DatedCandle, interval: Interval, openEnd: Choices['openEnd']): number {
  return candle.closed || openEnd === 'interval-end' ? candle.start + LENGTH[interval] : candle.lastSample;
}

/** Returns the record as JSON. Takes half the time of JSON.stringify over thousands of rows. */
export function candleText(c: CandleRecord): string {
  return (
    `{"poolId":${c.poolId},"open":${c.open},"high":${c.high},"low":${c.low},"close":${c.close},"avg":${c.avg},` +
    `"volume":"${c.volume}","liquidity":"${c.liquidity}","volumeUsd":"${c.volumeUsd}",` +
    `"liquidityUsd":"${c.liquidityUsd}","timestampSeconds":${c.timestampSeconds},` +
    `"startTimestampSeconds":${c.startTimestampSeconds}}`
  );
}

/**
 * Returns the token record (§2.1). Its priceUsd is the stored one, or else the price at `hbarUsd` USD per HBAR, to eight
 * decimals.
 */
export function tokenRecord(token: StoredToken, hbarUsd: number): JsonObject {
  return {
    id: token.id,
    icon: token.icon,
    symbol: token.symbol,
    decimals: token.decimals,
    price: String(token.price),
    priceUsd: token.priceUsd ?? Math.round(Number(token.price) * hbarUsd) / 1e8,
    dueDiligenceComplete: token.dueDiligenceComplete,
    isFeeOnTransferToken: token.isFeeOnTransferToken,
  };
}

/** Formats cents as decimal text without trailing zeros: 465353n is "4653.53", 0n is "0". */
export function formatUsd(cents: bigint): string {
  const whole = cents / 100n;
  const rest = Number(cents % 100n);
  if (rest === 0) return String(whole);
  return rest % 10 === 0 ? `${whole}.${rest / 10}` : `${whole}.${String(rest).padStart(2, '0')}`;
}
