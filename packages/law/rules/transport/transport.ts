import { stamp } from '@candleproof/document/spec/interval';
import { operationById } from '@candleproof/document/spec/operation';
import type { Spec } from '@candleproof/document/spec/spec';
import { hasLocalClock, localNow } from '../../reading/clock.ts';
import { type Answer, headersNamed, holdsSuccess, isHttpDate } from '../../reading/reading.ts';
import { shorten } from '../../reading/words.ts';
import { answerCheck } from '../checks.ts';
import { answeredRule, dateRule } from '../facts.ts';
import { anyAnswer, latestOfEachPool } from '../needs.ts';
import { changing } from '../refusal-needs.ts';
import type { Rule } from '../rule.ts';
import { checkAnswered } from './answered.ts';
import { isPage, pageSentence } from './page.ts';

/** Methods whose success is that of the documented operation. */
const readingMethods: readonly string[] = ['GET', 'HEAD'];

const checkMediaType = answerCheck(
  ({ answers }) =>
    answers.filter(({ success, exchange }) => success && readingMethods.includes(exchange.request.method)),
  'header:content-type',
  (answer, { spec }) => {
    const values = headersNamed(answer, 'content-type');
    if (!values) return undefined;
    const essence = values[0]?.split(';')[0]?.trim().toLowerCase() ?? '';
    if (values.length === 1 && isMediaType(spec, answer, essence)) return 'holds';
    return {
      expected: 'application/json',
      actual: values.length === 0 ? 'no such header' : values.join(', '),
      ...(isPage(answer) && { sentence: pageSentence(answer) }),
    };
  },
);

/** Returns whether a media type is that of JSON or, with another document than ours, one that it declares. */
function isMediaType(spec: Spec, { requested }: Answer, essence: string): boolean {
  if (essence === 'application/json') return true;
  if (spec.isOurs) return false;
  const { mediaTypes = [] } = requested ? operationById(spec, requested.operation) : {};
  return (
    /^application\/[\w.-]+\+json$/.test(essence) || mediaTypes.includes(essence) || mediaTypes.includes('*/*')
  );
}

const checkStrictJson = answerCheck(
  ({ answers }) => answers.filter(holdsSuccess),
  '',
  (answer) => {
    const { broken } = answer;
    if (broken === undefined) return 'holds';
    const sentence = isPage(answer) ? pageSentence(answer) : undefined;
    return { expected: 'exactly one JSON value', actual: broken, ...(sentence && { sentence }) };
  },
);

const checkLength = answerCheck(
  ({ answers }) => answers.filter((answer) => answer.complete && hasContent(answer)),
  'header:content-length',
  (answer) => {
    const [length] = headersNamed(answer, 'content-length') ?? [];
    const counted = answer.body?.wireBytes;
    if (length === undefined || counted === undefined) return undefined;
    return length.trim() === String(counted)
      ? 'holds'
      : { expected: `${counted} bytes, as counted`, actual: length };
  },
);

/** For HEAD, and with these codes, the length is that of an answer which is not sent (RFC 9110 §8.6). */
function hasContent({ status = 0, exchange }: Answer): boolean {
  return exchange.request.method !== 'HEAD' && status >= 200 && status !== 204 && status !== 304;
}

const checkDate = answerCheck(
  ({ answers }) => answers.filter((answer) => answer.success),
  'header:date',
  (answer, { wrongDates }) => {
    const [date] = headersNamed(answer, 'date') ?? [];
    if (date === undefined && !hasLocalClock(answer)) return undefined;
    const isWrong = wrongDates.some((wrongDate) => wrongDate.index === answer.index);
    if (!isWrong && isHttpDate(date)) return 'holds';
    const instants = [
      { name: 'The Date header', at: Date.parse(date ?? '') / 1000 },
      { name: 'our clock', at: Math.floor(localNow(answer.exchange)) },
    ];
    return {
      ...(isWrong && { picture: { instants } }),
      expected: isWrong
        ? `about ${stamp(Math.floor(localNow(answer.exchange)))}, as the candles and our clock have it`
        : 'a date and time in GMT, such as Sun, 06 Nov 1994 08:49:37 GMT',
      actual: date === undefined ? 'no such header' : shorten(date),
    };
  },
);

/** Methods that change something; the document has GET alone. */
const changingMethods: readonly string[] = ['POST', 'PUT', 'PATCH', 'DELETE'];
const checkMethods = answerCheck(
  ({ answers }) => answers,
  'status',
  ({ status = 0, requested, complete, exchange: { request } }) => {
    const { method } = request;
    if (!complete || !requested || !changingMethods.includes(method)) return undefined;
    if (status >= 200 && status <= 299) {
      return { expected: `a refusal of ${method}`, actual: `status ${status}` };
    }
    return status < 500 || status === 501 ? 'holds' : { undecided: `${method} ended in ${status}` };
  },
);

