import { operationName, poolName } from '../document/operation.ts';
import type { Answer, CandleAnswer } from '../reading/reading.ts';
import { thousands } from '../reading/thousands.ts';
import { settlingSeconds } from '../reading/tolerances.ts';
import type { Evidence } from '../relations/evidence.ts';
import { isInverted, lastTries, poolKey } from '../relations/series.ts';
import type { ReadFacts } from './verdict.ts';

/** Answers to requests for one and the same thing, and the name of that thing. */
type Wanted = { readonly what: string; readonly answers: readonly Answer[] };

/**
 * Names what the target withheld: an operation, a pool, an interval or a side that was requested and of which no row
 * came that could be read. Answers that are `accepted` as they are keep nothing back.
 */
export function withheldRows(evidence: Evidence, accepted: ReadonlySet<Answer>): string[] {
  const wanted = lastTries(evidence.answers.filter((answer) => answer.entitled && !isOfNoUse(answer)));
  const telling = wanted.filter((answer) => !accepted.has(answer) && isOwedRows(answer, evidence));
  const lists = telling.filter(({ requested }) => requested?.role === 'tokens');
  const candles = telling.filter(isOfPool);
  const pools = groupAnswers(candles, ({ requested }) => poolName(evidence.spec, requested));
  const silent = pools.filter(isWithheld);
  const others = candles.filter((candle) => !silent.some(({ answers }) => answers.includes(candle)));
  const sides = groupAnswers(others, (other) => nameSide(other, evidence));
  const tokens = { what: 'the token list', answers: lists };
  return [...(lists.length > 0 ? [tokens] : []), ...silent, ...sides].filter(isWithheld).map(describe);
}

function isOfPool(answer: Answer): answer is CandleAnswer {
  return answer.requested?.pool !== undefined;
}

/** Nothing was sent or recorded; or a recording of others requests a pool that no one named. */
function isOfNoUse({ success, body, status = 0, exchange }: Answer): boolean {
  if (status === 304 || (success && body === undefined)) return true;
  return exchange.recorder !== undefined && status >= 400 && status < 500;
}

function groupAnswers<Of extends Answer>(answers: readonly Of[], name: (answer: Of) => string): Wanted[] {
  return [...Map.groupBy(answers, name)].map(([what, all]) => ({ what, answers: all }));
}

function isWithheld({ answers }: Wanted): boolean {
  return answers.every(({ records, unreadable }) => records.length === unreadable);
}

function describe({ what, answers }: Wanted): string {
  const ends = new Set(answers.filter(({ success }) => !success).map(describeEnd));
  const count = `${thousands(answers.length)} answer${answers.length === 1 ? '' : 's'}`;
  return `${what} (${[`no readable row in ${count}`, ...ends].join(', ')})`;
}

/** Such as `HOUR inverted of a V2 pool's history`: the interval and the side, in the words of the document. */
function nameSide(answer: CandleAnswer, { spec }: Evidence): string {
  const { interval, operation } = answer.requested;
  return `${interval}${isInverted(answer) ? ' inverted' : ''} of ${operationName(spec, operation).title}`;
}

/**
 * Returns whether some row is due, however edges are read: a whole interval lies inside the range, is over, and belongs
 * to the life of the pool as far as any answer shows it.
 */
function isOwedRows(answer: Answer, { conventions }: Evidence): boolean {
  const { requested, nowWithin } = answer;
  if (requested?.role !== 'history') return true;
  const { from = 0, to = 0, length = 0, prehistoric } = requested;
  const alive = conventions.alive.get(poolKey(answer as CandleAnswer)) ?? from;
  const over = nowWithin ? nowWithin.from - settlingSeconds : to;
  return !prehistoric && Math.min(to, over) - Math.max(from, alive) >= 2 * length;
}

/** Statuses by which targets refuse an id that they do not know. */
const refusing: readonly number[] = [400, 404, 422];

/** Counts what was read of the candles that a run was entitled to. */
export function countRead({ answers, spec }: Evidence): ReadFacts {
  const telling = answers.filter((answer) => answer.entitled && answer.requested?.role !== 'tokens');
  const held = telling.filter(({ records }) => records.length > 0);
  const sum = (pick: (answer: Answer) => number): number =>
    held.reduce((total, answer) => total + pick(answer), 0);
  const ofPools = telling.filter(isOfPool).filter((candleAnswer) => !isOfNoUse(candleAnswer));
  const unknown = groupAnswers(ofPools, ({ requested }) => poolName(spec, requested))
    .filter((pool) => pool.answers.every(({ status = 0 }) => refusing.includes(status)))
    .map(({ what }) => what);
  return {
    candles: sum(({ records }) => records.length),
    answers: held.length,
    unreadable: sum(({ unreadable }) => unreadable),
    ...(held.length > 0 && unknown.length > 0 && { unknownPools: unknown }),
  };
}

/** Describes the end of an answer that gave nothing to judge: its failure or status. */
export function describeEnd({ status, exchange, success, refusal }: Answer): string {
  if (success) return 'its bodies are not in the recording';
  return exchange.failure ? exchange.failure.kind : (refusal?.text ?? `status ${status}`);
}
