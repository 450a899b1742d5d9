import { day } from '@candleproof/document/spec/interval';
import { amountText, type Candle } from '../../reading/candle.ts';
import type { CandleAnswer } from '../../reading/reading.ts';
import { median, Tally } from '../../reading/statistics.ts';
import { answersWithRows, type Evidence } from '../../relations/evidence.ts';
import { intervalLength, isInverted, marketKey } from '../../relations/series.ts';
import { type Breach, candleBreach } from '../breach.ts';
import { selectedCandleCheck } from '../checks.ts';
import { anyCandles, closedWeekInEachInterval, latestInEachInterval } from '../needs.ts';
import type { CheckOutcome, Need, Rule } from '../rule.ts';
import { type Flow, parseAmount, usdRates } from './usd-rates.ts';

/** USD that an amount must be worth for a worth of nothing to be no rounding, whatever the decimals. */
const telling = 10;

/** Only our document states one unit for both amounts; those of inverted candles may be in the other token. */
function plainAnswers(evidence: Evidence): readonly CandleAnswer[] {
  return evidence.spec.isOurs ? answersWithRows(evidence).filter((answer) => !isInverted(answer)) : [];
}

const flows = [
  ['volume', 'liquidity'],
  ['liquidity', 'volume'],
] as const satisfies readonly (readonly [Flow, Flow])[];

/** Finds an amount of a row that is worth nothing, although the row's other amount shows a rate at which it is not. */
const checkWorth = selectedCandleCheck(plainAnswers, 'volume-usd', (candle, answer) => {
  for (const [flow, other] of flows) {
    if (readNumber(candle, `${flow}-usd`) !== 0) continue;
    const worth = (usdRates(answer)(candle, other) * readNumber(candle, flow)) / 1e8;
    if (!(worth >= telling)) continue;
    const expected = `about ${nameUsd(worth)} USD, at the rate of the ${other} beside it`;
    return { field: `${flow}-usd`, expected, actual: `${amountText(candle, `${flow}-usd`)}` };
  }
  return undefined;
});

function readNumber(candle: Candle, amount: Flow | `${Flow}-usd`): number {
  return parseAmount(amountText(candle, amount));
}

function nameUsd(worth: number): string {
  return String(Number(worth.toPrecision(3)));
}

/** One row with its rate, among those of one interval and operation. */
type Rated = { readonly answer: CandleAnswer; readonly candle: Candle; readonly rate: number };

/** The rows of each interval and operation of a pool, by the day in which they end. */
type Cells = ReadonlyMap<string, ReadonlyMap<number, readonly Rated[]>>;

/**
 * Compares the USD rate of an interval's volume with those of the pool's other intervals on the same days. Liquidity is the same
 * amount in all of them, which other rules compare exactly.
 */
function* checkMagnitudes(evidence: Evidence): Generator<CheckOutcome> {
  const pools = Map.groupBy(plainAnswers(evidence), (answer) => marketKey(evidence.spec, answer));
  for (const answers of pools.values()) {
    const cells = rateCells(answers);
    for (const [name, days] of cells) {
      const compared = [...days].flatMap(([day, rows]) => {
        const usual = findUsual(cells, name, day);
        return usual === undefined ? [] : rows.map((row) => ({ ...row, usual }));
      });
      for (const answer of new Set(compared.map((row) => row.answer))) yield { judged: answer };
      const breach = findMagnitude(compared);
      if (breach) yield { breach };
    }
  }
}

/** Rates from half a dollar on, since cents move those of less by more than one in a hundred. */
function rateCells(answers: readonly CandleAnswer[]): Cells {
  const cells = new Map<string, Map<number, Rated[]>>();
  for (const answer of answers) {
    const name = `${answer.requested.role} ${intervalLength(answer)}`;
    const days = cells.get(name) ?? new Map<number, Rated[]>();
    cells.set(name, days);
    for (const candle of answer.inTime) {
      const [tinybars, usd] = [readNumber(candle, 'volume'), readNumber(candle, 'volume-usd')];
      if (!(usd >= 0.5 && tinybars > 0) || Number.isNaN(candle.end)) continue;
      const ended = Math.floor((candle.end - 1) / day);
      const rows = days.get(ended) ?? [];
      days.set(ended, rows);
      rows.push({ answer, candle, rate: (1e8 * usd) / tinybars });
    }
  }
  return cells;
}

