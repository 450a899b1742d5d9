import type { Candle } from '../reading/candle.ts';
import type { CandleAnswer } from '../reading/reading.ts';
import { isClosed } from '../relations/series.ts';

/** Enough candles of one answer to answer a question by: a long history costs no more than a short one. */
const enough = 300;

/** The newest candles in the order of time. */
export function newestOf({ inTime }: CandleAnswer, most = enough): readonly Candle[] {
  return inTime.length > most ? inTime.slice(-most) : inTime;
}

export function newestClosed(answer: CandleAnswer): readonly Candle[] {
  return newestOf(answer).filter((each) => isClosed(each, answer));
}
