import { hostile } from '@candleproof/reports/testing/hostile';
import { day, hour, minute, roundToBegin } from '../../results/calendar.ts';
import { addHours, type HourRecord } from '../../results/hour-record.ts';
import type { MonitorFacts } from '../page-facts.ts';
import type { ReportedPlan } from '../plan-facts.ts';
import { listWatches } from '../watches.ts';
import { sampleEvents, sampleIncidents, sampleQuotas } from './sample-monitor-events.ts';
import { type MadeSeries, madeHours } from './sample-monitor-hours.ts';

export const sampleNow = Date.UTC(2026, 10, 20, 9, 40);

/** Two targets from one location, the first also from another. */
export const sampleSeries: readonly MadeSeries[] = [
  {
    series: { target: 'mainnet', probe: 'tokens', operation: 'listTokens', location: 'fra1' },
    ...{ period: 30 * minute, pools: 1, base: 45 },
  },
  {
    series: {
      target: 'mainnet',
      probe: 'candles',
      operation: 'listV2PoolCandles',
      location: 'fra1',
    },
    ...{ period: 15 * minute, pools: 2, base: 80 },
  },
  {
    series: {
      target: 'mainnet',
      probe: 'latest',
      operation: 'getLatestV1PoolCandle',
      location: 'fra1',
    },
    ...{ period: 15 * minute, pools: 1, base: 50 },
  },
  {
    series: { target: 'mainnet', probe: 'deep', operation: 'all', location: 'fra1' },
    ...{ period: 6 * hour, pools: 12, base: 70 },
  },
  {
    series: {
      target: 'testnet',
      probe: 'candles',
      operation: 'listV2PoolCandles',
      location: 'fra1',
    },
    ...{ period: 30 * minute, pools: 2, base: 120 },
  },
  {
    series: {
      target: 'testnet',
      probe: 'latest',
      operation: 'getLatestV1PoolCandle',
      location: 'fra1',
    },
    ...{ period: 30 * minute, pools: 1, base: 90 },
  },
  {
    series: {
      target: 'mainnet',
      probe: 'candles',
      operation: 'listV2PoolCandles',
      location: 'syd1',
    },
    ...{ period: hour, pools: 2, base: 290 },
  },
];

export const samplePlan: ReportedPlan = {
  location: 'fra1',
  objectives: [
    { indicator: 'availability', objective: 0.995 },
    { indicator: 'latency', objective: 0.99, under: 2000 },
    { indicator: 'freshness', objective: 0.99, under: 180_000 },
    { indicator: 'correctness', objective: 0.999 },
  ],
  probes: sampleSeries
    .filter(({ series }) => series.location === 'fra1')
    .map(({ series, period, pools }) => {
      const cadence = period < hour ? `every ${period / minute} minutes` : `every ${period / hour} h`;
      return { target: series.target, probe: series.probe, cadence, requests: pools };
    }),
  maintenance: [{ target: 'mainnet', window: 'sunday 02:00 to 04:00, Europe/London' }],
  shares: { main: { check: 15, monitor: 60, load: 10, confirm: 5, reserve: 10 } },
  perDay: { main: 268 },
  rules: { 'candle/high-is-highest': { statement: 'high ≥ open, low and close.', section: '2.2' } },
  rulesPage: 'https://candleproof.example/docs/rules.md',
  versions: { candleproof: '0.1.0', catalogue: '000000000001' },
};

