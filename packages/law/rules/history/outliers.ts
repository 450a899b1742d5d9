import { requireOperation } from '@candleproof/document/spec/operation';
import { amountText, type Candle } from '../../reading/candle.ts';
import type { HistoryAnswer } from '../../reading/reading.ts';
import { median } from '../../reading/statistics.ts';
import type { Evidence } from '../../relations/evidence.ts';
import { closedCandles } from '../../relations/timeline.ts';

/** Fewer candles have no usual course to leave. */
const fewest = 20;

/** Factors: of a price against its neighbors' median, of a volume against the usual one, of high against low. */
const far = { close: 2, volume: 50, spread: 100 };

/** Names the kinds that stood out, never their number or place, which change with every window; undefined for none. */
export function outlierAnswer({ histories, spec }: Evidence): string | undefined {
  const answers = histories.map(closedCandles);
  // Five-minute volumes vary that much anyway.
  const longer = answers.filter((_, at) => (histories[at]?.requested.length ?? 0) >= 3600);
  const reported = [
    answers.some((answer) => farCloses(answer).length > 0) ? ['close: far from its neighbours'] : [],
    longer.some((candles) => largeVolumes(candles).length > 0)
      ? [`${requireOperation(spec, 'history').fields['volume-usd']}: ${far.volume} times the usual`]
      : [],
    answers.some((answer) => answer.some(isWide)) ? [`high: ${far.spread} times low`] : [],
  ].flat();
  return reported.length > 0 ? reported.join(', ') : undefined;
}

type Candles = HistoryAnswer['inTime'];

/**
 * Finds candles whose close is far from the median of four neighbors, and by more than eight times the median deviation, so
 * that a price which always jumps is not reported.
 */
function farCloses(candles: Candles): Candle[] {
  if (candles.length < fewest || !hasLeap(candles)) return [];
  const moves = candles.map(({ close }, at) =>
    Math.abs(Math.log(close / median(listNeighbors(candles, at).map((neighbor) => neighbor.close)))),
  );
  const usual = median(moves.filter((move) => !Number.isNaN(move)));
  return candles.filter((_, at) => {
    const move = moves[at] ?? 0;
    return move > Math.log(far.close) && move > 8 * usual;
  });
}

/** Returns whether no close is far from its four neighbors unless two steps together lead there. */
function hasLeap(candles: Candles): boolean {
  const step = Math.sqrt(far.close);
  let before = candles[0]?.close ?? Number.NaN;
  for (const { close } of candles) {
    if (close > before * step || close * step < before) return true;
    before = close;
  }
  return false;
}

function listNeighbors(candles: Candles, at: number): readonly Candle[] {
  return [...candles.slice(Math.max(0, at - 2), at), ...candles.slice(at + 1, at + 3)];
}

/** Finds candles with many times the median volume; a few dollars say nothing. */
function largeVolumes(candles: Candles): Candle[] {
  const volumes = candles.map(readDollars);
  const traded = volumes.filter(isTelling);
  const most = far.volume * median(traded);
  if (traded.length < fewest) return [];
  return candles.filter((_, at) => isTelling(volumes[at] ?? 0) && (volumes[at] ?? 0) > most);
}

/** Returns a candle's volume in USD; NaN if unreadable. */
function readDollars(candle: Candle): number {
  return Number(amountText(candle, 'volume-usd'));
}

/** Returns whether a volume is large enough for comparison. */
function isTelling(dollars: number): boolean {
  return dollars >= 10;
}

/** Returns whether a high is out of proportion to its low. */
function isWide({ high, low }: Pick<Candle, 'high' | 'low'>): boolean {
  return low > 0 && high > far.spread * low;
}
