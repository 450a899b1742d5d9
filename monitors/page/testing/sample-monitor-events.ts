import { hour, minute } from '../../results/calendar.ts';
import type { EventRecord, IncidentRecord, QuotaRecord } from '../../results/results-store.ts';
import { story } from './sample-monitor-hours.ts';

const month = Date.UTC(2026, 10, 1, 4);
const resetAt = Date.UTC(2026, 11, 1, 5) - 1;
const newest = Date.UTC(2026, 10, 20, 9, 36);

/** A key of 10,000 a month that another user spends from since the 16th. */
export const sampleQuotas: readonly QuotaRecord[] = Array.from({ length: 465 }, (_, index) => {
  const at = Math.min(newest, month + index * hour);
  const foreign = Math.max(0, (at - Date.UTC(2026, 10, 16)) / hour) * 12;
  const used = Math.round(11.2 * (index + 1) + foreign);
  return { key: 'main', at, limit: 10_000, remaining: Math.max(0, 10_000 - used), additional: 0, resetAt };
});

const alert = { id: 'alert/mainnet', indicator: 'availability', location: 'fra1', objective: 0.995 };
const ledger = { key: 'main', target: 'mainnet' };

export const sampleEvents: readonly EventRecord[] = [
  { ...ledger, at: month + 10 * minute, kind: 'roll-over', detail: { from: month - 1, to: resetAt } },
  { ...ledger, at: Date.UTC(2026, 10, 5, 7), kind: 'stuck', detail: { of: 'usage', n: 3 } },
  { ...ledger, at: Date.UTC(2026, 10, 7, 7), kind: 'backward', detail: { of: 'usage', n: 12 } },
  { ...ledger, at: Date.UTC(2026, 10, 14, 7), kind: 'double-charge', detail: { extra: 1, takesBack: 8 } },
  { ...ledger, at: Date.UTC(2026, 10, 15, 9), kind: 'limit-changed', detail: { from: 20_000, to: 10_000 } },
  ...Array.from({ length: 40 }, (_, index): EventRecord => {
    const at = Date.UTC(2026, 10, 16, 1 + 2 * index);
    return { ...ledger, at, kind: 'foreign-use', detail: { n: 24 } };
  }),
  {
    at: Date.UTC(2026, 10, 12, 8),
    kind: 'restatement',
    target: 'testnet',
    detail: {
      ...{ pool: 2, interval: 'HOUR', start: Date.UTC(2026, 10, 12, 6) / 1000 },
      ...{ ageFromMs: 15 * minute, ageToMs: hour },
      changed: { high: ['1.2041', '1.2040'], close: ['1.1987', '1.1990'] },
    },
  },
  { at: Date.UTC(2026, 9, 2, 6), kind: 'network-reset', target: 'testnet', detail: { candles: 48 } },
  {
    at: story.outage.from + 25 * minute,
    ...{ kind: 'alert-fired', target: 'mainnet' },
    detail: { ...alert, severity: 'page', windows: [{ pair: '1h', bad: 6, slots: 12 }] },
  },
  {
    at: story.outage.to + 50 * minute,
    ...{ kind: 'alert-cleared', target: 'mainnet' },
    detail: { ...alert, severity: 'page', windows: [] },
  },
  { at: story.unwatched.from, kind: 'monitor-stopped', detail: { location: 'fra1' } },
  { at: story.unwatched.to, kind: 'monitor-started', detail: { location: 'fra1' } },
];

const evidence = {
  request: { method: 'GET', url: 'https://api.mainnet.example/v2/pools/conversionRates/1?interval=HOUR' },
  failure: { phase: 'wait', kind: 'timeout', message: 'no answer within 10000 ms' },
};

const wrongCandles = [1.2038, 1.2041, 1.2041].map((open, index) => ({
  ...{ start: Date.UTC(2026, 10, 20, 4 + index) / 1000, end: Date.UTC(2026, 10, 20, 5 + index) / 1000 },
  ...{ open, high: index === 1 ? 1.204 : open + 0.0004, low: 1.2031, close: 1.2035 },
  offending: index === 1,
}));

export const sampleIncidents: readonly IncidentRecord[] = [
  ...(['fra1', 'syd1'] as const).map((location): IncidentRecord => {
    const gap = location === 'fra1' ? 7 * minute : 30 * minute;
    const { from, to } = story.outage;
    return {
      ...{ id: `outage-${location}`, target: 'mainnet', location, indicator: 'availability' },
      ...{ lastGood: from - gap, begin: from + gap, lastBad: to - gap, end: to + gap, slots: 18 },
      ...{ failures: [{ phase: 'wait', class: 'timeout' }], evidence },
    };
  }),
  {
    ...{ id: 'stale', target: 'testnet', location: 'fra1', indicator: 'freshness' },
    ...{ lastGood: story.stale.from, begin: story.stale.from + 10 * minute },
    ...{ lastBad: story.stale.to - 20 * minute, end: story.stale.to + 10 * minute },
    ...{ slots: 35, failures: [] },
  },
  {
    ...{ id: 'wrong', target: 'testnet', location: 'fra1', indicator: 'correctness' },
    ...{ lastGood: story.wrong.from - 12 * minute, begin: story.wrong.from + 18 * minute },
    ...{ lastBad: story.wrong.to - 8 * minute, slots: 15 },
    failures: [{ phase: 'contract', class: 'candle/high-is-highest' }],
    evidence: {
      ...{ startedAt: '2026-11-20T06:18:00.120Z', method: 'GET', totalMs: 84, status: 200 },
      url: 'https://api.testnet.example/v2/pools/conversionRates/1?interval=HOUR',
      headers: [['content-type', 'application/json']],
      body: '[{"open":"1.2041","high":"1.2040"},{"open":"1.2041","high":"1.2045"}]',
      found: [
        {
          rule: 'candle/high-is-highest',
          pointer: '/0/high',
          expected: 'at least 1.2041',
          actual: '1.2040',
          pattern: 'each at 05:00 UTC',
          candles: wrongCandles,
        },
      ],
    },
  },
];