/** Returns facts of `count` days with an outage, a stale feed, unwatched days, a restated hour and foreign use. */
export function madeFacts(count: number, all: readonly MadeSeries[] = sampleSeries): MonitorFacts {
  const today = roundToBegin(sampleNow, day);
  const [days, past]: [HourRecord[], HourRecord[]] = [[], []];
  const hours: HourRecord[] = [];
  for (let begin = today - (count - 1) * day; begin <= today; begin += day) {
    for (const series of all) {
      const made = madeHours(series, begin, Math.min(begin + day, sampleNow));
      const isRecent = begin > today - 90 * day;
      if (isRecent) hours.push(...made);
      if (made.length > 0) (isRecent ? days : past).push(addHours(begin, made));
    }
  }
  return {
    ...{ now: sampleNow, days, hours, past },
    extent: { from: today - (count - 1) * day, to: sampleNow - 4 * minute },
    extents: all.map(({ series }) => ({
      series,
      from: today - (count - 1) * day,
      to: sampleNow - 4 * minute,
    })),
    newestRuns: all.map(({ series, period }) => ({
      ...{ series, period, outcome: 'ok', rules: [] },
      ...{ scheduledAt: sampleNow - 4 * minute, plannedTo: sampleNow - 4 * minute },
    })),
    musts: listWatches(all).map(({ target, location }) => ({ target, location, musts: 21, of: 62 })),
    events: sampleEvents,
    incidents: sampleIncidents,
    pastIncidents: [],
    quotas: sampleQuotas,
  };
}

/** Returns 90 days of the sample's targets and of `count` more that are well, probed once an hour and alike by threes. */
export function manyFacts(count: number): MonitorFacts {
  const made = [60, 80, 100].map((base, index): MadeSeries => {
    const series = { target: `made-${index}`, probe: 'candles', operation: 'listV2PoolCandles' };
    return { series: { ...series, location: 'fra1' }, period: hour, pools: 1, base };
  });
  const facts = madeFacts(90, [...sampleSeries, ...made]);
  const copies = Array.from({ length: count }, (_, index) => ({
    from: `made-${index % made.length}`,
    to: `venue-${String(index + 1).padStart(2, '0')}`,
  }));
  const copied = <Item extends { readonly series: { readonly target: string } }>(
    items: readonly Item[],
  ): Item[] => [
    ...items.filter(({ series }) => !series.target.startsWith('made-')),
    ...copies.flatMap(({ from, to }) =>
      items
        .filter(({ series }) => series.target === from)
        .map((item) => ({ ...item, series: { ...item.series, target: to } })),
    ),
  ];
  return {
    ...facts,
    ...{ days: copied(facts.days), hours: copied(facts.hours), extents: copied(facts.extents) },
    ...{ newestRuns: copied(facts.newestRuns), musts: [] },
  };
}

/** Returns facts with names and texts that try to escape, wherever a target or its answers are named. */
export function hostileFacts(): MonitorFacts {
  const [first] = sampleSeries;
  const hostileSeries = first
    ? [{ ...first, series: { ...first.series, target: hostile.script, location: hostile.attribute } }]
    : [];
  const facts = madeFacts(40, hostileSeries);
  const text = { target: hostile.script, location: hostile.attribute };
  return {
    ...facts,
    days: facts.days.map((hourRecord) => ({
      ...hourRecord,
      rules: { [hostile.script]: 2 },
      degradedBy: { [hostile.attribute]: 3 },
    })),
    incidents: sampleIncidents.map((sampleIncident) => ({
      ...sampleIncident,
      ...text,
      failures: [{ phase: 'status', class: hostile.attribute }],
      evidence: {
        ...{ method: hostile.script, url: hostile.attribute, status: 200, body: hostile.script },
        ...{ headers: [[hostile.script, hostile.bidi]], [hostile.attribute]: hostile.bidi },
        found: [
          {
            rule: hostile.script,
            pointer: hostile.attribute,
            expected: hostile.bidi,
            actual: hostile.script,
            pattern: hostile.attribute,
            candles: [hostile.script, { start: 8e300, open: hostile.bidi }],
          },
        ],
      },
    })),
    events: sampleEvents.map((sampleEvent) => ({
      ...sampleEvent,
      target: hostile.script,
      key: hostile.attribute,
      kind: sampleEvent.kind === 'alert-fired' ? hostile.script : sampleEvent.kind,
      detail: {
        ...sampleEvent.detail,
        note: hostile.script,
        changed: { [hostile.script]: [hostile.attribute, null] },
      },
    })),
    quotas: sampleQuotas.map((sampleQuota) => ({ ...sampleQuota, key: hostile.attribute })),
  };
}
