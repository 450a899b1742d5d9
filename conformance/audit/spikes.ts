import {
  dollarsOf,
  far,
  farCloses,
  isTelling,
  largeVolumes,
  wideCandles,
} from '../../contract/law/history/outliers.ts';
import type { Candle } from '../../contract/reading/candle.ts';
import { median } from '../../contract/reading/statistics.ts';

export type Suspect = { readonly candle: Candle; readonly detail: string };

/** Candles on either side by which one is measured: wide enough for a spike of two, near enough for a market that grew. */
const window = { close: 5, volume: 10 };

/** Robust standard deviations of the logarithm; volumes of honest pools spread over three orders of magnitude. */
const deviations = 6;

/** A median deviation as a standard deviation, were the values normal. */
const normal = 1.4826;

/**
 * Candles in the order of time that stand out by price or by volume, and do not stay so: a new level is no spike. The
 * first and the last ones have neighbours on one side alone, which do not tell.
 */
export function spikesIn(candles: readonly Candle[]): Suspect[] {
  const places = new Map(candles.map((each, at) => [each, at]));
  const prices = candles.map(({ close }) => close);
  const volumes = candles.map(dollarsOf);
  const isUsual = usualVolumes(volumes);
  const at = (candle: Candle): number => places.get(candle) ?? 0;
  return [
    ...farCloses(candles).flatMap((candle) => closeSpike(candle, prices, at(candle))),
    ...largeVolumes(candles).flatMap((candle) =>
      isUsual(volumes[at(candle)] ?? 0) ? [] : volumeSpike(candle, volumes, at(candle)),
    ),
    ...wideCandles(candles).map((candle) => ({
      candle,
      detail: `high ${candle.high} is more than ${far.spread} times low ${candle.low}`,
    })),
  ];
}

function closeSpike(candle: Candle, prices: readonly number[], at: number): Suspect[] {
  const [before, after] = sides(prices, at, window.close).map(median);
  const moves = [before, after].map((each) => Math.log(candle.close / (each ?? Number.NaN)));
  const isAlone =
    moves.every((each) => each > Math.log(far.close)) || moves.every((each) => -each > Math.log(far.close));
  const detail = `close ${candle.close} between ${before} before and ${after} after: ${far.close} times and 8 times the usual move`;
  return isAlone ? [{ candle, detail }] : [];
}

function volumeSpike(candle: Candle, volumes: readonly number[], at: number): Suspect[] {
  const usual = median(sides(volumes, at, window.volume).flat().filter(isTelling));
  const own = volumes[at] ?? 0;
  const detail = `${candle.reading.fields['volume-usd']} ${own} beside ${usual} in its neighbourhood: ${far.volume} times, and ${deviations} deviations of all`;
  return own > far.volume * usual ? [{ candle, detail }] : [];
}

/** No further from the middle of all than their own spread explains. */
function usualVolumes(volumes: readonly number[]): (volume: number) => boolean {
  const logs = volumes.filter(isTelling).map(Math.log);
  const middle = median(logs);
  const spread = normal * median(logs.map((each) => Math.abs(each - middle)));
  return (volume) => Math.log(volume) - middle <= deviations * spread;
}

function sides(values: readonly number[], at: number, width: number): [number[], number[]] {
  return [values.slice(Math.max(0, at - width), at), values.slice(at + 1, at + 1 + width)];
}
