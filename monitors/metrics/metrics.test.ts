import { expect } from '@candleproof/testing/expect';
import { test } from '@playwright/test';
import fc from 'fast-check';
import { hour, makeSlot, midnight, minute } from '../alerting/testing/slots.ts';
import type { ProbeSample } from '../results/probe-record.ts';
import { memoryStore } from '../testing/memory-store.ts';
import { parsePrometheus } from '../testing/prometheus-text.ts';
import { tokensProbe } from '../testing/watching.ts';
import { type MetricsSnapshot, metricsText } from './metrics.ts';
import { formatFamily, type Point } from './metrics-family.ts';
import { EventCounts } from './metrics-notices.ts';
import { MetricsState, withoutUnseen } from './metrics-state.ts';

const labels = { target: 'mainnet', probe: 'tokens', operation: 'listTokens', location: 'sydney' };

const cold: ProbeSample = {
  at: midnight,
  cold: true,
  confirming: false,
  status: 200,
  timings: { dns: 10, connect: 20, tls: 30, send: 1, wait: 40, receive: 5, total: 106 },
  sincePlanned: 109,
};
const warm: ProbeSample = { ...cold, cold: false, timings: { send: 1, wait: 30, receive: 2, total: 33 } };

function snapshotOf(state: MetricsState, rest: Partial<MetricsSnapshot> = {}): MetricsSnapshot {
  const nothing = {
    alerts: [],
    openAlerts: [],
    incidents: [],
    coverage: [],
    exhaustions: [],
    judged: [],
    happened: new EventCounts(),
  };
  return { ...state.figures, ...nothing, version: '0.1.0', ...rest };
}

/** Every point as `name{labels}` with its value. */
function read(snapshot: MetricsSnapshot): Record<string, number> {
  const all = [...parsePrometheus(metricsText(snapshot)).values()].flatMap(({ points }) => points);
  return Object.fromEntries(
    all.map((point) => [
      point.name +
        Object.entries(point.labels)
          .map(([name, value]) => ` ${name}=${value}`)
          .filter((pair) => !Object.entries(labels).some(([name, value]) => pair === ` ${name}=${value}`))
          .join(''),
      point.value,
    ]),
  );
}

test('a slot is reported by the names of blackbox_exporter in seconds', () => {
  const state = new MetricsState('sydney');
  const certificateEnd = midnight + 90 * 24 * hour;
  state.take([makeSlot(midnight, 'ok', { samples: [cold, warm], certificateEnd, age: 75_000 })]);
  expect(read(snapshotOf(state))).toMatchObject({
    probe_success: 1,
    probe_duration_seconds: 0.247,
    'probe_http_duration_seconds phase=resolve': 0.01,
    'probe_http_duration_seconds phase=connect': 0.02,
    'probe_http_duration_seconds phase=tls': 0.03,
    'probe_http_duration_seconds phase=processing': 0.041,
    'probe_http_duration_seconds phase=transfer': 0.005,
    probe_http_status_code: 200,
    probe_ssl_earliest_cert_expiry: certificateEnd / 1000,
    candleproof_candle_age_seconds: 75,
    candleproof_last_slot_timestamp_seconds: midnight / 1000,
    'candleproof_slots_total state=run': 1,
    'candleproof_outcomes_total outcome=ok': 1,
    'candleproof_slot_lateness_seconds_bucket le=0.005': 1,
    candleproof_slot_lateness_seconds_count: 1,
  });
});

test('a phase that was not measured is absent and an answer that did not come has status 0', () => {
  const state = new MetricsState('sydney');
  const { status: _, ...unanswered } = { ...cold, timings: { dns: 10, total: 10 } };
  state.take([makeSlot(midnight, 'failed', { samples: [unanswered] })]);
  const reported = read(snapshotOf(state));
  expect(reported).toMatchObject({ probe_success: 0, probe_http_status_code: 0 });
  expect(Object.keys(reported).filter((name) => name.includes('phase='))).toEqual([
    'probe_http_duration_seconds phase=resolve',
  ]);
});

