import { quoteValue } from '../../reading/describe.ts';
import type { CandleAnswer } from '../../reading/reading.ts';
import type { Evidence } from '../../relations/evidence.ts';
import {
  hasClock,
  isSameRange,
  isSameRecord,
  isSameSeries,
  isSameValue,
  joinByStart,
  snapshots,
} from '../../relations/series.ts';
import { fieldBreach } from '../breach.ts';
import { invertedLatest, type Need } from '../needs.ts';
import type { CheckOutcome } from '../rule.ts';

export const defaultNeeds: readonly Need[] = [
  { role: 'history', interval: 'hour', range: 'closed week' },
  { role: 'history', interval: 'hour', range: 'closed week', inverted: false },
  ...invertedLatest,
  { role: 'latest', interval: 'hour', inverted: false },
];

/** Pairs candles with and without `inverted=false`: closed ones of a history, the open one within a snapshot. */
export function* checkDefault({ histories, latest }: Evidence): Generator<CheckOutcome> {
  for (const spelt of histories.filter(
    (history) => history.requested.inverted === false && hasClock(history),
  )) {
    const plain = histories.find(
      (history) =>
        history.requested.inverted === undefined &&
        hasClock(history) &&
        isSameSeries(history, spelt) &&
        isSameRange(history, spelt),
    );
    if (plain) yield* compare(spelt, [...joinByStart(plain, spelt)]);
  }
  for (const snapshot of snapshots(latest)) {
    for (const spelt of snapshot.filter((candleAnswer) => candleAnswer.requested.inverted === false)) {
      const plain = snapshot.find(
        (candleAnswer) => candleAnswer.requested.inverted === undefined && isSameSeries(candleAnswer, spelt),
      );
      const [one] = plain?.candles ?? [];
      const [other] = spelt.candles;
      if (one && other) yield* compare(spelt, [[one, other]]);
    }
  }
}

type Pair = readonly [plain: CandleAnswer['candles'][number], spelt: CandleAnswer['candles'][number]];

function* compare(answer: CandleAnswer, pairs: readonly Pair[]): Generator<CheckOutcome> {
  yield { judged: answer };
  for (const [plain, spelt] of pairs) {
    if (isSameRecord(plain.record, spelt.record)) continue;
    const names = Object.keys({ ...plain.record, ...spelt.record });
    const field = names.find((name) => !isSameValue(plain.record[name], spelt.record[name])) ?? 'open';
    const expected = `${quoteValue(plain.record[field])}, as without the parameter`;
    yield { breach: fieldBreach(answer, spelt, field, expected, [plain, spelt]) };
  }
}
