import { day, intervalPhase } from '@candleproof/document/spec/interval';
import type { Candle } from '../reading/candle.ts';
import type { Answer, CandleAnswer } from '../reading/reading.ts';
import { isCandleAnswer } from '../reading/reading.ts';
import type { Evidence } from '../relations/evidence.ts';
import type { Breach } from '../rules/breach.ts';
import type { Candidate } from './explanation.ts';
import type { Broken } from './following.ts';

/** Parameters by which requests differ, with words for an answer that ignores one. */
const parameters = {
  interval: 'interval',
  inverted: 'direction',
  pool: 'pool',
  from: 'start of the range',
  to: 'end of the range',
} as const;

type Parameter = keyof typeof parameters;

/** Shorter texts, such as an empty list, are alike by right. */
const shortestText = 100;

/**
 * Explains findings in answers that repeat, word for word, the answer to a request with another value of one parameter: that of a
 * cache, or of a service that ignores it.
 */
export function explainOtherAnswers(found: readonly Broken[], evidence: Evidence): Candidate[] {
  const answers = evidence.answers.filter(isCandleAnswer);
  const long = answers.filter(({ body }) => (body?.text.length ?? 0) > shortestText);
  const groups = [...Map.groupBy(long, ({ body }) => sample(body?.text ?? '')).values()].filter(
    ({ length }) => length > 1,
  );
  return (Object.keys(parameters) as Parameter[]).flatMap((parameter) => {
    const varied = groups.map((all) => listVaried(parameter, all));
    const alike = new Set(varied.flat());
    const copied = varied.flatMap((all) => dropCoinciding(parameter, all, evidence));
    const copies = new Set<Answer>(copied);
    if (copies.size === 0) return [];
    const candles = new Set(copied.flatMap((copy): readonly Candle[] => copy.candles));
    const touches = ({ answer, pointer, candles: compared = [] }: Breach): boolean =>
      isOfBody(pointer) && (copies.has(answer) || compared.some((candle) => candles.has(candle)));
    const findings = found.filter(({ breaches }) => breaches.every(touches));
    const names = findings.map(({ fingerprint }) => fingerprint);
    if (names.length === 0) return [];
    const isAlways = listVaried(parameter, answers).every((answer) => alike.has(answer));
    const sentence = isAlways
      ? `Answers are the same whatever ${parameters[parameter]} is requested`
      : `Some answers are those to a request with another ${parameters[parameter]}`;
    return [
      {
        ...{
          sentence,
          fields: [],
          where: '',
          findings: names,
          own: names,
          rank: parameter === 'inverted' ? 0 : otherAnswerRank,
        },
        transformation: { kind: 'other answer', parameter },
      },
    ];
  });
}

/** Returns the length of a text and some of it: as a key, a whole text of megabytes would be copied. */
function sample(text: string): string {
  const middle = Math.floor(text.length / 2);
  const parts = [0, middle, text.length - shortestText].map((at) => text.slice(at, at + shortestText));
  return [text.length, ...parts].join(' ');
}

/** Before defects of rows, which an answer to another request has by right there. */
const otherAnswerRank = 10.5;

function isOfBody(pointer: string): boolean {
  return !pointer.startsWith('header:') && pointer !== 'status';
}

/** Lists the answers to requests that differ from another one in the value of one parameter alone. */
function listVaried(parameter: Parameter, answers: readonly CandleAnswer[]): CandleAnswer[] {
  const names = (Object.keys(parameters) as Parameter[]).filter((name) => name !== parameter);
  const alike = Map.groupBy(answers, (answer) =>
    JSON.stringify([answer.requested.operation, ...names.map((name) => readParameter(answer, name))]),
  );
  const isVaried = (all: readonly CandleAnswer[], read: (answer: CandleAnswer) => unknown): boolean =>
    new Set(all.map(read)).size > 1;
  return [...alike.values()].flatMap((all) =>
    isVaried(all, (answer) => readParameter(answer, parameter)) &&
    (parameter !== 'from' || isVaried(all, readSpan))
      ? all
      : [],
  );
}

/** Returns the seconds of a range: those of the newest rows are the same when the same request is sent a second later. */
function readSpan({ requested: { from = 0, to = 0 } }: CandleAnswer): number {
  return to - from;
}

/**
 * Drops single candles of intervals that began together, such as the day and the week on a Monday: those are the same by right,
 * whatever is wrong with them.
 */
function dropCoinciding(
  parameter: Parameter,
  alike: readonly CandleAnswer[],
  evidence: Evidence,
): CandleAnswer[] {
  if (parameter !== 'interval') return [...alike];
  const began = alike.map((answer) => listBeginnings(answer, evidence));
  return alike.filter(
    ({ requested, candles }, at) =>
      candles.length > 1 ||
      !alike.some(
        (other, place) =>
          other.requested.length !== requested.length &&
          began[place]?.some((start) => began[at]?.includes(start)),
      ),
  );
}

/** Lists when the current interval may have begun: by the grid that the candles show, and by days and Mondays. */
function listBeginnings(
  { requested: { length }, nowWithin }: CandleAnswer,
  { conventions }: Evidence,
): number[] {
  if (nowWithin === undefined) return [];
  const { from: now } = nowWithin;
  return [conventions.phase.get(length) ?? monday, monday].map(
    (phase) => now - intervalPhase(now - phase, length),
  );
}

/** A Monday, in Unix seconds, on which days begin too. */
const monday = 4 * day;

/** Reads what a request asks for; all ends at or after the time of its answer are the present. */
function readParameter({ requested, nowWithin }: CandleAnswer, name: Parameter): unknown {
  if (name === 'inverted') return requested.inverted ?? false;
  const isPresent = name === 'to' && nowWithin !== undefined && Number(requested.to) >= nowWithin.from;
  return isPresent ? 'present' : requested[name];
}