test('slots without evidence about the service are counted and do not change probe_success', () => {
  const state = new MetricsState('sydney');
  state.take([
    makeSlot(midnight, 'failed'),
    makeSlot(midnight + minute, 'limited'),
    makeSlot(midnight + 2 * minute, 'ok', { state: 'missed', outcome: undefined, startedAt: undefined }),
    makeSlot(midnight, 'ok', { series: { location: 'oslo' } }),
  ]);
  const reported = read(snapshotOf(state));
  expect(reported).toMatchObject({
    probe_success: 0,
    'candleproof_slots_total state=run': 2,
    'candleproof_slots_total state=missed': 1,
    'candleproof_outcomes_total outcome=limited': 1,
    candleproof_last_slot_timestamp_seconds: midnight / 1000,
  });
  expect(reported).not.toHaveProperty('candleproof_outcomes_total outcome=ok');
});

test('a series without a run for two periods has no success, but the instant of its last run', () => {
  const state = new MetricsState('sydney');
  const missed = { state: 'missed', outcome: undefined, startedAt: undefined } as const;
  state.take([
    makeSlot(midnight, 'ok', { samples: [cold] }),
    ...[1, 2, 3].map((minutes) => makeSlot(midnight + minutes * minute, 'ok', missed)),
    makeSlot(midnight + 4 * minute, 'ok', { ...missed, state: 'quota-skipped' }),
  ]);
  const readAt = (now: number) =>
    read(
      snapshotOf(
        state,
        withoutUnseen(state.figures, () => minute, now),
      ),
    );
  expect(readAt(midnight + 2 * minute)).toMatchObject({ probe_success: 1 });
  const unseen = readAt(midnight + 4 * minute);
  expect(unseen).not.toHaveProperty('probe_success');
  expect(unseen).not.toHaveProperty('probe_duration_seconds');
  expect(unseen).toMatchObject({ candleproof_last_slot_timestamp_seconds: midnight / 1000 });
});

test('a series whose target the monitor is blind to has no success, however new its last run is', () => {
  const state = new MetricsState('sydney');
  state.take([makeSlot(midnight, 'ok', { samples: [cold] })]);
  const figures = (target: string) =>
    read(
      snapshotOf(
        state,
        withoutUnseen(state.figures, () => minute, midnight, new Set([target])),
      ),
    );
  expect(figures('another')).toMatchObject({ probe_success: 1 });
  expect(figures(state.figures.series[0]?.series.target ?? '')).not.toHaveProperty('probe_success');
});

test('a deep run has no status, since some of its requests are to be refused', () => {
  const state = new MetricsState('sydney');
  const refused = { ...cold, status: 404 };
  state.take([makeSlot(midnight, 'ok', { series: { operation: 'all' }, samples: [cold, refused] })]);
  const reported = read(snapshotOf(state));
  expect(reported).toMatchObject({ 'probe_success operation=all': 1 });
  expect(reported).not.toHaveProperty(['probe_http_status_code operation=all']);
});

test('current planned work has its end, and other targets have none', () => {
  const planned = [{ target: 'mainnet', until: midnight + hour }];
  const reported = read(snapshotOf(new MetricsState('sydney'), { planned }));
  expect(reported).toMatchObject({
    candleproof_planned_work_end_timestamp_seconds: (midnight + hour) / 1000,
  });
  expect(Object.keys(read(snapshotOf(new MetricsState('sydney'))))).not.toContain(
    'candleproof_planned_work_end_timestamp_seconds',
  );
});

test('each target has the number of its judged musts', () => {
  const judged = [{ target: 'mainnet', musts: 21, of: 62 }];
  expect(read(snapshotOf(new MetricsState('sydney'), { judged }))).toMatchObject({
    candleproof_musts_judged: 21,
    candleproof_musts: 62,
  });
});

