import type { CandleAnswer } from '../../reading/reading.ts';
import { quoteValue } from '../../reading/words.ts';
import { type AnswerPair, pairAnswers } from '../../relations/direction-pairs.ts';
import type { Evidence } from '../../relations/evidence.ts';
import { isSameRecord, isSameValue } from '../../relations/series.ts';
import { fieldBreach } from '../breach.ts';
import { closedWeekHours, invertedLatest, secondHalf } from '../needs.ts';
import type { CheckOutcome, Need } from '../rule.ts';

export const defaultNeeds: readonly Need[] = [
  closedWeekHours,
  secondHalf,
  ...invertedLatest,
  { role: 'latest', interval: 'hour', inverted: false },
];

/** Compares candles with and without `inverted=false`: closed ones of a history, the open one within a snapshot. */
export function* checkDefault({ histories, latest }: Evidence): Generator<CheckOutcome> {
  const isPlain = ({ requested }: CandleAnswer): boolean => requested.inverted === undefined;
  const isSpelt = ({ requested }: CandleAnswer): boolean => requested.inverted === false;
  for (const pair of pairAnswers(histories, latest, isPlain, isSpelt)) yield* compare(pair);
}

function* compare({ other: answer, candles }: AnswerPair): Generator<CheckOutcome> {
  yield { judged: answer };
  for (const [plain, spelt] of candles) {
    if (isSameRecord(plain.record, spelt.record)) continue;
    const names = Object.keys({ ...plain.record, ...spelt.record });
    const field = names.find((name) => !isSameValue(plain.record[name], spelt.record[name])) ?? 'open';
    const expected = `${quoteValue(plain.record[field])}, as without the parameter`;
    yield { breach: fieldBreach(answer, spelt, field, expected, [plain, spelt]) };
  }
}
