import { expect, test } from '@playwright/test';
import type { LoadRun, SliceFigures } from './load-run.ts';
import { noOutcomes, sampleFigures, sampleRun } from './testing/runs.ts';

const slices = (change: (at: number) => Partial<LoadRun['figures']['slices'][number]>) =>
  sampleFigures.slices.map((slice, at) => ({ ...slice, ...change(at) }));

const thresholds = { availability: 0.99, latency: { objective: 0.95, underMs: 200 } };

test('a load that was delivered and answered right is conformant', () => {
  expect(sampleRun()).toMatchObject({ verdict: 'conformant', reasons: [], rightUnderLoad: 'passed' });
  expect(sampleRun({}, { trial: { thresholds } }).verdict).toBe('conformant');
  // The last request is due at the very end.
  expect(sampleRun({ sent: 999, checked: 999 }).verdict).toBe('conformant');
});

const doubts: [what: string, run: LoadRun, why: RegExp][] = [
  ['dropped requests', sampleRun({ dropped: 1 }), /not delivered: 1 requests were due/],
  ['too few requests', sampleRun({ sent: 980, checked: 980 }), /980 of 1000 requests were sent/],
  ['requests nobody looked at', sampleRun({ checked: 999 }), /1 requests were sent and never looked at/],
  ['a generator at its limit', sampleRun({}, { part: { cpu: 0.8 } }), /embedded took 80 % of its core/],
  [
    'k6 at its limit',
    sampleRun({}, { part: { engine: 'k6 2.2.0', cpu: 0.8 } }),
    /k6 2.2.0 took 80 % of all cores/,
  ],
  ['requests that left late', sampleRun({}, { part: { late: { 'p(99)': 251 } } }), /left 251 ms late/],
  ['a 429', sampleRun({ outcomes: { ...noOutcomes(), ok: 999, limited: 1 } }), /measured the key’s limit/],
  ['overage', sampleRun({ outcomes: { ...noOutcomes(), ok: 999, overage: 1 } }), /measured the key’s limit/],
  ['the floor', sampleRun({ sent: 500, checked: 490 }, { ended: 'floor' }), /floor/],
  ['an interruption', sampleRun({ sent: 500, checked: 490 }, { ended: 'interrupted' }), /interrupted/],
  ['the end of a generator', sampleRun({ sent: 0, checked: 0 }, { ended: 'killed' }), /generator died/],
  [
    'the end of k6 by its memory',
    sampleRun({ sent: 0, checked: 0 }, { ended: 'killed', part: { endedAtMemory: 1500 } }),
    /k6 was ended at 1500 MiB of memory/,
  ],
  [
    'failures alone',
    sampleRun({ outcomes: { ...noOutcomes(), 'server-error': 1000 }, judged: 0 }),
    /no request was answered with 200/,
  ],
  ['answers without a record', sampleRun({ judged: 0 }), /held a candle or a token/],
  ['a rule that broke down', sampleRun({ crashed: 2 }), /ours to mend/],
];

for (const [what, run, why] of doubts) {
  test(`${what} make a run inconclusive`, () => {
    expect(run.verdict).toBe('inconclusive');
    expect(run.reasons).toEqual([expect.stringMatching(why)]);
  });
}

test('a wrong answer counts even if the load was not delivered', () => {
  const run = sampleRun({
    breached: 3,
    dropped: 50,
    slices: slices((at) => ({ breached: at > 11 ? 1 : 0 })),
  });
  expect(run).toMatchObject({ verdict: 'nonconformant', rightUnderLoad: 'failed' });
  expect(run.wrongFrom).toMatchObject({ perSecond: 50, atSeconds: 12 });
});

test('objectives apply only to a delivered load', () => {
  const slow = { latency: { 60: 900, 140: 100 } };
  expect(sampleRun(slow, { trial: { thresholds } })).toMatchObject({
    verdict: 'nonconformant',
    reasons: ['90 % were answered within 200 ms, below the objective of 95 %'],
  });
  const failing = { outcomes: { ...noOutcomes(), ok: 900, 'server-error': 100 } };
  expect(sampleRun(failing, { trial: { thresholds } }).verdict).toBe('nonconformant');
  expect(sampleRun(failing).verdict).toBe('conformant');
  expect(sampleRun({ ...slow, dropped: 5 }, { trial: { thresholds } }).verdict).toBe('inconclusive');
});

test('an unjudged run has the same verdict if judging was off or objectives are missed', () => {
  expect(sampleRun({ judged: 0 }, { trial: { judgeShare: 0 } }).verdict).toBe('conformant');
  const failing = { outcomes: { ...noOutcomes(), 'server-error': 1000 }, judged: 0 };
  expect(sampleRun(failing, { trial: { thresholds } }).verdict).toBe('nonconformant');
});

test('few judged answers leave correctness under load unexercised', () => {
  expect(sampleRun({ judged: 999 }).rightUnderLoad).toBe('unexercised');
});

test('the breakpoint is the first slice that broke down, with the reason', () => {
  const gaveWay = (change: Parameters<typeof slices>[0]) => sampleRun({ slices: slices(change) }).breakpoint;
  expect(gaveWay(() => ({}))).toBeUndefined();
  expect(gaveWay((at) => (at >= 8 ? { errors: 5 } : {}))).toMatchObject({ by: 'errors', atSeconds: 8 });
  expect(gaveWay((at) => (at >= 5 ? { slow: 20 } : {}))).toMatchObject({ by: 'latency', atSeconds: 5 });
  expect(gaveWay((at) => (at >= 3 ? { sent: 30 } : {}))).toMatchObject({ by: 'generator', atSeconds: 3 });
});

test('the sustained rate lies below every rate at which something gave way or was wrong', () => {
  const ramp = { load: { startPerMinute: 0, stages: [{ perMinute: 6000, seconds: 20 }] } };
  const sent = (at: number) => 5 * at + 2;
  const ramped = (change: (at: number) => Partial<SliceFigures>) =>
    sampleRun({ slices: slices((at) => ({ sent: sent(at), ...change(at) })) }, { trial: ramp }).sustained;
  expect(ramped(() => ({}))).toEqual({ perSecond: 97.5, isHighest: true });
  expect(ramped((at) => ({ breached: at === 10 ? 1 : 0 }))).toEqual({ perSecond: 47.5, isHighest: false });
  expect(ramped((at) => ({ slow: at >= 4 ? sent(at) : 0 }))).toEqual({ perSecond: 17.5, isHighest: false });
  expect(ramped((at) => ({ errors: sent(at) }))).toBeUndefined();
});