test('keys, findings, alerts, incidents and the monitor itself are reported', () => {
  const state = new MetricsState('sydney');
  const quota = {
    key: 'main',
    at: midnight,
    limit: 10_000,
    remaining: 9000,
    additional: 0,
    resetAt: midnight + hour,
  };
  state.takeQuotas([quota, { ...quota, at: midnight - 1, remaining: 9001 }]);
  state.countSent('main', 3);
  state.countSent('main', 4);
  state.take([
    makeSlot(midnight, 'failed', { rules: ['candles/order', 'candles/order'] }),
    makeSlot(midnight, 'degraded', { degradedBy: ['latency', 'candles/fields'] }),
  ]);
  const reported = read(
    snapshotOf(state, {
      openAlerts: [
        { state: 'firing', severity: 'page' },
        { state: 'flapping', severity: 'ticket' },
      ],
      alerts: [
        { target: 'mainnet', indicator: 'availability', isFiring: true, severity: 'page' },
        { target: 'mainnet', indicator: 'latency', isFiring: false },
      ],
      incidents: [{ target: 'mainnet', indicator: 'availability' }],
      stall: 120,
      heartbeats: { sent: 5, failed: 1 },
    }),
  );
  expect(reported).toMatchObject({
    'candleproof_quota_limit key=main': 10_000,
    'candleproof_quota_remaining key=main': 9000,
    'candleproof_quota_additional key=main': 0,
    'candleproof_quota_reset_timestamp_seconds key=main': (midnight + hour) / 1000,
    'candleproof_requests_sent_total key=main': 7,
    'candleproof_findings_total rule=candles/order': 1,
    'candleproof_degraded_total by=candles/fields': 1,
    'candleproof_degraded_total by=latency': 1,
    'candleproof_alerts_firing indicator=availability severity=page': 1,
    'candleproof_alerts_firing indicator=availability severity=ticket': 0,
    'candleproof_alerts_firing indicator=latency severity=page': 0,
    'candleproof_alerts_open state=firing severity=page': 1,
    'candleproof_alerts_open state=flapping severity=page': 0,
    'candleproof_alerts_open state=flapping severity=ticket': 1,
    'candleproof_incidents_open indicator=availability': 1,
    'candleproof_incidents_open indicator=latency': 0,
    candleproof_monitor_event_loop_delay_seconds: 0.12,
    'candleproof_heartbeats_total result=failed': 1,
    'candleproof_build_info version=0.1.0': 1,
  });
});

test('after a start the newest figures are restored and counts begin at zero', async () => {
  const store = memoryStore();
  const quota = {
    key: 'main',
    at: midnight - hour,
    limit: 10,
    remaining: 9,
    additional: 0,
    resetAt: midnight + hour,
  };
  const slots = [
    makeSlot(midnight - 50 * hour, 'ok', { series: { probe: 'deep', operation: 'all' } }),
    makeSlot(midnight - 2 * hour, 'ok', { age: 60_000 }),
    makeSlot(midnight - hour, 'failed'),
    makeSlot(midnight - minute, 'unknown'),
  ];
  const removed = makeSlot(midnight - hour, 'ok', { series: { target: 'removed' } });
  await store.record({ slots: [...slots, removed], quotas: [quota] });
  const probes = [tokensProbe('mainnet'), tokensProbe('mainnet', { name: 'deep' })];
  const state = await MetricsState.restore(store, { location: 'sydney', probes }, midnight);
  expect(read(snapshotOf(state))).toEqual({
    probe_success: 0,
    'probe_success probe=deep operation=all': 1,
    probe_duration_seconds: 0.247,
    'probe_duration_seconds probe=deep operation=all': 0.247,
    candleproof_last_slot_timestamp_seconds: (midnight - hour) / 1000,
    'candleproof_last_slot_timestamp_seconds probe=deep operation=all': (midnight - 50 * hour) / 1000,
    ...Object.fromEntries(
      ['0.005', '0.01', '0.05', '0.1', '0.5', '1', '5', '15', '60', '300', '+Inf'].map((le) => [
        `candleproof_slot_lateness_seconds_bucket le=${le}`,
        0,
      ]),
    ),
    candleproof_slot_lateness_seconds_sum: 0,
    candleproof_slot_lateness_seconds_count: 0,
    'candleproof_quota_limit key=main': 10,
    'candleproof_quota_remaining key=main': 9,
    'candleproof_quota_additional key=main': 0,
    'candleproof_quota_reset_timestamp_seconds key=main': (midnight + hour) / 1000,
    'candleproof_build_info version=0.1.0': 1,
    ...Object.fromEntries(
      ['firing', 'flapping'].flatMap((state) =>
        ['page', 'ticket'].map((severity) => [
          `candleproof_alerts_open state=${state} severity=${severity}`,
          0,
        ]),
      ),
    ),
  });
});

