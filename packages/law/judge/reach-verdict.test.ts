import { expect, test } from '@playwright/test';
import { judgeIt } from '../worlds/breach-case.ts';
import {
  type Distort,
  damageExchange,
  failure,
  fields,
  status,
  text,
  withExchanges,
} from '../worlds/damage.ts';
import { type NamedRecording, record } from '../worlds/recorded.ts';
import { usualWorld } from '../worlds/world.ts';

const healthy = record(usualWorld);

function everywhere(damage: Distort): NamedRecording {
  return withExchanges(healthy, (exchanges) => exchanges.map(damage));
}

function judgeVerdict(recorded: NamedRecording): string {
  const { verdict, reason } = judgeIt(recorded);
  return reason === undefined ? verdict : `${verdict}: ${reason}`;
}

const refused = (code: number) => (recorded: NamedRecording) =>
  withExchanges(recorded, (exchanges) =>
    exchanges.map((exchange) =>
      exchange.request.credential === 'api-key' ? status(code)(exchange) : exchange,
    ),
  );

test('a service that passes all is conformant without a reason', () => {
  expect(judgeVerdict(healthy)).toBe('conformant');
});

for (const code of [401, 403]) {
  test(`a key that is refused with ${code} decides nothing`, () => {
    expect(judgeVerdict(refused(code)(healthy))).toBe(
      `inconclusive: the API key was refused (status ${code})`,
    );
  });
}

test("answers too large to be kept leave a run undecided, and are nobody's fault", () => {
  const unkept = damageExchange(healthy, 'week FIVEMIN', (exchange) => {
    const { body: _, ...head } = exchange.response as NonNullable<typeof exchange.response>;
    return { ...exchange, response: head };
  });
  const { verdict, reason, findings } = judgeIt(unkept);
  expect([verdict, findings]).toEqual(['inconclusive', []]);
  expect(reason).toMatch(/^1 answer was left unjudged, .*--max-body/);
});

test('a single refusal for limits decides nothing', () => {
  expect(judgeVerdict(damageExchange(healthy, 'week FIVEMIN', status(429)))).toBe(
    'inconclusive: the quota or the rate limit is spent (status 429)',
  );
});

test('a spent quota that serves nothing beyond it is reported as such', () => {
  const quota = { limit: 100, used: 90, zone: 0, early: 1, servedBeyond: false } as const;
  expect(judgeVerdict(record({ ...usualWorld, quota }))).toBe(
    'inconclusive: the quota or the rate limit is spent (status 429)',
  );
});

for (const kind of ['unreachable', 'certificate', 'timeout'] as const) {
  test(`a target that ends in ${kind} throughout decides nothing`, () => {
    expect(judgeVerdict(everywhere(failure(kind)))).toBe(
      `inconclusive: the target did not answer: ${kind} (it was ${kind})`,
    );
  });
}

test('an operation of which nothing could be judged is named', () => {
  expect(judgeVerdict(damageExchange(healthy, 'tokens', status(503)))).toBe(
    'inconclusive: nothing could be judged of listTokens (status 503)',
  );
  expect(judgeVerdict(damageExchange(healthy, 'tokens', failure('reset')))).toBe(
    'inconclusive: nothing could be judged of listTokens (reset)',
  );
});

test('a failure that passed on the next attempt is no reason', () => {
  const retried = withExchanges(healthy, ([first, ...others]) =>
    first ? [status(503)(first), first, ...others] : [],
  );
  expect(judgeVerdict(retried)).toBe('conformant');
});

test('a recording without any proper request decides nothing', () => {
  const improper = withExchanges(healthy, (exchanges) =>
    exchanges.map((exchange) => ({ ...exchange, request: { ...exchange.request, method: 'POST' } })),
  );
  expect(judgeVerdict(improper)).toBe('inconclusive: no proper request to any of the operations was made');
});

test('a failed must makes nonconformant and is named', () => {
  const two = damageExchange(
    damageExchange(healthy, 'tokens', text('{}')),
    'latest HOUR of 2',
    fields(0, { poolId: 9 }),
  );
  expect(judgeVerdict(two)).toBe(
    'nonconformant: 2 musts failed: tokens/answer-is-a-list, candle/pool-is-as-asked',
  );
});

test('a failed must outweighs a spent rate limit', () => {
  const both = damageExchange(damageExchange(healthy, 'tokens', text('{}')), 'week FIVEMIN', status(429));
  expect(judgeVerdict(both)).toBe('nonconformant: 1 must failed: tokens/answer-is-a-list');
});

test('a recommendation that is not kept leaves the verdict conformant', () => {
  const blank = damageExchange(healthy, 'tokens', fields(1, { symbol: ' ' }));
  expect(judgeVerdict(blank)).toBe('conformant');
  expect(judgeIt(blank).findings.map((finding) => [finding.rule, finding.level])).toEqual([
    ['tokens/symbol-is-visible', 'should'],
  ]);
});
