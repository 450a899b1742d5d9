import { expect } from '@candleproof/testing/expect';
import { measureProcessorMs } from '@candleproof/testing/processor-time';
import { test } from '@playwright/test';
import fc from 'fast-check';
import { judgeIt } from '../worlds/breach-case.ts';
import {
  type Distort,
  damageExchange,
  foreign,
  header,
  rows,
  text,
  withExchanges,
} from '../worlds/damage.ts';
import { damages } from '../worlds/fuzz.ts';
import { type NamedRecording, record } from '../worlds/recorded.ts';
import { usualWorld } from '../worlds/world.ts';
import type { Judgement } from './verdict.ts';

const healthy = record(usualWorld);

/** Writes and reads a report's JSON: nothing in it may be lost on the way. */
function reported({ appliedRules: _, evidence: __, ...judgement }: ReturnType<typeof judgeIt>): Judgement {
  return judgement;
}

function expectWritable(recorded: NamedRecording): void {
  const judgement = reported(judgeIt(recorded));
  expect(JSON.parse(JSON.stringify(judgement))).toEqual(judgement);
  for (const { count, examples, expected, pointer } of judgement.findings) {
    expect(count).toBeGreaterThanOrEqual(examples.length);
    expect(examples.length).toBeGreaterThan(0);
    expect(expected).not.toBe('');
    expect(pointer).toMatch(/^(|status|header:.+|\/.*)$/);
  }
}

test('answers damaged at random are judged and can be reported', () => {
  const names = healthy.names.filter((name) => !['week FIVEMIN', 'tokens'].includes(name));
  const hits = fc.array(fc.tuple(fc.constantFrom(...names), damages), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(hits, (all) => {
      expectWritable(
        all.reduce((recorded, [name, damage]) => damageExchange(recorded, name, damage), healthy),
      );
    }),
  );
});

test('exchanges dropped, repeated and put out of order are judged', () => {
  const orders = fc.array(fc.nat(healthy.names.length - 1), { maxLength: 30 });
  fc.assert(
    fc.property(orders, (order) => {
      const picked = withExchanges(healthy, (all) => order.flatMap((at) => all.slice(at, at + 1)));
      expectWritable({ ...picked, names: order.map((at) => healthy.names[at] ?? '') });
    }),
    { numRuns: 25 },
  );
});

const inHistory = 'recent HOUR of 2';
const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;

const bodies: readonly [what: string, damage: Distort][] = [
  ['a body that nests fifty thousand deep', text(deep)],
  ['a field that nests fifty thousand deep', text((body) => body.replaceAll('"avg":', `"avg":${deep},"a":`))],
  ['rows that replace their prototype', text((body) => body.replaceAll('{', '{"__proto__":{"open":1},'))],
  [
    'rows named like methods',
    rows((all) => all.map((row) => ({ ...row, constructor: 1, hasOwnProperty: 2 }))),
  ],
  ['rows that are lists', rows((all) => all.map((row) => [row]))],
  ['numbers beyond all doubles', text((body) => body.replaceAll(/"(open|high)":[^,]+/g, '"$1":1e999'))],
  [
    'a million letters in one column',
    rows((all) => all.map((row) => ({ ...row, open: 'x'.repeat(20_000) }))),
  ],
  ['a date beyond the calendar', header('date', 'Thu, 01 Jan 275761 00:00:00 GMT')],
  ['an empty date', header('date', '')],
  ['two dates', header('date', ['Wed, 18 Mar 2026 10:37:25 GMT', 'nonsense'])],
];

for (const [what, damage] of bodies) {
  test(`${what} ends in a judgement`, () => {
    const spent = measureProcessorMs(() => expectWritable(damageExchange(healthy, inHistory, damage)));
    expect(spent).toBeLessThan(4000);
  });
}

const timeless = withExchanges(healthy, (all) => all.map(header('date', undefined)));

test('a foreign recording without any Date leaves open and closed candles unjudged, and its verdict stands', () => {
  const { findings, rules, verdict } = judgeIt(foreign(timeless));
  expect({ findings, verdict }).toEqual({ findings: [], verdict: 'conformant' });
  const outcome = (id: string) => rules.find((rule) => rule.id === id)?.outcome;
  expect(outcome('history/complete')).toBe('unexercised');
  expect(outcome('rollup/volume-is-summed')).toBe('unexercised');
});

