import type { Candle } from '../reading/candle.ts';
import type { Answer, CandleAnswer } from '../reading/reading.ts';
import { isCandleAnswer } from '../reading/reading.ts';
import type { Evidence } from '../relations/evidence.ts';
import type { Breach } from '../rules/breach.ts';
import type { Candidate } from './explanation.ts';

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

/** A finding with its breaches. */
type Found = { readonly fingerprint: string; readonly breaches: readonly Breach[] };

/**
 * Explains findings in answers that repeat, word for word, the answer to a request with another value of one parameter: that of a
 * cache, or of a service that ignores it.
 */
export function explainOtherAnswers(found: readonly Found[], evidence: Evidence): Candidate[] {
  const answers = evidence.answers.filter(isCandleAnswer);
  const groups = [...Map.groupBy(answers, ({ body }) => body?.text ?? '')].flatMap(([text, all]) =>
    text.length > shortestText && all.length > 1 ? [all] : [],
  );
  return (Object.keys(parameters) as Parameter[]).flatMap((parameter) => {
    const copies: ReadonlySet<Answer> = new Set(
      groups.flatMap((all) =>
        all.filter((answer) => all.some((other) => differsBy(parameter, answer, other))),
      ),
    );
    if (copies.size === 0) return [];
    const candles = new Set([...copies].flatMap((copy): readonly Candle[] => copy.candles));
    const touches = ({ answer, pointer, candles: compared = [] }: Breach): boolean =>
      isOfBody(pointer) && (copies.has(answer) || compared.some((candle) => candles.has(candle)));
    const findings = found.filter(({ breaches }) => breaches.every(touches));
    const names = findings.map(({ fingerprint }) => fingerprint);
    if (names.length === 0) return [];
    const pairs = answers.flatMap((answer) => answers.filter((other) => differsBy(parameter, answer, other)));
    const isAlways = pairs.every((answer) => copies.has(answer));
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

/** Before defects of rows, which an answer to another request has by right there. */
const otherAnswerRank = 10.5;

function isOfBody(pointer: string): boolean {
  return !pointer.startsWith('header:') && pointer !== 'status';
}

/** Returns whether two requests differ in the value of one parameter alone. */
function differsBy(parameter: Parameter, one: CandleAnswer, other: CandleAnswer): boolean {
  if (one.requested.operation !== other.requested.operation) return false;
  const value = ({ requested }: Answer, name: Parameter): unknown =>
    name === 'inverted' ? (requested?.inverted ?? false) : requested?.[name];
  return (Object.keys(parameters) as Parameter[]).every(
    (name) => (value(one, name) !== value(other, name)) === (name === parameter),
  );
}
