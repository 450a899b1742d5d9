import { requireOperation } from '../../document/operation.ts';
import { amountText, type Candle } from '../../reading/candle.ts';
import type { HistoryAnswer } from '../../reading/reading.ts';
import { median } from '../../reading/statistics.ts';
import type { Evidence } from '../../relations/evidence.ts';
import { closedIn } from '../../relations/timeline.ts';

/** Fewer candles have no usual course that one of them could leave. */
const fewest = 20;

/** Times that a price may move against its neighbours' middle, a volume above the usual one, high above low. */
export const far = { close: 2, volume: 50, spread: 100 };

/** What stood out, never how often or where: that is another with every window. Nothing is said where nothing did. */
export function outlierAnswer({ histories, spec }: Evidence): string | undefined {
  const answers = histories.map(closedIn);
  // Five minutes of trade differ that much by themselves.
  const longer = answers.filter((_, at) => (histories[at]?.requested.length ?? 0) >= 3600);
  const reported = [
    answers.some((each) => farCloses(each).length > 0) ? ['close: far from its neighbours'] : [],
    longer.some((each) => largeVolumes(each).length > 0)
      ? [`${requireOperation(spec, 'history').fields['volume-usd']}: ${far.volume} times the usual`]
      : [],
    answers.some((each) => each.some(isWide)) ? [`high: ${far.spread} times low`] : [],
  ].flat();
  return reported.length > 0 ? reported.join(', ') : undefined;
}

type Candles = HistoryAnswer['inTime'];

/**
 * Candles whose close is far from the middle of four neighbours. Eight times the median deviation as well: a price that
 * always leaps does not stand out by leaping.
 */
export function farCloses(candles: Candles): Candle[] {
  if (candles.length < fewest || !hasLeap(candles)) return [];
  const moves = candles.map(({ close }, at) =>
    Math.abs(Math.log(close / median(neighbours(candles, at).map((each) => each.close)))),
  );
  const usual = median(moves.filter((each) => !Number.isNaN(each)));
  return candles.filter((_, at) => {
    const move = moves[at] ?? 0;
    return move > Math.log(far.close) && move > 8 * usual;
  });
}

/** No close is far from any of four neighbours while two steps together do not lead there. */
function hasLeap(candles: Candles): boolean {
  const step = Math.sqrt(far.close);
  let before = candles[0]?.close ?? Number.NaN;
  for (const { close } of candles) {
    if (close > before * step || close * step < before) return true;
    before = close;
  }
  return false;
}

function neighbours(candles: Candles, at: number): readonly Candle[] {
  return [...candles.slice(Math.max(0, at - 2), at), ...candles.slice(at + 1, at + 3)];
}

/** Candles that were traded in many times as much as the one in the middle; a few dollars tell nothing. */
export function largeVolumes(candles: Candles): Candle[] {
  const volumes = candles.map(dollarsOf);
  const traded = volumes.filter(isTelling);
  const most = far.volume * median(traded);
  if (traded.length < fewest) return [];
  return candles.filter((_, at) => isTelling(volumes[at] ?? 0) && (volumes[at] ?? 0) > most);
}

/** What was traded in a candle, in USD; NaN where it cannot be read. */
export function dollarsOf(candle: Candle): number {
  return Number(amountText(candle, 'volume-usd'));
}

/** Enough dollars to be compared. */
export function isTelling(dollars: number): boolean {
  return dollars >= 10;
}

/** A high that is out of proportion to its low. */
export function isWide({ high, low }: Pick<Candle, 'high' | 'low'>): boolean {
  return low > 0 && high > far.spread * low;
}

/** Candles whose high is out of proportion to their low. */
export function wideCandles(candles: Candles): Candle[] {
  return candles.filter(isWide);
}
