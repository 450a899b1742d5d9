import { isRecordOf, operationById, poolName } from '@candleproof/document/spec/operation';
import type { Spec } from '@candleproof/document/spec/spec';
import type { Answer, CandleAnswer, HistoryAnswer } from '../reading/reading.ts';
import { thousands } from '../reading/words.ts';
import { mayLackRows } from '../relations/conventions.ts';
import type { Evidence } from '../relations/evidence.ts';
import { isClosed, isInverted, lastTries, poolKey } from '../relations/series.ts';
import { firstIndexFrom, wantedStarts } from '../relations/timeline.ts';
import { findFirstTries } from '../rules/transport/first-tries.ts';
import { findLockedOut } from '../rules/transport/locked-out.ts';
import type { ReadFacts } from './verdict.ts';

/** Answers to requests for one and the same thing, and the name of that thing. */
type Wanted = { readonly what: string; readonly answers: readonly Answer[] };

/**
 * Names what the target withheld: an operation, a pool, an interval or a side that was requested and of which no row
 * came that could be read or, of a history, that was over. Answers that are `accepted` as they are keep nothing back.
 */
export function withheldRows(evidence: Evidence, accepted: ReadonlySet<Answer>): string[] {
  const wanted = lastTries(evidence.answers.filter((answer) => answer.entitled && !isOfNoUse(answer)));
  const isOwed = owedTest(evidence);
  const telling = wanted.filter((answer) => !accepted.has(answer) && isOwed(answer));
  const lists = telling.filter(({ requested }) => requested?.role === 'tokens');
  const candles = telling.filter(isOfPool);
  const pools = groupAnswers(candles, ({ requested }) => poolName(evidence.spec, requested));
  const isWithheldHere = (wanted: Wanted): boolean => isWithheld(wanted, evidence.spec);
  const silent = pools.filter(isWithheldHere);
  const others = candles.filter((candle) => !silent.some(({ answers }) => answers.includes(candle)));
  const sides = groupAnswers(others, (other) => nameSide(other, evidence));
  const tokens = { what: 'the token list', answers: lists };
  const all = [...(lists.length > 0 ? [tokens] : []), ...silent, ...sides];
  return all.filter(isWithheldHere).map((wanted) => describe(wanted, evidence.spec));
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

function isWithheld({ answers }: Wanted, spec: Spec): boolean {
  return answers.every((answer) => !isReadable(answer, spec) || (isHistory(answer) && !showsPast(answer)));
}

/** Returns whether some row could be read: one with the prices of a candle, or the fields of a token. */
function isReadable({ records, unreadable, requested }: Answer, spec: Spec): boolean {
  if (requested?.role !== 'tokens') return records.length > unreadable;
  const operation = operationById(spec, requested.operation);
  return records.some((record) => isRecordOf(operation, record));
}

function isHistory(answer: Answer): answer is HistoryAnswer {
  return answer.requested?.role === 'history' && isOfPool(answer);
}

/** Returns whether some row of an answer is over, as far as the server's time is known: all rows before its range are. */
function showsPast(answer: HistoryAnswer): boolean {
  const { records, candles, inTime, unreadable, nowWithin } = answer;
  if (candles.length === 0) return records.length > unreadable;
  return nowWithin === undefined ? inTime.length > 0 : inTime.some((candle) => isClosed(candle, answer));
}

function describe({ what, answers }: Wanted, spec: Spec): string {
  const ends = new Set(answers.filter(({ success }) => !success).map(describeEnd));
  const count = `${thousands(answers.length)} answer${answers.length === 1 ? '' : 's'}`;
  const isOpen = answers.some((answer) => isReadable(answer, spec));
  return `${what} (${[`no ${isOpen ? 'closed' : 'readable'} row in ${count}`, ...ends].join(', ')})`;
}

/** Returns a name such as `HOUR inverted of V2 pool 1`. */
function nameSide(answer: CandleAnswer, { spec }: Evidence): string {
  const { interval } = answer.requested;
  return `${interval}${isInverted(answer) ? ' inverted' : ''} of ${poolName(spec, answer.requested)}`;
}

/**
 * Makes a test for answers to which some row is due, however edges are read: a whole interval lies inside the range, is
 * over, and belongs to the life of the pool as far as closed rows show it. A failure has no Date: the first one is used.
 */
function owedTest(evidence: Evidence): (answer: Answer) => boolean {
  const { answers, conventions, histories } = evidence;
  const shown = new Set(histories.filter(showsPast).map(poolKey));
  const first = answers.find(({ nowWithin }) => nowWithin);
  return (answer) => {
    if (!isHistory(answer)) return true;
    const nowWithin = answer.nowWithin ?? first?.nowWithin;
    const key = poolKey(answer);
    if (isQuiet(answer, evidence)) return false;
    const alive = (shown.has(key) ? conventions.alive.get(key) : undefined) ?? answer.requested.from;
    const clocked = { requested: answer.requested, nowWithin };
    return answer.requested.prehistoric !== true && wantedStarts(clocked, evidence, alive) !== undefined;
  };
}

/** Returns whether an answer without rows is for a range in which no answer shows an observation of the pool, which may be quiet. */
function isQuiet(answer: HistoryAnswer, evidence: Evidence): boolean {
  if (!answer.success || answer.records.length > 0 || !mayLackRows(answer, evidence)) return false;
  const { from, to } = answer.requested;
  const ofPool = evidence.histories.filter((history) => poolKey(history) === poolKey(answer));
  return !ofPool.some(({ inTime }) => (inTime[firstIndexFrom(inTime, from + 1)]?.start ?? to) < to);
}

/** Statuses by which targets refuse an id that they do not know. */
const refusing: readonly number[] = [400, 404, 422];

/** Counts what was requested and read of what a run was entitled to. */
export function countRead(evidence: Evidence): ReadFacts {
  const { answers, spec } = evidence;
  const telling = answers.filter((answer) => answer.entitled && answer.requested?.role !== 'tokens');
  const held = telling.filter(({ records }) => records.length > 0);
  const sum = (pick: (answer: Answer) => number): number =>
    held.reduce((total, answer) => total + pick(answer), 0);
  const ofPools = telling.filter(isOfPool).filter((candleAnswer) => !isOfNoUse(candleAnswer));
  const unknown = groupAnswers(ofPools, ({ requested }) => poolName(spec, requested))
    .filter((pool) => pool.answers.every(({ status = 0 }) => refusing.includes(status)))
    .map(({ what }) => what);
  const lockedOut = findLockedOut(evidence).size;
  return {
    candles: sum(({ records }) => records.length),
    answers: held.length,
    unreadable: sum(({ unreadable }) => unreadable),
    requests: findFirstTries(evidence).requests,
    ...(lockedOut > 0 && { lockedOut }),
    ...(held.length > 0 && unknown.length > 0 && { unknownPools: unknown }),
  };
}

/** Describes the end of an answer that gave nothing to judge: its failure or status. */
export function describeEnd({ status, exchange, success, refusal }: Answer): string {
  if (success) return 'its bodies are not in the recording';
  return exchange.failure ? exchange.failure.kind : (refusal?.text ?? `status ${status}`);
}
