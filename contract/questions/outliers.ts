import { amountText, type Candle } from '../candle.ts';
import type { Evidence } from '../evidence.ts';
import type { HistoryAnswer } from '../reading.ts';
import { isClosed } from '../series.ts';
import { median } from './bands.ts';

/** Fewer candles have no usual course that one of them could leave. */
const fewest = 20;

/** Times that a price may move against its neighbours' middle, a volume above the usual one, high above low. */
const far = { close: 2, volume: 50, spread: 100 };

/** What stood out, never how often or where: that is another with every window. Nothing is said where nothing did. */
export function outlierAnswer({ histories }: Evidence): string | undefined {
  const answers = histories.map((answer) => answer.inTime.filter((each) => isClosed(each, answer)));
  // Five minutes of trade differ that much by themselves.
  const longer = answers.filter((_, at) => (histories[at]?.asked.length ?? 0) >= 3600);
  const told = [
    answers.some(hasFarClose) ? ['close: far from its neighbours'] : [],
    longer.some(hasLargeVolume) ? [`volumeUsd: ${far.volume} times the usual`] : [],
    answers.some(hasWideCandle) ? [`high: ${far.spread} times low`] : [],
  ].flat();
  return told.length > 0 ? told.join(', ') : undefined;
}

type Candles = HistoryAnswer['inTime'];

/** Eight times the median deviation as well: a price that always leaps does not stand out by leaping. */
function hasFarClose(candles: Candles): boolean {
  if (candles.length < fewest || !hasLeap(candles)) return false;
  const moves = candles.map(({ close }, at) =>
    Math.abs(Math.log(close / median(neighbours(candles, at).map((each) => each.close)))),
  );
  const usual = median(moves.filter((each) => !Number.isNaN(each)));
  return moves.some((each) => each > Math.log(far.close) && each > 8 * usual);
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

function hasLargeVolume(candles: Candles): boolean {
  const traded = candles.map((each) => Number(amountText(each, 'volumeUsd'))).filter((each) => each >= 10);
  const usual = median(traded);
  return traded.length >= fewest && traded.some((each) => each > far.volume * usual);
}

function hasWideCandle(candles: Candles): boolean {
  for (const { high, low } of candles) if (low > 0 && high > far.spread * low) return true;
  return false;
}
