import { expect, test } from '@playwright/test';
import type { PassedExchange } from '../onlooker.ts';
import { passedTokens } from '../testing/passed.ts';
import { mostSamples } from './limits.ts';
import type { TrafficMinute } from './messages.ts';
import type { PassedQuota } from './passing-quotas.ts';
import { StreamingJudge } from './streaming-judge.ts';

const baseUrl = 'https://target.invalid';
const target = { name: 'traffic', baseUrl, pools: {}, keyless: false, soleUser: false };
const minute = 60_000;
const sound = '[]';
const broken = '[{"id":"0.0.1","decimals":"8"}]';

/** The first second of a minute that does not end during a test, so that the clock ends no minute. */
const later = 60 * minute - (Date.now() % minute) + 1000;

function passed(text: string, at: number): PassedExchange {
  return passedTokens(text, later + at);
}

type Step = (judge: StreamingJudge) => void;

function take(exchange: PassedExchange): Step {
  return (judge) => {
    const copy = judge.copy();
    if (typeof copy === 'string') throw new Error(copy);
    copy.add(exchange.body);
    const body = copy.end();
    if (typeof body === 'string') throw new Error(body);
    judge.take({ ...exchange, body });
  };
}

/** Returns the minutes of consecutive steps, each judged before the next. */
async function minutesOf(steps: readonly Step[]) {
  const minutes: TrafficMinute[] = [];
  const quotas: PassedQuota[] = [];
  const judge = new StreamingJudge({
    specFile: 'openapi.yaml',
    target,
    only: ['tokens/documented-types'],
    onMinute: (trafficMinute) => minutes.push(trafficMinute),
    onQuota: (passedQuota) => quotas.push(passedQuota),
  });
  for (const step of steps) {
    step(judge);
    await judge.settled(20_000);
  }
  await judge.finished(20_000);
  await judge.close();
  return { minutes, quotas };
}

test('a minute has each operation once, with what broke in it and a bounded draw of what passed', async () => {
  const many = Array.from({ length: 50 }, (_, n) => take(passed(n === 30 ? broken : sound, n)));
  const all: Step = (judge) => many.forEach((step) => void step(judge));
  const { minutes } = await minutesOf([all, take(passed(sound, 3 * minute))]);
  expect(minutes).toHaveLength(2);
  const [first, last] = minutes;
  expect(first?.operations).toMatchObject([{ operation: 'listTokens', passed: 50 }]);
  expect(first?.operations[0]?.samples).toHaveLength(mostSamples);
  expect(first?.operations[0]?.broken).toContainEqual({ rule: 'tokens/documented-types', level: 'must' });
  expect(last?.operations).toMatchObject([{ passed: 1, broken: [], endings: [{ status: 200 }] }]);
  expect((last?.begin ?? 0) - (first?.begin ?? 0)).toBe(3 * minute);
  expect((first?.begin ?? 1) % minute).toBe(0);
});

test('each answer that passes has the same chance to be kept', async () => {
  const counts = new Map<number, number>();
  const passing = Array.from({ length: 40 }, (_, n) => passed(sound, n));
  const steps = Array.from({ length: 60 }, (_, round): Step => {
    return (judge) => {
      for (const [n, exchange] of passing.entries())
        take({
          ...exchange,
          span: { startedAt: exchange.span.startedAt + 2 * round * minute, totalMs: n },
        })(judge);
    };
  });
  const { minutes } = await minutesOf(steps);
  for (const { totalMs } of minutes.flatMap(({ operations }) =>
    operations.flatMap((operation) => operation.samples),
  ))
    counts.set(totalMs < 20 ? 0 : 1, (counts.get(totalMs < 20 ? 0 : 1) ?? 0) + 1);
  const [early = 0, late = 0] = [counts.get(0), counts.get(1)];
  expect(early + late).toBe(60 * mostSamples);
  // Five standard deviations of a fair draw.
  expect(Math.abs(early - late)).toBeLessThan(5 * Math.sqrt(60 * mostSamples));
});

test('what came late is part of the next minute, and no minute comes twice', async () => {
  const { minutes } = await minutesOf([
    take(passed(sound, 5 * minute)),
    take(passed(sound, 7 * minute)),
    take(passed(sound, 0)),
  ]);
  const begins = minutes.map(({ begin }) => begin);
  expect(begins).toEqual([...new Set(begins)].toSorted());
  expect(minutes.map(({ operations }) => operations[0]?.passed)).toEqual([1, 2]);
});

test('requests without an answer mark their minute, and what our own monitors request is none of it', async () => {
  const ours = passed(sound, 3 * minute);
  const { minutes } = await minutesOf([
    (judge) => judge.miss('no answer', passed('', 0).span),
    (judge) => judge.miss('client left', passed('', minute).span),
    take({
      ...ours,
      requestLines: [...ours.requestLines, 'User-Agent', 'Candleproof/1.0 (API contract tests)'],
    }),
  ]);
  expect(minutes).toMatchObject([{ operations: [], isUnanswered: true }]);
});

test('of a key the newest counters are handed on, under a name that nobody can read it from', async () => {
  const at = (remaining: number): PassedExchange => {
    const exchange = passed(sound, 10_000 - remaining);
    const counters = [
      ...['x-ratelimit-limit', '10000', 'x-ratelimit-remaining', String(remaining)],
      ...['x-ratelimit-additional-total', '0', 'x-ratelimit-reset', String(Date.UTC(2031, 0, 1))],
    ];
    return { ...exchange, responseLines: [...exchange.responseLines, ...counters] };
  };
  const all: Step = (judge) => [9990, 9989, 9988].forEach((minute) => void take(at(minute))(judge));
  const refused = { ...at(9000), status: 401, requestLines: ['X-API-Key', 'f'.repeat(32)] };
  const { quotas } = await minutesOf([all, take(refused)]);
  expect(quotas.at(-1)?.quota).toMatchObject({ remaining: 9988 });
  expect(new Set(quotas.map(({ account }) => account)).size).toBe(1);
  expect(JSON.stringify(quotas)).not.toContain('0123456789abcdef0123456789abcdef');
});