test('a run without any Date judges what closed more than a day ago by our own clock', () => {
  const { findings, rules } = judgeIt(timeless);
  expect([...new Set(findings.map(({ rule }) => rule))]).toEqual(['transport/date-is-the-time']);
  const outcome = (id: string) => rules.find((rule) => rule.id === id)?.outcome;
  expect(outcome('history/complete')).toBe('passed');
  expect(outcome('rollup/volume-is-summed')).toBe('passed');
});

test('a run whose past only a Date would show is inconclusive, and says so', () => {
  const day = 86_400;
  const isRecent = rows((all) =>
    all.filter((row) => Number(row.startTimestampSeconds) > healthy.world.now - day),
  );
  const recent = withExchanges(timeless, (all) =>
    all.map((exchange) =>
      exchange.request.url.includes('from=') && exchange.response?.status === 200
        ? isRecent(exchange)
        : exchange,
    ),
  );
  const { verdict, reason, rules } = judgeIt(recent);
  expect(verdict).toBe('inconclusive');
  expect(reason).toBe(
    'no Date header that can be used: 2 musts could not be judged: rollup/open-holds-its-parts, rollup/open-is-made-of-its-parts',
  );
  const open = rules.find(({ id }) => id === 'rollup/open-holds-its-parts');
  expect(open).toMatchObject({ outcome: 'unexercised', reason: 'no Date header that can be used' });
});

test('a hundred thousand rows are judged within seconds', () => {
  const many = rows((all) => Array.from({ length: 100_000 }, (_, row) => ({ ...all[0], poolId: row })));
  let findings: ReturnType<typeof judgeIt>['findings'] = [];
  const spent = measureProcessorMs(() => {
    ({ findings } = judgeIt(damageExchange(healthy, inHistory, many)));
  });
  expect(spent).toBeLessThan(10_000);
  const pool = findings.find((finding) => finding.rule === 'candle/pool-is-as-asked');
  expect(pool).toMatchObject({ count: 99_999, pointer: '/*/poolId' });
});

test('a range over all of time is searched for gaps in bounded time', () => {
  const endless = withExchanges(healthy, (all) =>
    all.map((exchange) => ({
      ...exchange,
      request: {
        ...exchange.request,
        url: exchange.request.url.replace(/from=\d+/, 'from=1500000000').replace('=HOUR', '=FIVEMIN'),
      },
    })),
  );
  expect(measureProcessorMs(() => judgeIt(endless))).toBeLessThan(5000);
});

test('rows that all depart from the schema are counted, and few of them kept', () => {
  const empty = rows((all) => Array.from({ length: 50_000 }, () => ({ poolId: all[0]?.poolId })));
  const { findings, evidence } = judgeIt(damageExchange(healthy, inHistory, empty));
  const found = findings.filter(({ pointer }) => pointer === '/*/open');
  expect(found.map(({ count, extent }) => [count, extent?.broken])).toEqual(
    found.map(() => [50_000, 50_000]),
  );
  expect(found.length).toBeGreaterThan(0);
  const kept = evidence.answers.map(({ misshapen }) => misshapen.length);
  expect(Math.max(...kept)).toBeLessThan(20_000);
});

test('a recording of others whose bodies together take too much memory is never conformant', () => {
  const recorded = foreign(healthy);
  expect(judgeIt(recorded).verdict).toBe('conformant');
  const cut = damageExchange(recorded, inHistory, ({ response, recorder, ...exchange }) => {
    const { body: _, ...head } = response ?? { status: 200, statusText: '', httpVersion: '', headers: [] };
    const place = 'log.entries[0]';
    return { ...exchange, response: head, recorder: { place, ...recorder, bodyOverLimit: true } };
  });
  const { verdict, reason } = judgeIt(cut);
  expect([verdict, reason]).toEqual(['inconclusive', expect.stringContaining('1 answer was left unjudged')]);
});
