import { answersWithRows, type Evidence } from '../relations/evidence.ts';
import { type Breach, findRow, rowPointer } from '../rules/breach.ts';
import { describeRequest } from './described-request.ts';
import { addressCandle, drawCandles, drawPicture, mostCandles } from './drawn-candles.ts';
import { findField } from './extent.ts';
import type { Example } from './verdict.ts';

/** Examples that a finding shows, whatever its count. */
const maxExamples = 3;

/** Returns the examples that a finding shows of its breaches. */
export function chooseExamples(all: readonly Breach[], evidence: Evidence): Example[] {
  return choose(all).map((breach) => toExample(breach, evidence));
}

/** Spread over the answers that are concerned, the first of each before a second of one. */
function choose(all: readonly Breach[]): Breach[] {
  const first = new Map(all.toReversed().map((breach) => [breach.answer, breach]));
  const chosen = all.filter((breach) => first.get(breach.answer) === breach).slice(0, maxExamples);
  for (const breach of all) {
    if (chosen.length >= maxExamples) break;
    if (!chosen.includes(breach)) chosen.push(breach);
  }
  return chosen;
}

function toExample(breach: Breach, evidence: Evidence): Example {
  const { answer, pointer, expected, actual, candles = [], picture } = breach;
  const beside = listForeignRows(breach, evidence);
  const field = findField(breach);
  const place = { ...breach, field, row: findRow(breach) };
  const drawn = drawCandles(place, evidence);
  const concerned =
    answer.candles.find(({ row }) => row === place.row) ??
    picture?.missing?.[0] ??
    candles.find((candle) => answer.candles.includes(candle));
  return {
    exchange: answer.index,
    ...(answer.exchange.recorder && { place: answer.exchange.recorder.place }),
    request: describeRequest(answer),
    pointer,
    ...(concerned && addressCandle(answer, concerned.start)),
    ...(field !== undefined && { field }),
    expected,
    actual,
    ...(drawn.length > 0 && { candles: drawn }),
    ...(picture && { picture: drawPicture(picture, place, evidence) }),
    ...(beside.length > 0 && { beside }),
  };
}

/** Lists the rows of other answers that a breach names, one of each answer: first those missing from its answer. */
function listForeignRows(
  { answer, candles = [], picture }: Breach,
  evidence: Evidence,
): NonNullable<Example['beside']> {
  const lost = (picture?.other?.candles ?? []).filter(({ start }) =>
    picture?.missing?.some((missingSlot) => missingSlot.start === start),
  );
  const gap = picture?.missing?.[0]?.start ?? Number.NaN;
  const before = candles.filter((candle) => candle.start < gap && answer.candles.includes(candle)).slice(-1);
  const foreign = [...lost, ...candles].filter((candle) => !answer.candles.includes(candle));
  const rows = [...foreign, ...before].slice(0, mostCandles).flatMap((candle) => {
    const holder = answersWithRows(evidence).find((candleAnswer) => candleAnswer.candles.includes(candle));
    if (!holder) return [];
    const place = { exchange: holder.index, pointer: rowPointer(holder, candle.row) };
    return [before.includes(candle) ? { ...place, after: true as const } : place];
  });
  return [...new Map(rows.toReversed().map((row) => [row.exchange, row])).values()]
    .toReversed()
    .slice(0, maxExamples);
}