export const transportRules: readonly Rule[] = [
  {
    id: answeredRule,
    shows: 'unanswered',
    consequence: 'form',
    section: '4',
    level: 'must',
    statement: 'A request that follows the document is answered with 200, completely and in time.',
    broken: 'Proper requests go unanswered',
    why: 'If a correct request is not answered, nothing else can be relied on.',
    exactly:
      'a request is proper where every required parameter comes once and each value fits its schema. A breach is: a failure (5xx, a broken or late connection, a body that is cut off) in each of three attempts, while other requests are answered; failures at first of at least three proper requests, and of more than one in ten; any other answer than 200 or 429 to all attempts; two such answers to requests which were answered too, or by which the key is refused though others of the operation, and later ones, are answered with it. Away from loopback, connections that break or time out are left to `transport/answered-at-first`. A 403 or 406 that goes away with the usual User-Agent or Accept-Encoding does not count, nor does a refusal that follows wrong keys. A range that is refused 4xx is left undecided, as the document leaves limits of ranges open, as is one in which nothing can have been observed; that excuse no longer applies where another request to the same pool was answered whose range holds it, in the same interval or for as many rows: then no limit explains the refusal.',
    restsOn: ['tokens', 'history', 'latest'],
    needs: anyAnswer,
    check: checkAnswered,
  },
  {
    id: 'transport/media-type-is-json',
    shows: 'mislabeled',
    readsOneAnswer: true,
    section: '4',
    level: 'must',
    statement: 'A success has the media type application/json; parameters are allowed.',
    broken: 'Successes are not labeled as JSON',
    why: 'Clients choose their decoder by this header.',
    exactly:
      'one Content-Type, which up to its first `;` is `application/json` in any case. Answers to other methods than GET and HEAD are left out.',
    restsOn: ['tokens', 'history', 'latest'],
    needs: anyAnswer,
    check: checkMediaType,
  },
  {
    id: 'transport/strict-json',
    shows: 'unreadable',
    readsOneAnswer: true,
    consequence: 'form',
    damage: 'unreadable',
    section: '1',
    level: 'must',
    statement:
      'The body of a success is exactly one JSON value, without a repeated member name in an object.',
    broken: 'Bodies are not one strict JSON value',
    why: 'Parsers disagree about anything else, so two clients would read two different markets.',
    exactly:
      'RFC 8259 to the last byte: no NaN or Infinity, no byte order mark, nothing after the value, no name twice.',
    restsOn: ['tokens', 'history', 'latest'],
    needs: anyAnswer,
    check: checkStrictJson,
  },
  {
    id: 'transport/length-agrees',
    shows: 'mislabeled',
    readsOneAnswer: true,
    consequence: 'form',
    section: '',
    level: 'should',
    statement: 'Content-Length, where it is sent, is the number of bytes that follow.',
    broken: 'Content-Length is not the length of the body',
    why: 'A wrong length truncates the answer or stalls the connection behind a proxy (RFC 9110 §8.6).',
    exactly: 'Content-Length = bytes counted on the wire, before decoding.',
    noFaultReason:
      'Over a connection a wrong length breaks the answer, which other rules report; this rule is about recordings.',
    needs: anyAnswer,
    check: checkLength,
  },
  {
    id: dateRule,
    shows: 'misplaced',
    section: '',
    level: 'should',
    statement: 'A success carries a Date header, which is a date and does not contradict its candles.',
    broken: 'The Date header is missing or contradicts the candles',
    why: 'Caches and clients measure age by it; without it, closed candles are known only to the day (RFC 9110 §6.6.1).',
    exactly:
      'a breach where the latest candle does not fit Date (S − 2 ≤ now < S + L + 120) but fits our clock.',
    noFaultReason:
      'It measures by the clock of the machine, and the service of the proof is set to another day.',
    needs: [latestOfEachPool],
    check: checkDate,
  },
  {
    id: 'transport/other-methods-are-refused',
    shows: 'answered',
    section: '4',
    level: 'should',
    statement: 'POST, PUT, PATCH and DELETE do not succeed.',
    broken: 'Methods other than GET succeed',
    why: 'The service is read-only, but clients believe a reported success.',
    exactly: 'no 2xx; requested only on loopback or in a thorough run.',
    restsOn: ['tokens', 'history', 'latest'],
    needs: [changing],
    check: checkMethods,
  },
];
