import { headerValues } from '../../reading/exchange.ts';
import { type Answer, hasOtherMethod, headersNamed, holdsSuccess } from '../../reading/reading.ts';
import { parseStrictly } from '../../reading/strict-json.ts';
import type { Evidence } from '../../relations/evidence.ts';
import { answerCheck } from '../checks.ts';
import { isIntermediary } from '../gateway.ts';
import { anyAnswer, latestInEachInterval } from '../needs.ts';
import { faultyNeed, withoutKey } from '../refusal-needs.ts';
import type { CheckOutcome, Rule } from '../rule.ts';
import { findTrigger } from '../trigger.ts';

/** Returns a header's value; undefined if it is unknown whether it was sent, empty if it was not. */
function readHeader(answer: Answer, name: string): string | undefined {
  return headersNamed(answer, name)?.join(', ');
}

/** Returns a header's value; empty if it is absent or unknown. */
function headerText(answer: Answer, name: string): string {
  return readHeader(answer, name) ?? '';
}

/** Returns the media type, such as application/json or application/problem+json. */
const jsonLabel = /^application\/(?:[\w.-]+\+)?json\s*(;|$)/i;

const checkErrorBodies = answerCheck(
  ({ answers }) => answers,
  '',
  (answer) => {
    const { status = 0, body } = answer;
    const isLabelled = jsonLabel.test(headerText(answer, 'content-type').trim());
    if (!body || body.text === '' || status < 400 || isIntermediary(status) || !isLabelled) return undefined;
    const parsed = parseStrictly(body.text);
    return 'value' in parsed
      ? 'holds'
      : { expected: 'JSON, as the refusal is labelled', actual: parsed.broken };
  },
);

/** Names the variant that binds a strong tag: address, coding and kind of key. */
function nameVariant(answer: Answer): string {
  const { url, body, credential } = answer.exchange.request;
  return `${url} ${body ?? ''} ${credential} ${readHeader(answer, 'content-encoding')} ${readHeader(answer, 'etag')}`;
}

