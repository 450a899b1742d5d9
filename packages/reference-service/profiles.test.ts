import { expect, test } from '@playwright/test';
import type { CandleRecord } from './api/records.ts';
import { SwitchedFaults } from './faults/registry.ts';
import { buildRig, findHeader, type Rig } from './testing/rig.ts';

const NOW = Date.UTC(2026, 10, 21, 11, 37, 12);
const DAY = 86_400;

function history(rig: Rig, pool: number, interval: string, days: number): CandleRecord[] {
  const to = NOW / 1000;
  const range = `interval=${interval}&from=${to - days * DAY}&to=${to}`;
  return JSON.parse(rig.ask(`/v2/pools/conversionRates/${pool}?${range}`).body);
}

function latest(rig: Rig, pool: number, interval = 'HOUR'): CandleRecord {
  const reply = rig.ask(`/pools/conversionRates/latest/${pool}?interval=${interval}`, { apiKey: undefined });
  return JSON.parse(reply.body);
}

/** Counts the hours without a row between the first and the last row. */
function missingHours(rows: readonly CandleRecord[]): number {
  const [first, last] = [rows[0], rows.at(-1)].map((row) => row?.startTimestampSeconds ?? 0);
  return ((last ?? 0) - (first ?? 0)) / 3600 + 1 - rows.length;
}

test('the documented profile is the service as it is', () => {
  const targets = ['/tokens', '/v2/pools/conversionRates/1?interval=DAY&from=0&to=1795270000'];
  const bodies = (rig: Rig): string[] => targets.map((target) => rig.ask(target).body);
  expect(bodies(buildRig({ now: NOW, profile: 'documented' }))).toEqual(bodies(buildRig({ now: NOW })));
});

test('observed averages of closed and open rows are sums over time', () => {
  const rig = buildRig({ now: NOW, profile: 'observed' });
  const rows = history(rig, 1, 'HOUR', 1);
  for (const row of rows) {
    expect(row.avg).toBe(row.close * (row.timestampSeconds - row.startTimestampSeconds));
  }
  expect(rows.at(-1)?.timestampSeconds).toBe(NOW / 1000 - 12);
  expect(rows[0]).toHaveProperty('id');
});

test('observed tokens have null or absolute icons and numeric flags', () => {
  const tokens = JSON.parse(buildRig({ now: NOW, profile: 'observed' }).ask('/tokens').body);
  const icons = tokens.map((token: { icon: string | null }) => token.icon);
  expect(icons.filter((icon: string | null) => icon === null)).toHaveLength(tokens.length / 2);
  for (const icon of icons) if (icon !== null) expect(new URL(icon).protocol).toBe('https:');
  const flags = tokens.flatMap((token: Record<string, unknown>) => [
    token.dueDiligenceComplete,
    token.isFeeOnTransferToken,
  ]);
  expect(new Set(flags)).toEqual(new Set([0, 1]));
  expect(tokens[0]).toMatchObject({ name: expect.any(String), createdAt: null });
});

test('choices and faults are applied on top of a profile', () => {
  const rig = buildRig({ now: NOW, profile: 'observed', choices: { openInHistory: false } });
  rig.distortions = new SwitchedFaults(['F7']).distortions;
  const rows = history(rig, 1, 'HOUR', 1);
  expect(rows.at(-1)?.timestampSeconds).toBe(NOW / 1000 - 12 - 37 * 60);
  expect(rows[0]).toMatchObject({ volume: expect.any(Number), avg: (rows[0]?.close ?? 0) * 3600 });
});

test('the testnet needs no key and counts requests of a known one', () => {
  const rig = buildRig({ now: NOW, profile: 'testnet' });
  const keyless = rig.ask('/tokens', { apiKey: undefined });
  expect([keyless.status, findHeader(keyless, 'x-ratelimit-limit')]).toEqual([200, '0']);
  expect(findHeader(rig.ask('/tokens'), 'x-ratelimit-remaining')).toBe('9999');
  const nowhere = rig.ask('/v2/pools/conversionRates/9?interval=DAY&from=1&to=2', { apiKey: undefined });
  expect(nowhere.status).toBe(404);
});

test('the testnet has a pool with gaps and an abandoned one', () => {
  const rig = buildRig({ now: NOW, profile: 'testnet', days: 23 });
  expect(missingHours(history(rig, 1, 'HOUR', 22))).toBe(0);
  expect(missingHours(history(rig, 6, 'HOUR', 22))).toBeGreaterThan(10);
  expect(latest(rig, 0).timestampSeconds).toBe(NOW / 1000 - 12);
  for (const interval of ['HOUR', 'DAY']) {
    expect(latest(rig, 4, interval).timestampSeconds).toBeLessThan(NOW / 1000 - 14 * DAY);
  }
});

test('a profile or a seed that there is not is refused with what to take', () => {
  const wrong = (parts: object) => () => buildRig({ now: NOW, ...parts });
  expect(wrong({ profile: 'live' })).toThrow(
    'There is no profile "live": take documented, observed, testnet.',
  );
  expect(wrong({ seed: 'a' })).toThrow('seed: a is no whole number: give one such as 7.');
});