/** Returns the middle rate of the other intervals on a day; undefined unless two or more of them agree on its magnitude. */
function findUsual(cells: Cells, name: string, ended: number): number | undefined {
  const others = [...cells].flatMap(([other, days]) => {
    const rows = other === name ? undefined : days.get(ended);
    return rows ? [median(rows.map(({ rate }) => rate))] : [];
  });
  const usual = median(others);
  const areAlike = others.every((rate) => rate < 2 * usual && usual < 2 * rate);
  return others.length >= 2 && areAlike ? usual : undefined;
}

type Compared = Rated & { readonly usual: number };

/** Powers of ten may be this far off as logarithms: a rate moves within a day, and more in a week. */
const powerWidth = 0.15;

/** Returns the power of ten by which a rate is off; 0 if it is none. */
function findPower({ rate, usual }: Compared): number {
  const exact = Math.log10(rate / usual);
  const power = Math.round(exact);
  return Math.abs(exact - power) <= powerWidth ? power : 0;
}

/** Returns the breach of an interval of which most rows are off by one power of ten. */
function findMagnitude(rows: readonly Compared[]): Breach | undefined {
  const powers = new Tally<number>();
  for (const row of rows) powers.add(findPower(row));
  const power = powers.commonest();
  const off = rows.filter((row) => findPower(row) === power);
  const [first] = off;
  if (!first || power === 0 || 2 * off.length <= rows.length) return undefined;
  const { answer, candle, rate, usual } = first;
  return candleBreach(answer, candle, 'volume-usd', {
    expected: `a volume worth about ${usual.toPrecision(3)} USD for each 10⁸ tinybars, as in the pool’s other intervals on this day`,
    actual: `${amountText(candle, 'volume-usd')} USD for ${amountText(candle, 'volume')}, ${rate.toPrecision(3)} each: 10^${power} times theirs in ${off.length} of ${rows.length} rows`,
  });
}

const needs: readonly Need[] = [...anyCandles, ...latestInEachInterval, ...closedWeekInEachInterval];

export const usdWorthRules: readonly Rule[] = [
  {
    id: 'candle/usd-amounts-are-not-nothing',
    shows: 'worthless',
    consequence: 'amounts',
    section: '2.2',
    level: 'must',
    uses: ['volume', 'volume-usd', 'liquidity', 'liquidity-usd'],
    statement: 'Volume and liquidity that are worth ten dollars or more are not worth 0 in USD.',
    broken: 'Amounts are worth nothing in USD',
    why: 'A sum of what was traded is not zero in one currency and millions in another; a chart in dollars shows a market that stands still.',
    exactly:
      'volume-usd = 0 is a breach where volume × (liquidity-usd ÷ liquidity) of the same row is 10 USD or more, liquidity-usd ≥ 10; the same for liquidity by the rate of the volume. The document calls both the same amount in two units, so no other value is left. Without inversion.',
    restsOn: ['volume', 'volume-usd', 'liquidity', 'liquidity-usd'],
    needs,
    check: checkWorth,
  },
  {
    id: 'candle/usd-volumes-keep-their-magnitude',
    shows: 'other unit',
    readsOneAnswer: false,
    consequence: 'amounts',
    section: '2.2',
    level: 'should',
    uses: ['volume', 'volume-usd'],
    statement: 'On one day, all intervals of a pool convert their volume to USD at rates of one magnitude.',
    broken: 'Volumes in USD of one interval are off by a power of ten',
    why: 'Each row of that interval looks sound; only the others show that a dollar is a dime or a cent.',
    exactly:
      'volume-usd ÷ volume of the rows of an interval, worth 0.50 USD or more, beside the median of the same over the pool’s other intervals, of rows that end on the same day, where two or more of them agree within a factor of 2: a breach where most rows are 10ᵏ times that, k ≠ 0, within a factor of 1.4. Without inversion.',
    restsOn: ['volume', 'volume-usd'],
    needs,
    check: checkMagnitudes,
  },
];
