import type { Distortion } from '../../service/api/distortion.ts';

/** How often (ms) the past is painted anew. */
const repaintMs = 2000;

/** Each history lacks the candle in its middle. */
export const gapInTheMiddle: Distortion = {
  rows: (rows) => (rows.length < 3 ? rows : rows.filter((_, at) => at !== Math.floor(rows.length / 2))),
};

/** Every two seconds the prices of histories are restated by a thousandth, those of closed candles too. */
export function repainted(): Distortion {
  let began: number | undefined;
  return {
    candle: (candle, { now, question }) => {
      if (question?.from === undefined) return candle;
      began ??= now;
      const by = 1 + 0.001 * Math.floor((now - began) / repaintMs);
      const { open, high, low, close, avg } = candle;
      return { ...candle, open: open * by, high: high * by, low: low * by, close: close * by, avg: avg * by };
    },
  };
}
