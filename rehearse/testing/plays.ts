import { hash } from 'node:crypto';
import { loadSpec } from '../../contract/document/load-spec.ts';
import type { HeaderLine } from '../../contract/reading/exchange.ts';
import type { HeardExchange } from '../heard.ts';
import type { ClientRule, ClientSight } from '../law/client-rule.ts';
import type { Play } from '../law/play.ts';
import { requestedBy } from '../playing/requested.ts';

export const spec = loadSpec('openapi.yaml');

/** 2026-03-11T12:00:00Z. */
export const epoch = 1_773_230_400_000;

/** What a made exchange differs in from `GET /tokens` at 0, answered well after 5 ms. */
export type MadeExchange = Partial<Omit<HeardExchange, 'number' | 'answer'>> & {
  readonly retryAfter?: number;
  readonly remaining?: number;
  readonly reset?: number;
  readonly answer?: string;
};

/** A play of these exchanges, in the order of their arrival. */
export function played(made: readonly MadeExchange[], more: Partial<Play> = {}): Play {
  const exchanges = made
    .toSorted((one, other) => (one.arrived ?? 0) - (other.arrived ?? 0))
    .map((each, at) => exchangeOf(each, at + 1));
  return {
    spec,
    exchanges,
    requested: requestedBy(spec, exchanges),
    epoch,
    isUnmet: false,
    end: { how: 'cut' },
    ended: 60_000,
    noOverage: false,
    ...more,
  };
}

function exchangeOf(made: MadeExchange, number: number): HeardExchange {
  const { retryAfter, remaining, reset, answer = 'body', ...rest } = made;
  const { arrived = 0, method = 'GET', target = '/tokens' } = made;
  const month: HeaderLine[] = [
    ['x-ratelimit-limit', '10000'],
    ['x-ratelimit-remaining', String(remaining ?? 9000)],
    ['x-ratelimit-additional-total', '0'],
    ['x-ratelimit-reset', String(reset ?? epoch + 86_400_000)],
  ];
  const weighed = (text: string) => ({ bytes: text.length, sha256: hash('sha256', text) });
  return {
    number,
    connection: 1,
    method,
    target,
    headers: [],
    body: weighed(''),
    sha256: hash('sha256', `${method} ${target}`),
    keyPlaces: ['key header'],
    arrived,
    status: 200,
    answerHeaders: [
      ...month,
      ...(retryAfter === undefined ? [] : [['Retry-After', String(retryAfter)] as const]),
    ],
    answer: weighed(answer),
    ...rest,
    ended: rest.ended ?? arrived + 5,
  };
}

/** Numbers of the exchanges that break the rule. */
export function breachesOf(rule: ClientRule, play: Play): number[] {
  return [...rule.check(play)].flatMap((sight) => ('breach' in sight ? [sight.breach.exchange.number] : []));
}

/** Does the rule judge anything in the play? */
export function isExercised(rule: ClientRule, play: Play): boolean {
  return [...rule.check(play)].some((sight: ClientSight) => !('undecided' in sight));
}
