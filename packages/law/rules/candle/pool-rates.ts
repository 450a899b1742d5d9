import { amountText, type Candle } from '../../reading/candle.ts';
import type { HistoryAnswer } from '../../reading/reading.ts';
import { median } from '../../reading/statistics.ts';
import { rateDeviation, rateErrors } from '../../reading/tolerances.ts';
import type { Evidence } from '../../relations/evidence.ts';
import { isInverted, poolKey } from '../../relations/series.ts';
import { closedCandles } from '../../relations/timeline.ts';
import { candleBreach } from '../breach.ts';
import { recentHoursOfEachPool } from '../needs.ts';
import type { CheckOutcome, Rule } from '../rule.ts';
import { type Flow, usdRates } from './usd-rates.ts';

/** One closed row with its USD rate. */
type RatedRow = { readonly answer: HistoryAnswer; readonly candle: Candle; readonly rate: number };

/** One row of a pool, and the logarithm of its rate beside that of the other pools in the same interval. */
type Deviation = RatedRow & { readonly usual: number; readonly apart: number };

/** Fewer rows of a pool do not show its usual rate. */
const fewestRows = 12;

/** Compares the USD rate of each pool with those of the others in the same intervals. */
function* checkPoolRates(evidence: Evidence): Generator<CheckOutcome> {
  // Only our document states one unit for the amounts of all pools.
  if (!evidence.spec.isOurs) return;
  for (const flow of ['volume', 'liquidity'] as const) {
    for (const rows of compareRates(evidence, flow).values()) {
      if (rows.length < fewestRows) continue;
      const middle = median(rows.map(({ apart }) => apart));
      const spread = median(rows.map(({ apart }) => Math.abs(apart - middle)));
      const bound = Math.max(rateDeviation, rateErrors * (spread / Math.sqrt(rows.length)));
      for (const answer of new Set(rows.map((row) => row.answer))) yield { judged: answer };
      if (Math.abs(middle) <= bound) continue;
      const row = rows.find(({ apart }) => apart === middle) ?? rows[0];
      if (row) yield { breach: nameBreach(row, flow, middle, rows.length) };
    }
  }
}

function nameBreach({ answer, candle, rate, usual }: Deviation, flow: Flow, middle: number, rows: number) {
  return candleBreach(answer, candle, `${flow}-usd`, {
    expected: `${flow} worth about ${usual.toPrecision(5)} USD for each 10⁸ tinybars, as in the other pools in this interval`,
    actual: `${amountText(candle, `${flow}-usd`)} USD for ${amountText(candle, flow)}, ${rate.toPrecision(5)} each; ${nameDeviation(middle)} in the middle of ${rows} rows`,
  });
}

function nameDeviation(middle: number): string {
  const factor = Math.exp(Math.abs(middle));
  if (factor >= 2)
    return `${Number(factor.toPrecision(2))} times ${middle > 0 ? 'theirs' : 'less than theirs'}`;
  const percent = Number((100 * Math.abs(Math.expm1(middle))).toPrecision(2));
  return `${percent} % ${middle > 0 ? 'more' : 'less'} than theirs`;
}

/** Lists the deviations of each pool's closed rows, without inverted ones, by pool. */
function compareRates({ histories }: Evidence, flow: Flow): Map<string, Deviation[]> {
  const intervals = new Map<string, Map<string, RatedRow>>();
  const plain = histories.filter((history) => !isInverted(history));
  const alike = Map.groupBy(plain, ({ requested }) => requested.interval);
  // The long histories of a pool that was requested alone are compared with nothing.
  const several = [...alike.values()].filter((answers) => new Set(answers.map(poolKey)).size > 1);
  for (const answer of several.flat()) {
    const rates = usdRates(answer);
    for (const candle of closedCandles(answer)) {
      const rate = rates(candle, flow);
      if (Number.isNaN(rate)) continue;
      const interval = `${answer.requested.interval} ${candle.start} ${candle.end}`;
      const rows = intervals.get(interval) ?? new Map<string, RatedRow>();
      intervals.set(interval, rows.set(poolKey(answer), { answer, candle, rate }));
    }
  }
  const pools = new Map<string, Deviation[]>();
  for (const rows of intervals.values()) {
    // Nothing shows which one of two pools deviates: the second is compared with the first.
    const compared = [...rows].slice(rows.size === 2 ? 1 : 0);
    for (const [pool, row] of rows.size < 2 ? [] : compared) {
      const others = [...rows].filter(([other]) => other !== pool).map(([, { rate }]) => rate);
      const usual = median(others);
      const known = pools.get(pool) ?? [];
      pools.set(pool, known);
      known.push({ ...row, usual, apart: Math.log(row.rate / usual) });
    }
  }
  return pools;
}

export const poolRateRules: readonly Rule[] = [
  {
    id: 'candle/pools-share-a-usd-rate',
    shows: 'other rate',
    section: '2.2',
    level: 'should',
    uses: ['volume', 'volume-usd', 'liquidity', 'liquidity-usd'],
    statement: 'At one time, the amounts of all pools are converted to USD at one rate.',
    broken: 'A pool’s amounts in USD have a rate of their own',
    why: 'A fee, an old rate, another unit or another pool’s amount in one of the two values shows in no row alone.',
    exactly:
      'amount-usd ÷ amount of a closed row beside the median of the same value over the other pools in the same interval, of two, the second beside the first; amounts worth 10 USD or more: the median over 12 rows or more of a pool deviates by at most 0.2 %, or by at most ten times its spread over the root of their number; without inversion.',
    restsOn: ['volume', 'liquidity', 'volume-usd', 'liquidity-usd'],
    needs: [recentHoursOfEachPool],
    check: checkPoolRates,
  },
];
