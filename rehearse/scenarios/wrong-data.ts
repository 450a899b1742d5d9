import type { Distortion } from '../../service/api/distortion.ts';
import type { HeardExchange } from '../heard.ts';

/** How often (ms) the past is painted anew. */
const repaintMs = 2000;
/** A request is heard so long (ms) before it is answered, at most. */
const lateMs = 100;

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

/** Whether the same history, whatever its times are, was sent before in other paint: sooner it is not painted anew. */
export function isRepainted(before: HeardExchange, { target, arrived, answer }: HeardExchange): boolean {
  const form = (text: string): string => text.replaceAll(/=\d+/g, '=');
  return (
    form(before.target) === form(target) &&
    arrived - before.arrived > repaintMs - lateMs &&
    before.answer.sha256 !== answer.sha256
  );
}
