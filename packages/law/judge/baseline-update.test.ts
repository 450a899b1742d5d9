import { expect, test } from '@playwright/test';
import { judgeIt } from '../worlds/breach-case.ts';
import { damageExchange, failure, fields, withExchanges } from '../worlds/damage.ts';
import { record } from '../worlds/recorded.ts';
import { usualWorld } from '../worlds/world.ts';
import { applyBaseline, type Baseline } from './baseline.ts';
import { type BaselineUpdate, updateBaseline } from './baseline-update.ts';
import type { Judged } from './judge.ts';

const healthy = record(usualWorld);
const wrongPool = damageExchange(healthy, 'latest HOUR of 2', fields(0, { poolId: 9 }));
const fingerprint = 'candle/pool-is-as-asked getLatestV1PoolCandle';
const today = '2026-12-15';

function updated(judged: Judged, old: Baseline): BaselineUpdate {
  return updateBaseline(applyBaseline(judged, old, today), old, today);
}

const empty: Baseline = { target: 't', known: [], observations: {} };
const listed: Baseline = { ...empty, known: [{ fingerprint, reason: 'Requested.', until: '2026-01-31' }] };

test('a new finding is accepted for ninety days without a reason', () => {
  const { baseline, added } = updated(judgeIt(wrongPool), empty);
  expect(added).toEqual([fingerprint]);
  expect(baseline.known).toEqual([{ fingerprint, met: ['HOUR plain'], reason: '', until: '2027-03-15' }]);
  expect(baseline.observations).toMatchObject({ 'history/order-of-rows': 'ascending' });
});

test('a listed failing keeps its reason and an end date that has passed', () => {
  const { baseline, added, expired } = updated(judgeIt(wrongPool), listed);
  expect(baseline.known).toEqual(listed.known);
  expect({ added, expired }).toEqual({ added: [], expired: [fingerprint] });
});

test('a place where a known failing is met for the first time is noted, without another entry', () => {
  const known = { ...listed, known: listed.known.map((one) => ({ ...one, met: ['WEEK plain'] })) };
  const { baseline, added } = updated(judgeIt(wrongPool), known);
  expect(added).toEqual([]);
  expect(baseline.known).toEqual([{ ...known.known[0], met: ['HOUR plain', 'WEEK plain'] }]);
});

test('the entry of an old baseline is kept as people wrote it', () => {
  const known = [{ fingerprint: `${fingerprint} /poolId`, reason: 'Requested.', until: '2027-01-31' }];
  const { baseline, added } = updated(judgeIt(wrongPool), { ...empty, known });
  expect({ known: baseline.known, added }).toEqual({ known, added: [] });
});

test('a failing that is gone is dropped and named', () => {
  const { baseline, dropped } = updated(judgeIt(healthy), listed);
  expect({ known: baseline.known, dropped }).toEqual({ known: [], dropped: [fingerprint] });
});

test('an inconclusive run takes nothing away, whatever it saw', () => {
  const mute = withExchanges(healthy, (all) =>
    all.map((exchange) =>
      exchange.request.url.endsWith('/tokens') ? failure('timeout')(exchange) : exchange,
    ),
  );
  const judged = judgeIt(mute);
  expect(judged.verdict).toBe('inconclusive');
  const { baseline, dropped } = updated(judged, listed);
  expect({ known: baseline.known, dropped }).toEqual({ known: listed.known, dropped: [] });
});

test('a run without evidence leaves the baseline as it was', () => {
  const old = { ...listed, observations: { 'inversion/constant': '1' } };
  expect(updated(judgeIt(withExchanges(healthy, () => [])), old).baseline).toEqual(old);
});

test('an answer that changed takes the place of its pin and is named', () => {
  const old = { ...empty, observations: { 'history/order-of-rows': 'descending', 'old/question': 'x' } };
  const { baseline, repinned } = updated(judgeIt(healthy), old);
  expect(repinned).toEqual(['history/order-of-rows']);
  expect(baseline.observations).toMatchObject({ 'history/order-of-rows': 'ascending', 'old/question': 'x' });
  expect(Object.keys(baseline.observations)).toEqual(Object.keys(baseline.observations).toSorted());
});
