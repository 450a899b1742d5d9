import type { CandleRole } from '../../document/roles.ts';
import type { Candle } from '../../reading/candle.ts';
import type { Twins } from '../../relations/twins.ts';
import { candleBreach, type Rule } from '../rule.ts';

type TwinTest = (
  plain: Candle,
  inverted: Candle,
  pair: Twins,
) => { field: CandleRole; expected: string } | undefined;

/** A check that looks at each candle beside its inverted twin and reports the inverted one. */
export function eachTwin(test: TwinTest): Rule['check'] {
  return function* check({ twins }) {
    for (const pair of twins()) {
      yield { judged: pair.inverted };
      for (const [plain, inverted] of pair.candles) {
        const found = test(plain, inverted, pair);
        if (!found) continue;
        const breach = candleBreach(pair.inverted, inverted, found.field, found.expected);
        yield { breach: { ...breach, candles: [plain, inverted] } };
      }
    }
  };
}
