import type { BreachCase, NearMiss } from '../../worlds/breach-case.ts';
import {
  all,
  answeredList,
  type Distort,
  damageExchange,
  failure,
  header,
  status,
  text,
  withRecorder,
} from '../../worlds/damage.ts';
import type { NamedRecording } from '../../worlds/recorded.ts';
import { unissuedTag } from '../error-cases.ts';

const tagged = { rule: 'transport/same-tag-same-body' } as const;

/** Requests with a known tag. */
const conditional: Distort = (exchange) => ({
  ...exchange,
  request: { ...exchange.request, headers: [['if-none-match', '"kept"']] },
});

const withTagOfNobody: Distort = (exchange) => ({
  ...exchange,
  request: { ...exchange.request, headers: [['if-none-match', unissuedTag]] },
});

/** Tags the tokens, including the answer to HEAD, which has no body. */
function tagHead(recorded: NamedRecording): NamedRecording {
  const same = header('etag', '"tokens"');
  return damageExchange(damageExchange(recorded, 'tokens', same), 'head', same);
}

export const cachingBreaches: readonly BreachCase[] = [
  {
    rule: 'transport/keyed-answers-are-private',
    what: 'an answer that is public in its second line',
    at: 'tokens',
    damage: header('cache-control', ['max-age=5', 'public']),
    pointer: 'header:cache-control',
    expected: 'private, or a Vary that names x-api-key',
    actual: 'max-age=5, public',
  },
  {
    rule: 'transport/keyed-answers-are-private',
    what: 'an answer that any cache may keep for a minute',
    at: 'tokens',
    damage: header('cache-control', 'max-age=60, must-revalidate'),
    pointer: 'header:cache-control',
    expected: 'private, or a Vary that names x-api-key',
    actual: 'max-age=60, must-revalidate',
  },
  {
    rule: 'transport/unknown-tag-gets-the-data',
    what: 'a tag of nobody that is answered 304',
    at: 'known tag',
    damage: withTagOfNobody,
    pointer: 'status',
    expected: 'the data, or a refusal: this tag was never issued',
    actual: 'status 304',
  },
  {
    rule: 'transport/error-body-is-as-labelled',
    what: 'a page labelled JSON behind a blank',
    at: 'from-left-out',
    damage: all(text('<p>No'), header('content-type', ' application/json')),
    expected: 'JSON, as the refusal is labelled',
    actual: /./,
  },
];

export const cachingNearMisses: readonly NearMiss[] = [
  ...['private, max-age=60', 'max-age=60, no-cache', 'max-age=0', 'no-store, max-age=5'].map(
    (control): NearMiss => ({
      rule: 'transport/keyed-answers-are-private',
      what: `an answer with ${control}`,
      at: 'tokens',
      damage: header('cache-control', control),
    }),
  ),
  {
    rule: 'transport/keyed-answers-are-private',
    what: 'an answer that is kept for each key apart',
    at: 'tokens',
    damage: all(header('cache-control', 'max-age=60'), header('vary', 'Accept-Encoding, X-API-Key')),
  },
  {
    rule: 'transport/unknown-tag-gets-the-data',
    what: 'a tag of nobody that is answered with the data',
    whole: (recorded) =>
      damageExchange(
        recorded,
        'known tag',
        all(withTagOfNobody, status(200), text(JSON.stringify(answeredList(recorded, 'tokens')))),
      ),
    evidence: 1,
  },
  {
    rule: 'transport/keyed-answers-are-private',
    what: 'an answer whose header lines are left out',
    at: 'tokens',
    damage: withRecorder({ headersLeftOut: true }),
    evidence: 27,
  },
  {
    rule: 'transport/keyed-answers-are-private',
    what: 'a word that begins like one for shared caches',
    at: 'tokens',
    damage: header('cache-control', 'private, s-maxages=5'),
  },
  {
    ...tagged,
    what: 'another body under the same tag in another coding',
    world: { tags: true },
    at: 'latest FIVEMIN again',
    damage: all(
      header('content-encoding', 'br'),
      text((body) => ` ${body}`),
    ),
  },
  { ...tagged, what: 'an answer to HEAD under the tag of a body', whole: tagHead },
  {
    ...tagged,
    what: 'a failure under the tag of a success',
    world: { tags: true },
    at: 'latest FIVEMIN again',
    damage: all(status(503), text('{"message":"Later"}')),
  },
  { ...tagged, what: 'a known tag without a key', at: 'tokens unkeyed', damage: conditional },
  { ...tagged, what: 'a known tag in a faulty request', at: 'from-left-out', damage: conditional },
  {
    ...tagged,
    what: 'a known tag to which nobody answers',
    at: 'known tag',
    damage: failure('timeout'),
    outcome: 'unexercised',
  },
  {
    ...tagged,
    what: 'a known tag that is answered with the data',
    whole: (recorded) =>
      damageExchange(
        recorded,
        'known tag',
        all(status(200), text(JSON.stringify(answeredList(recorded, 'tokens')))),
      ),
    evidence: 1,
  },
  ...['text/html; once=application/json', 'application/json-seq'].map(
    (type): NearMiss => ({
      rule: 'transport/error-body-is-as-labelled',
      what: `a page labelled ${type}`,
      at: 'from-left-out',
      damage: all(text('<p>No'), header('content-type', type)),
    }),
  ),
];
