import { hour, intervalName } from '@candleproof/document/spec/interval';
import { poolName } from '@candleproof/document/spec/operation';
import type { Evidence } from '../relations/evidence.ts';
import type { Timeline } from '../relations/timeline.ts';
import { candleAddress } from '../rules/breach.ts';
import { drawPrices } from './drawn-candles.ts';
import type { SampledCandles } from './verdict.ts';

/** Candles that are drawn. */
const most = 48;

/** Fewer show nothing. */
const fewest = 3;

/** Returns the newest closed candles that were read of one pool, in hours if there are such; undefined if too few were. */
export function sampleCandles({ timelines, histories, spec }: Evidence): SampledCandles | undefined {
  const distance = ({ length }: Timeline): number => Math.abs(Math.log(length / hour));
  const [line] = timelines()
    .filter(({ inverted, candles }) => !inverted && candles.length >= fewest)
    .toSorted((a, b) => distance(a) - distance(b) || b.candles.length - a.candles.length);
  const answer = line && histories.find((one) => line.answers.includes(one));
  if (!answer) return undefined;
  return {
    pool: poolName(spec, answer.requested),
    address: candleAddress(answer.requested, line.candles.at(-1)?.start ?? 0),
    interval: intervalName(spec.intervals, line.length),
    candles: line.candles.slice(-most).map((candle) => ({ ...drawPrices(candle), offending: false })),
  };
}
