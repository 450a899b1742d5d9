import type { Reply } from '@candleproof/reference-service/api/message';
import { buildRig, findHeader, type Rig } from '@candleproof/reference-service/testing/rig';
import { expect, test } from '@playwright/test';
import { makePlay } from '../testing/plays.ts';
import type { Trouble } from './scenario.ts';
import { delayAnswers, endMonthAfter, failTemporarily, refuseTemporarily, revokeKey } from './scenario.ts';
import { gapInTheMiddle, isRepainted, repaintHistory, scenarios } from './scenario-catalogue.ts';

const noon = Date.parse('2026-03-11T12:10:00Z');
const day = `from=${noon / 1000 - 86_400}&to=${noon / 1000}`;
const history = `/v2/pools/conversionRates/1?interval=HOUR&${day}`;

function rigWith(trouble: Trouble, allowance = { monthlyLimit: 100, hardCap: false }): Rig {
  const rig = buildRig({ now: noon, allowance });
  rig.distortions = [trouble.distortion];
  return rig;
}

/** Answers to a request at each of these instants, in ms after noon. */
function fetchAnswers(rig: Rig, ...instants: readonly number[]): Reply[] {
  return instants.map((instant) => {
    rig.now = noon + instant;
    return rig.ask('/tokens');
  });
}

test('a trouble begins with the second request and is over after its time', () => {
  const trouble = failTemporarily(4000, false);
  const answers = fetchAnswers(rigWith(trouble), 0, 1000, 4999, 5000);
  expect(answers.map(({ status }) => status)).toEqual([200, 503, 503, 200]);
  expect(trouble.span()).toEqual({ began: noon + 1000, ended: noon + 5000, isAnnounced: false });
});

test('a request refused with 429 gets Retry-After and is not counted', () => {
  const trouble = refuseTemporarily(2000);
  const answers = fetchAnswers(rigWith(trouble), 0, 1000, 2500, 3000);
  expect(trouble.span()).toMatchObject({ isAnnounced: true });
  expect(answers.map(({ status }) => status)).toEqual([200, 429, 429, 200]);
  expect(answers.map((answer) => findHeader(answer, 'retry-after'))).toEqual([
    undefined,
    '2',
    '1',
    undefined,
  ]);
  expect(answers.map((answer) => findHeader(answer, 'x-ratelimit-remaining'))).toEqual([
    '99',
    '99',
    '99',
    '98',
  ]);
});

test('the short month refuses requests beyond its limit until the next month', () => {
  const rig = rigWith(endMonthAfter(5000), { monthlyLimit: 1, hardCap: true });
  const answers = fetchAnswers(rig, 0, 1000, 5001);
  expect(answers.map(({ status }) => status)).toEqual([200, 429, 200]);
  expect(findHeader(answers[1] ?? rig.ask('/tokens'), 'retry-after')).toBe('5');
  expect(answers.map((answer) => findHeader(answer, 'x-ratelimit-remaining'))).toEqual(['0', '0', '0']);
  expect(findHeader(answers[0] ?? rig.ask('/tokens'), 'x-ratelimit-reset')).toBe(String(noon + 5000));
});

test('a revoked key is answered like one that was never issued', () => {
  expect(fetchAnswers(rigWith(revokeKey()), 0, 10, 60_000).map(({ status }) => status)).toEqual([
    200, 401, 401,
  ]);
});

test('slow answers are complete and temporarily late', () => {
  const waits = fetchAnswers(rigWith(delayAnswers(6000, 3000)), 0, 10, 6000, 6010).map(
    ({ delivery }) => delivery?.wait,
  );
  expect(waits).toEqual([undefined, 3000, 3000, undefined]);
});

test('a gap is one missing candle in the middle of a history', () => {
  const rig = buildRig({ now: noon });
  const whole = JSON.parse(rig.ask(history).body);
  rig.distortions = [gapInTheMiddle];
  const rows = JSON.parse(rig.ask(history).body);
  expect(rows).toHaveLength(whole.length - 1);
  expect([rows[0], rows.at(-1)]).toEqual([whole[0], whole.at(-1)]);
});

test('repainted candles change every two seconds and stay sound', () => {
  const rig = buildRig({ now: noon });
  rig.distortions = [repaintHistory()];
  const fetchClose = (ms: number): number => {
    rig.now = noon + ms;
    return JSON.parse(rig.ask(history).body)[0].close;
  };
  const first = fetchClose(0);
  expect(fetchClose(1900)).toBe(first);
  expect(fetchClose(2100) / first).toBeCloseTo(1.001, 9);
});

test('only an answer for the same history seconds later is repainted', () => {
  const at = (arrived: number, range: string, answer: string) => ({ arrived, target: range, answer });
  const [hours, days] = ['/p/1?interval=HOUR&from=10&to=90', '/p/1?interval=DAY&from=10&to=90'];
  const { exchanges } = makePlay([
    at(0, hours, 'one'),
    at(500, hours.replace('90', '95'), 'two'),
    at(2100, days, 'three'),
    at(2200, hours.replace('90', '99'), 'four'),
  ]);
  const [first, moved, other, later] = exchanges;
  if (!first || !moved || !other || !later) throw new Error('four were made');
  expect([moved, other, later].map((answer) => isRepainted(first, answer))).toEqual([false, false, true]);
});

test('exactly the scenarios with wrong data identify wrong answers', () => {
  expect(scenarios.filter(({ isWrong }) => isWrong).map(({ kind }) => kind)).toEqual(
    Array(6).fill('wrong data'),
  );
  expect(scenarios.filter(({ kind }) => kind === 'wrong data')).toHaveLength(6);
  expect(scenarios[0]?.kind).toBe('control');
});
