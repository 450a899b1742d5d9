import type { Candle } from '../reading/candle.ts';
import type { CandleAnswer } from '../reading/reading.ts';
import { isClosed } from '../relations/series.ts';

/** Candles of one answer that suffice for a question, so that a long history costs no more than a short one. */
const enough = 300;

/** Returns the newest candles, sorted by time. */
export function listNewest({ inTime }: CandleAnswer, most = enough): readonly Candle[] {
  return inTime.length > most ? inTime.slice(-most) : inTime;
}

/** Returns the newest closed candles, sorted by time. */
export function newestClosed(answer: CandleAnswer): readonly Candle[] {
  return listNewest(answer).filter((each) => isClosed(each, answer));
}
