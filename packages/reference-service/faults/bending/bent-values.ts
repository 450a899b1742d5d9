import type { Distortion, RequestContext } from '../../api/distortion.ts';
import type { CandleRecord } from '../../api/records.ts';
import { bendAt, type Place } from './places.ts';

/** Changes the five prices of a candle. */
export function mapPrices(candle: CandleRecord, change: (price: number) => number): CandleRecord {
  const { open, high, low, close, avg } = candle;
  return {
    ...candle,
    open: change(open),
    high: change(high),
    low: change(low),
    close: change(close),
    avg: change(avg),
  };
}

/** Multiplies the five prices of a candle. */
export function scalePrices(candle: CandleRecord, by: number): CandleRecord {
  return mapPrices(candle, (price) => price * by);
}

/** Rounds the five prices of a candle to so many significant digits. */
export function roundPrices(candle: CandleRecord, digits: number): CandleRecord {
  const places = Math.min(100, Math.max(1, Math.round(digits)));
  return mapPrices(candle, (price) => Number(price.toPrecision(places)));
}

/** Inverts all prices of a candle but its mean. */
export function invertPrices<Candle extends Pick<CandleRecord, 'open' | 'high' | 'low' | 'close'>>(
  candle: Candle,
): Candle {
  const { open, high, low, close } = candle;
  return { ...candle, open: 1 / open, high: 1 / low, low: 1 / high, close: 1 / close };
}

/** Moves both times of a candle. */
export function shiftTimes(candle: CandleRecord, seconds: number): CandleRecord {
  const { startTimestampSeconds: start, timestampSeconds: end } = candle;
  return { ...candle, startTimestampSeconds: start + seconds, timestampSeconds: end + seconds };
}

/** Returns a distortion of one amount of the candles of a place; a factor of 1 leaves a candle as it is. */
export function multiplyAmount(
  amount: 'volume' | 'liquidity' | 'volumeUsd' | 'liquidityUsd',
  isMet: Place,
  factorOf: (candle: CandleRecord, requested: RequestContext) => number,
): Distortion {
  const multiply = amount.endsWith('Usd') ? multiplyUsd : multiplyWhole;
  return bendAt('candle', isMet, (candle, requested) => {
    const factor = factorOf(candle, requested);
    return factor === 1 ? candle : { ...candle, [amount]: multiply(candle[amount], factor) };
  });
}

/** Multiplies a whole amount in text, exactly for whole factors. Leaves text of another fault as it is. */
export function multiplyWhole(text: string, factor: number): string {
  if (!/^\d+$/.test(text)) return text;
  if (Number.isInteger(factor)) return String(BigInt(text) * BigInt(factor));
  return String(BigInt(Math.round(Number(text) * factor)));
}

/** Multiplies an amount in USD, to at most two decimals. */
export function multiplyUsd(text: string, factor: number): string {
  return formatUsdAmount(Number(text) * factor);
}

/** Formats dollars with at most two decimals. */
export function formatUsdAmount(dollars: number): string {
  return String(Math.round(dollars * 100) / 100);
}