function* checkTags(evidence: Evidence): Generator<CheckOutcome> {
  const { answers } = evidence;
  const tagged = answers
    .filter(holdsSuccess)
    .filter(({ broken }) => broken === undefined)
    .filter((answer) => !hasOtherMethod(answer) && /^"/.test(headerText(answer, 'etag')));
  for (const [first, ...others] of Map.groupBy(tagged, nameVariant).values()) {
    for (const answer of others) {
      if (answer.body.text === first?.body.text) yield { judged: answer };
      else {
        const expected = 'the same body as under the same tag before';
        const actual = headerText(answer, 'etag');
        yield { breach: { answer, pointer: 'header:etag', expected, actual } };
      }
    }
  }
  yield* checkRevalidation(evidence);
}

/** The answer to our If-None-Match must be the data, or that nothing changed. */
const checkRevalidation = answerCheck(
  ({ answers }) => answers,
  'status',
  ({ status = 0, exchange, complete, requested, fromCache }) => {
    const isConditional = headerValues(exchange.request.headers, 'if-none-match').length > 0;
    const isOurs = exchange.request.credential === 'api-key';
    if (!complete || fromCache || !requested?.proper || !isConditional || !isOurs) return undefined;
    if (status >= 500 || [401, 403, 429].includes(status)) return undefined;
    return status === 200 || status === 304
      ? 'holds'
      : { expected: 'status 304 or 200', actual: `status ${status}` };
  },
);

/** Directives with which any cache may keep an answer for all clients. */
const isOffered = /(^|[\s,])(public|s-maxage\s*=)/i;

/** Directives with which a cache may keep an answer unless it is marked private: an API key does not count as Authorization. */
function isKept(control: string): boolean {
  const age = /(?:^|[\s,])max-age\s*=\s*"?(\d+)/i.exec(control)?.[1];
  return Number(age ?? 0) > 0 && !/(^|[\s,])(private|no-store|no-cache)\b/i.test(control);
}

const checkPrivate = answerCheck(
  ({ answers }) => answers,
  'header:cache-control',
  (answer, { target, spec: { keyHeader = '' } }) => {
    const isOurs = answer.exchange.request.credential === 'api-key';
    const actual = readHeader(answer, 'cache-control');
    if (!answer.success || !isOurs || target.keyless || actual === undefined) return undefined;
    // Caches keep answers to Authorization apart by themselves, and those to another URL.
    if (keyHeader === '' || keyHeader === 'authorization') return undefined;
    const varied = headerText(answer, 'vary').toLowerCase().split(/[\s,]/);
    const isApart = varied.includes('*') || varied.includes(keyHeader);
    return !(isOffered.test(actual) || isKept(actual)) || isApart
      ? 'holds'
      : { expected: `private, or a Vary that names ${keyHeader}`, actual };
  },
);

/** Nothing can be unchanged since a tag that was never issued (RFC 9110 §13.1.2). */
const checkUnknownTag = answerCheck(
  ({ answers }) => answers,
  'status',
  (answer, { spec, target }) => {
    if (!answer.complete || findTrigger(spec, target, answer) !== 'tag-unknown') return undefined;
    return answer.status === 304
      ? { expected: 'the data, or a refusal: this tag was never issued', actual: 'status 304' }
      : 'holds';
  },
);

export const cachingRules: readonly Rule[] = [
  {
    id: 'transport/error-body-is-as-labelled',
    shows: 'mislabeled',
    readsOneAnswer: true,
    section: '',
    level: 'should',
    statement: 'A refusal labeled as JSON is JSON.',
    broken: 'Refusals labeled as JSON are not JSON',
    why: 'A client that parses the reason fails on the answer instead (RFC 9110 §8.3).',
    exactly: '`application/json` or `application/*+json` with a body that is no JSON, 502 to 504 left out.',
    needs: [...withoutKey, faultyNeed('from-left-out'), faultyNeed('pool-unknown')],
    check: checkErrorBodies,
  },
  {
    id: 'transport/same-tag-same-body',
    shows: 'unchanged',
    section: '',
    level: 'should',
    statement:
      'Answers with the same strong ETag have the same body, and a known ETag is answered with 304 or 200.',
    broken: 'One strong ETag stands for different bodies',
    why: 'Clients keep their copy as long as the ETag stays the same (RFC 9110 §8.8.3).',
    exactly:
      'same URL, key, coding and ETag without `W/` ⇒ same text; If-None-Match with an ETag just seen ⇒ 304 or 200.',
    needs: [...latestInEachInterval, faultyNeed('not-modified')],
    check: checkTags,
  },
  {
    id: 'transport/keyed-answers-are-private',
    shows: 'disclosed',
    consequence: 'access',
    section: '5',
    level: 'should',
    uses: ['key'],
    statement:
      'No answer to a key may be stored by shared caches, unless they keep the answers to different keys apart.',
    broken: 'Shared caches may store answers to a key',
    why: 'Otherwise a cache gives everyone what one key has paid for.',
    exactly:
      'in Cache-Control neither `public` nor `s-maxage`, nor a `max-age` above 0 without `private`, `no-cache` or `no-store`, unless Vary names x-api-key or `*`.',
    restsOn: ['key'],
    needs: anyAnswer,
    check: checkPrivate,
  },
  {
    id: 'transport/unknown-tag-gets-the-data',
    shows: 'answered',
    section: '',
    level: 'should',
    statement: 'A condition on an ETag that was never issued is not answered with 304.',
    broken: 'An ETag that was never issued is answered with 304',
    why: 'It tells a client to keep data that it never had (RFC 9110 §13.1.2).',
    exactly: 'no 304 for If-None-Match with an ETag that we made up; drawn by the seed.',
    needs: [faultyNeed('tag-unknown')],
    check: checkUnknownTag,
  },
];
