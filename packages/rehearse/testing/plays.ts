import { hash } from 'node:crypto';
import { loadSpec } from '@candleproof/document/spec/load-spec';
import type { HeaderLine } from '@candleproof/law/reading/exchange';
import type { ClientExchange } from '../client-exchange.ts';
import type { CheckResult, ClientRule, Play } from '../law/client-rule.ts';
import { recognizeRequests } from '../playing/play.ts';

export const spec = loadSpec('openapi.yaml');

/** 2026-03-11T12:00:00Z. */
export const epoch = 1_773_230_400_000;

/** The differences of an exchange from a `GET /tokens` at time 0 with a good answer after 5 ms. */
export type MadeExchange = Partial<Omit<ClientExchange, 'number' | 'answer'>> & {
  readonly retryAfter?: number;
  readonly remaining?: number;
  readonly reset?: number;
  readonly answer?: string;
};

/** Returns a play of these exchanges in order of arrival. */
export function makePlay(made: readonly MadeExchange[], more: Partial<Play> = {}): Play {
  const exchanges = made
    .toSorted((one, other) => (one.arrived ?? 0) - (other.arrived ?? 0))
    .map((exchange, at) => makeExchange(exchange, at + 1));
  return {
    spec,
    exchanges,
    requested: recognizeRequests(spec, exchanges),
    epoch,
    isUnmet: false,
    end: { how: 'cut' },
    ended: 60_000,
    noOverage: false,
    ...more,
  };
}

function makeExchange(made: MadeExchange, number: number): ClientExchange {
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

/** Returns the numbers of the exchanges that break the rule. */
export function findBreaches(rule: ClientRule, play: Play): number[] {
  return [...rule.check(play)].flatMap((outcome) =>
    'breach' in outcome ? [outcome.breach.exchange.number] : [],
  );
}

/** Returns whether the rule judges anything in the play. */
export function isExercised(rule: ClientRule, play: Play): boolean {
  return [...rule.check(play)].some((outcome: CheckResult) => !('undecided' in outcome));
}
