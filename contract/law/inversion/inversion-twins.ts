import type { CandleRole } from '../../document/roles.ts';
import type { Candle } from '../../reading/candle.ts';
import type { Evidence } from '../../relations/evidence.ts';
import type { CandlePair, Twins } from '../../relations/twins.ts';
import { candleBreach, type Rule } from '../rule.ts';

/** The expectation that an inverted candle breaks, and the actual value where it is not simply its field. */
type FoundInTwin = { readonly field: CandleRole; readonly expected: string; readonly actual?: string };

export type TwinTest = (plain: Candle, inverted: Candle) => FoundInTwin | undefined;

/**
 * Makes a check that compares every candle with its inverted twin and reports the inverted one. The test is made once per
 * pair of answers, with the values that all of their candles share.
 */
export function eachTwin(testOf: (pair: Twins, evidence: Evidence) => TwinTest): Rule['check'] {
  return function* check(evidence) {
    for (const pair of evidence.twins()) {
      yield { judged: pair.inverted };
      for (const [{ plain, inverted }, found] of brokenTwins(pair, testOf(pair, evidence))) {
        const { field, expected, actual } = found;
        const values = actual === undefined ? expected : { expected, actual };
        const breach = candleBreach(pair.inverted, inverted, field, values);
        yield { breach: { ...breach, candles: [plain, inverted] } };
      }
    }
  };
}

/** A plain loop, since it runs for several rules over every pair. */
function brokenTwins({ candles }: Twins, test: TwinTest): [CandlePair, FoundInTwin][] {
  const broken: [CandlePair, FoundInTwin][] = [];
  for (let at = 0; at < candles.length; at++) {
    const pair = candles[at] as CandlePair;
    const found = test(pair.plain, pair.inverted);
    if (found) broken.push([pair, found]);
  }
  return broken;
}