test('any label value, help and number comes back from the text as it went in', () => {
  const odd = fc.string({
    unit: fc.constantFrom('a', '"', '\\', '\n', 'n', '{', '}', ',', '=', ' ', '#', 'é', '🕯'),
  });
  // The text knows no negative zero.
  const number = fc.oneof(fc.double(), fc.integer()).map((value) => value + 0);
  fc.assert(
    fc.property(
      odd,
      odd,
      odd.filter((text) => text.trim() === text),
      number,
      (one, other, help, value) => {
        const points: readonly Point[] = [
          { labels: { one, other }, value },
          { labels: {}, value: 1 },
        ];
        const family = parsePrometheus(formatFamily([{ name: 'odd', type: 'gauge', help, points }])).get(
          'odd',
        );
        expect(family).toEqual({
          type: 'gauge',
          help,
          points: points.map((point) => ({ name: 'odd', ...point })),
        });
      },
    ),
  );
});

test('the strict reader refuses what Prometheus would misread', () => {
  const head = '# HELP a b\n# TYPE a gauge\n';
  const broken = [
    'a 1\n',
    `${head}a 1`,
    `${head}a 1\na 2\n`,
    `${head}a{b="c",b="d"} 1\n`,
    `${head}a{b="c\\d"} 1\n`,
    `${head}a one\n`,
    `${head}${head}a 1\n`,
    '# HELP a b\n# TYPE a counter\na 1\n',
    '# HELP a b\n# TYPE a histogram\na_bucket{le="+Inf"} 1\na_sum 1\na_count 2\n',
  ];
  for (const text of broken) expect(() => parsePrometheus(text), text).toThrow();
  expect(parsePrometheus(`${head}a{b="c"} 1\n`).get('a')?.points).toHaveLength(1);
});

test('figures stay bounded however many names turn up', () => {
  const state = new MetricsState('sydney');
  for (let n = 0; n < 5000; n++) {
    state.take([makeSlot(midnight, 'ok', { series: { probe: `p${n}` }, rules: [`r${n}`] })]);
    state.countSent(`k${n}`, 1);
  }
  const { series, findings, sent } = state.figures;
  expect([series.length, findings.length, sent.size]).toEqual([2000, 2000, 2000]);
});

test('what no slot tells of the service has figures too: blindness, restatements and the keys', () => {
  const happened = new EventCounts();
  const event = (kind: string, more: object) => ({ at: midnight, kind, detail: {}, ...more });
  happened.take([
    event('restatement', { target: 'mainnet' }),
    event('restatement', { target: 'mainnet' }),
    event('foreign-use', { key: 'main', detail: { n: 45 } }),
    event('foreign-use', { key: 'main', detail: { n: 3 } }),
    event('limit-changed', { key: 'main' }),
    event('roll-over', { key: 'main' }),
  ]);
  const seen = { judged: midnight, recent: [], count: 0 };
  const sights = [
    { target: 'mainnet', seen, blindSince: midnight + hour },
    { target: 'testnet', seen, blindSince: undefined },
  ];
  const exhaustions = [{ key: 'main', at: midnight + 24 * hour }, { key: 'other' }];
  const reported = read(snapshotOf(new MetricsState('sydney'), { happened, coverage: sights, exhaustions }));
  expect(reported).toMatchObject({
    candleproof_blind: 1,
    'candleproof_blind target=testnet': 0,
    'candleproof_last_judged_timestamp_seconds target=testnet': midnight / 1000,
    candleproof_restatements_total: 2,
    'candleproof_foreign_requests_total key=main': 48,
    'candleproof_limit_changes_total key=main': 1,
    'candleproof_quota_exhaustion_timestamp_seconds key=main': midnight / 1000 + 86_400,
  });
  expect(reported).not.toHaveProperty('candleproof_quota_exhaustion_timestamp_seconds key=other');
});
