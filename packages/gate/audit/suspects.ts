import { amounts, type Rung } from '@candleproof/document/spec/roles';
import { amountText, type Candle } from '@candleproof/law/reading/candle';
import { median } from '@candleproof/law/reading/statistics';
import { thousands } from '@candleproof/law/reading/thousands';
import {
  far,
  farCloses,
  isTelling,
  largeVolumes,
  readDollars,
  wideCandles,
} from '@candleproof/law/rules/history/outliers';

export type Suspect = { readonly candle: Candle; readonly detail: string };

/** Candles on either side by which one is measured: wide enough for a spike of two, near enough for a market that grew. */
const window = { close: 5, volume: 10 };

/** Robust standard deviations of the logarithm; volumes of honest pools spread over three orders of magnitude. */
const deviations = 6;

/** Converts a median deviation to a standard deviation, for normally distributed values. */
const normal = 1.4826;

/**
 * Finds candles that stand out by price or volume and do not stay so: a new level is no spike. `candles` are in the
 * order of time. The first and the last have neighbors on one side only, which prove nothing.
 */
export function findSpikes(candles: readonly Candle[]): Suspect[] {
  const places = new Map(candles.map((candle, at) => [candle, at]));
  const prices = candles.map(({ close }) => close);
  const volumes = candles.map(readDollars);
  const isUsual = usualVolumeTest(volumes);
  const findPlace = (candle: Candle): number => places.get(candle) ?? 0;
  return [
    ...farCloses(candles).flatMap((candle) => closeSpike(candle, prices, findPlace(candle))),
    ...largeVolumes(candles).flatMap((candle) =>
      isUsual(volumes[findPlace(candle)] ?? 0) ? [] : volumeSpike(candle, volumes, findPlace(candle)),
    ),
    ...wideCandles(candles).map((candle) => ({
      candle,
      detail: `high ${candle.high} is more than ${far.spread} times low ${candle.low}`,
    })),
  ];
}

function closeSpike(candle: Candle, prices: readonly number[], at: number): Suspect[] {
  const [before, after] = listNeighbors(prices, at, window.close).map(median);
  const moves = [before, after].map((close) => Math.log(candle.close / (close ?? Number.NaN)));
  const isAlone =
    moves.every((move) => move > Math.log(far.close)) || moves.every((move) => -move > Math.log(far.close));
  const detail = `close ${candle.close} between ${before} before and ${after} after: ${far.close} times and 8 times the usual move`;
  return isAlone ? [{ candle, detail }] : [];
}

function volumeSpike(candle: Candle, volumes: readonly number[], at: number): Suspect[] {
  const usual = median(listNeighbors(volumes, at, window.volume).flat().filter(isTelling));
  const volume = volumes[at] ?? 0;
  const detail = `${candle.reading.fields['volume-usd']} ${volume} beside ${usual} in its neighbourhood: ${far.volume} times, and ${deviations} deviations of all`;
  return volume > far.volume * usual ? [{ candle, detail }] : [];
}

/** No further from the middle of all than their spread explains. */
function usualVolumeTest(volumes: readonly number[]): (volume: number) => boolean {
  const logs = volumes.filter(isTelling).map(Math.log);
  const middle = median(logs);
  const spread = normal * median(logs.map((log) => Math.abs(log - middle)));
  return (volume) => Math.log(volume) - middle <= deviations * spread;
}

function listNeighbors(values: readonly number[], at: number, width: number): [number[], number[]] {
  return [values.slice(Math.max(0, at - width), at), values.slice(at + 1, at + 1 + width)];
}

/** Rows in succession from which a standstill is no chance: half a day of hours, or two of anything longer. */
const fewest: Readonly<Partial<Record<Rung, number>>> = { hour: 12 };
const fewestLonger = 2;

/** USD from which a cent is so small a share that an exchange rate to USD moves by it within any hour. */
const tellingWorth = 1000;

/**
 * Finds candles in runs in which nothing at all moves: prices, amounts and, most of all, the worth in USD. A pool
 * without trades is no such run, since its worth in USD moves with the exchange rate; nor is a pool too small to show it.
 * A price that does not move while no liquidity is left is one: no trade was possible at it.
 */
export function findFlatLines(candles: readonly Candle[], interval: Rung, length: number): Suspect[] {
  const least = fewest[interval] ?? fewestLonger;
  return listRuns(candles, length)
    .filter((run) => run.length >= least)
    .flatMap((run) => run.map((candle) => ({ candle, detail: describeRun(run) })));
}

function describeRun(run: readonly Candle[]): string {
  const [first] = run;
  const worth = first && amountText(first, 'liquidity-usd');
  return Number(worth) > 0
    ? `prices, amounts and ${first?.reading.fields['liquidity-usd']} ${worth} stand still in ${thousands(run.length)} rows: an exchange rate to USD never does`
    : `a price of ${first?.close} that never moves in ${thousands(run.length)} rows, over no liquidity at all`;
}

function listRuns(candles: readonly Candle[], length: number): Candle[][] {
  const runs: Candle[][] = [];
  for (const candle of candles.filter(isStill)) {
    const run = runs.at(-1);
    const before = run?.at(-1);
    if (run && before && candle.start === before.start + length && isSame(before, candle)) run.push(candle);
    else runs.push([candle]);
  }
  return runs;
}

/** Within the candle no price moves, and its worth is one that would. */
function isStill(candle: Candle): boolean {
  const { open, high, low, close } = candle;
  if (!(high === low && open === close && open === high && open > 0)) return false;
  const worth = Number(amountText(candle, 'liquidity-usd'));
  return worth >= tellingWorth || (worth === 0 && Number(amountText(candle, 'liquidity')) === 0);
}

function isSame(one: Candle, other: Candle): boolean {
  return (
    one.close === other.close &&
    one.avg === other.avg &&
    amounts.every((amount) => amountText(one, amount) === amountText(other, amount))
  );
}
