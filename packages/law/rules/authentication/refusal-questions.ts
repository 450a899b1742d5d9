import { type Answer, headersNamed } from '../../reading/reading.ts';
import { parseStrictly } from '../../reading/strict-json.ts';
import type { Evidence } from '../../relations/evidence.ts';
import { nearMisses } from '../error-cases.ts';
import { latestOfEachPool } from '../needs.ts';
import { joinParts } from '../observed-values.ts';
import { faultyNeed, withoutKey, withWrongKeys } from '../refusal-needs.ts';
import type { Question } from '../rule.ts';
import { triggeredAnswers } from '../trigger.ts';
import { keylessAnswers } from './authentication.ts';
import { triedAnswers } from './authentication-trials.ts';

/** Names status and members, by which a client can distinguish two refusals. */
function nameRefusal({ status, body }: Answer): string[] {
  if (!body) return [];
  const parsed = parseStrictly(body.text);
  const value = 'value' in parsed ? parsed.value : undefined;
  const members = typeof value === 'object' && value !== null ? Object.keys(value).sort() : [];
  return [[status, ...members].join(' ')];
}

function missingAndWrongAnswer(evidence: Evidence): string | undefined {
  const missing = new Set(keylessAnswers(evidence).flatMap(nameRefusal));
  // Some services treat an empty key as a missing one.
  const wrong = triedAnswers(
    evidence,
    nearMisses.filter((nearMiss) => nearMiss !== 'empty'),
  ).flatMap(nameRefusal);
  if (missing.size === 0 || wrong.length === 0) return undefined;
  return wrong.every((header) => missing.has(header)) ? 'in the same way' : 'in another way';
}

/** A client that learns without a key which pools exist gets more than the document offers. */
function orderAnswer(evidence: Evidence): string | undefined {
  const refusals = new Set(keylessAnswers(evidence).map(({ status }) => status));
  const seen = triggeredAnswers(evidence).flatMap(({ answer, trigger }): [string, string][] => {
    if (!/^unkeyed-(interval|pool)-/.test(trigger) || refusals.size === 0) return [];
    const order = refusals.has(answer.status) ? 'after the key' : `before the key (${answer.status})`;
    return [[trigger.replace('unkeyed-', ''), order]];
  });
  return joinParts(seen);
}

/** The greatest age that a cache gave a latest candle. */
function ageAnswer({ latest }: Evidence): string | undefined {
  const seen = latest.filter((candleAnswer) => candleAnswer.headers);
  if (seen.length === 0) return undefined;
  const ages = seen
    .flatMap((candleAnswer) => headersNamed(candleAnswer, 'age') ?? [])
    .map(Number)
    .filter(Number.isFinite);
  if (ages.length === 0) return 'not reported';
  const most = Math.max(...ages);
  if (most === 0) return 'fresh';
  return most <= 60 ? 'up to a minute' : 'more than a minute';
}

export const refusalQuestions: readonly Question[] = [
  {
    id: 'authentication/missing-and-wrong-key',
    section: '7',
    question: 'Is a wrong key refused like a missing one?',
    why: 'If it is not, clients can tell their users which mistake they made.',
    exactly: 'status and member names of both refusals, never their text.',
    restsOn: ['key'],
    needs: [...withoutKey, ...withWrongKeys],
    unlessBroken: ['authentication/wrong-keys-are-refused'],
    answer: missingAndWrongAnswer,
  },
  {
    id: 'authentication/order-of-checks',
    section: '7',
    question: 'Are parameters and pools checked before the key?',
    why: 'If they are, anyone can find out which pools exist without a key.',
    exactly:
      'a faulty request without a key, compared with a correct one without a key: the same status, or another.',
    restsOn: ['key'],
    needs: [...withoutKey, faultyNeed('unkeyed-interval-unknown'), faultyNeed('unkeyed-pool-unknown')],
    hasParts: true,
    answer: orderAnswer,
  },
  {
    id: 'transport/age',
    section: '4.3',
    question: 'How old is the latest candle by the Age header?',
    why: 'A client that promises a price’s age has to add what a cache in between added.',
    exactly: 'the largest Age of a latest candle: not reported, 0, up to 60 s, more.',
    restsOn: ['latest'],
    needs: [latestOfEachPool],
    answer: ageAnswer,
  },
];
