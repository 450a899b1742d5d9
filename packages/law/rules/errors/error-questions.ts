import { isWholeQuota } from '../../reading/quota.ts';
import { type Answer, type CandleAnswer, headersNamed } from '../../reading/reading.ts';
import { parseStrictly } from '../../reading/strict-json.ts';
import type { Evidence } from '../../relations/evidence.ts';
import { errorCases, steadyCases } from '../error-cases.ts';
import { isOfGateway } from '../gateway.ts';
import { joinParts } from '../observed-values.ts';
import { faultyNeed } from '../refusal-needs.ts';
import type { Question } from '../rule.ts';
import { triggeredAnswers } from '../trigger.ts';

/** Returns a body's media type and form, never its text; undefined if a recording omitted the body or the headers. */
function nameForm(answer: Answer): string | undefined {
  const { body, headers } = answer;
  if (!body || !headers) return undefined;
  const [label = ''] = headersNamed(answer, 'content-type') ?? [];
  const type = /^\w+\/([\w.+-]{1,30})/.exec(label.trim().toLowerCase())?.[1] ?? 'unlabelled';
  if (body.text === '') return 'empty';
  const parsed = parseStrictly(body.text);
  if (!('value' in parsed)) return `${type} text`;
  const { value } = parsed;
  if (Array.isArray(value)) return `${type} list`;
  return `${type} ${typeof value === 'object' && value !== null ? 'object' : 'value'}`;
}

/** Joins one part per fault: status, media type and form, and whether the quota is reported. */
function catalogueAnswer(evidence: Evidence): string | undefined {
  const known: readonly string[] = errorCases;
  const seen = triggeredAnswers(evidence).filter(({ trigger }) => known.includes(trigger));
  return joinParts(
    seen.flatMap(({ answer, trigger }): [string, string][] => {
      const form = nameForm(answer);
      const quota = isWholeQuota(answer.quota) ? '' : ' without quota';
      return form === undefined ? [] : [[trigger, `${answer.status} ${form}${quota}`]];
    }),
  );
}

/** Lists the members of the body of an error of the API, from the faults that every run requests. */
function membersAnswer(evidence: Evidence): string | undefined {
  const steady: readonly string[] = steadyCases;
  const seen = triggeredAnswers(evidence).flatMap(({ answer, trigger }): [string, string][] => {
    if (!steady.includes(trigger) || (answer.status ?? 0) < 400 || !answer.body) return [];
    if (isOfGateway(answer, evidence)) return [];
    const parsed = parseStrictly(answer.body.text);
    const value = 'value' in parsed ? parsed.value : undefined;
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    const names = isObject ? Object.keys(value).filter((key) => /^[\w-]{1,30}$/.test(key)) : [];
    return names.length > 0 ? [[String(answer.status), names.sort().slice(0, 12).join(' + ')]] : [];
  });
  return joinParts(seen);
}

/** Compares the hour in several spellings with the same hour plain and inverted. */
function spellingsAnswer(evidence: Evidence): string | undefined {
  const seen = triggeredAnswers(evidence).flatMap(({ answer, trigger }): [string, string][] => {
    const side = trigger.startsWith('inverted-') ? findSide(answer, evidence.latest) : undefined;
    return side === undefined ? [] : [[trigger.replace('inverted-', ''), side]];
  });
  return joinParts(seen);
}

function findSide(answer: Answer, latest: readonly CandleAnswer[]): string | undefined {
  const [candle] = answer.candles;
  if (answer.success && !answer.body) return undefined;
  if (!candle) return `refused (${answer.status})`;
  const same = latest.filter(
    ({ requested, candles: [other] }) =>
      requested.interval === answer.requested?.interval && other?.start === candle.start,
  );
  const equal = same.find(({ candles: [other] }) => other?.open === candle.open);
  if (!equal)
    return new Set(same.map(({ requested }) => requested.inverted === true)).size < 2
      ? undefined
      : 'neither side';
  return equal.requested.inverted ? 'means true' : 'means false';
}

function queryAnswer(evidence: Evidence): string | undefined {
  const requested = triggeredAnswers(evidence).filter(({ trigger }) => trigger === 'tokens-query');
  const all = evidence.tokenLists[0]?.records.length;
  const reported = requested.flatMap(({ answer: { status, success, records, body } }) => {
    if (!success) return [`refused (${status})`];
    return body ? [records.length === all ? 'ignored' : 'heeded'] : [];
  });
  return reported[0];
}

function retryAnswer({ answers }: Evidence): string | undefined {
  const reported = answers.flatMap((answer) => {
    if (!answer.complete || !answer.headers || answer.status !== 503) return [];
    const [wait] = headersNamed(answer, 'retry-after') ?? [];
    if (wait === undefined) return ['no'];
    return [/^\s*\d+\s*$/.test(wait) ? 'in seconds' : 'as a date'];
  });
  return reported.length > 0 ? [...new Set(reported)].sort().join(' and ') : undefined;
}

export const errorQuestions: readonly Question[] = [
  {
    id: 'errors/catalogue',
    section: '7',
    question: 'How is every kind of faulty request answered?',
    why: 'Error handling is written for the answers seen in development; the document does not specify them.',
    exactly:
      'by fault: status, media type, form of the body, and whether the quota is reported. A run draws some of the faults; the answers to the others stay as they were pinned.',
    restsOn: ['tokens', 'history', 'latest'],
    needs: errorCases.map(faultyNeed),
    hasParts: true,
    answer: catalogueAnswer,
  },
  {
    id: 'errors/members',
    section: '7',
    question: 'Which members does the body of an error have?',
    why: 'Clients show or log one of them.',
    needs: steadyCases.map(faultyNeed),
    hasParts: true,
    answer: membersAnswer,
  },
  {
    id: 'errors/retry-after',
    section: '7',
    question: 'Does a service that is down say when to retry?',
    why: 'Clients that know when to retry wait; others retry at once.',
    exactly: 'of answers 503.',
    needs: steadyCases.map(faultyNeed),
    answer: retryAnswer,
  },
  {
    id: 'inversion/spellings',
    section: '4.2',
    question: 'What do other spellings of `inverted` mean?',
    why: 'A client in a language that writes true as TRUE or 1 has to convert it where that is refused.',
    exactly: 'by spelling: refused, or the side that its open belongs to.',
    restsOn: ['inverted'],
    needs: errorCases.filter((errorTestCase) => errorTestCase.startsWith('inverted')).map(faultyNeed),
    hasParts: true,
    answer: spellingsAnswer,
  },
  {
    id: 'tokens/queries',
    section: '4.1',
    question: 'What does a query on the token list do?',
    why: 'A client with little memory can page through the list where a limit works; the document shows none.',
    restsOn: ['tokens'],
    needs: [faultyNeed('tokens-query')],
    answer: queryAnswer,
  },
];
