import { expect, test } from '@playwright/test';
import { buildRig, findHeader, type Rig } from '../testing/rig.ts';
import { type Choices, choicesWith, UnusableChoice } from './choices.ts';
import type { CandleRecord } from './records.ts';

const NOW = Date.UTC(2026, 10, 21, 11, 37, 12);
const NOON = Date.UTC(2026, 10, 20, 12) / 1000;

const chosen = (choices: Partial<Choices>, monthlyLimit = 9): Rig =>
  buildRig({ now: NOW, choices, allowance: { monthlyLimit, hardCap: false } });

function rows(rig: Rig, interval: string, from: number, to: number): CandleRecord[] {
  return JSON.parse(rig.ask(`/v2/pools/conversionRates/1?interval=${interval}&from=${from}&to=${to}`).body);
}

test('refusals take the chosen status and body', () => {
  const rig = chosen({ missingKeyStatus: 403, errorBody: 'message' });
  const reply = rig.ask('/tokens', { apiKey: undefined });
  expect([reply.status, Object.keys(JSON.parse(reply.body))]).toEqual([403, ['message']]);
  expect(findHeader(reply, 'content-type')).toContain('application/json');
});

test('weeks begin at the chosen anchor', () => {
  const weekday = (weekAnchor: number): number => {
    const rig = chosen({ weekAnchor });
    const row = JSON.parse(rig.ask('/pools/conversionRates/latest/0?interval=WEEK').body);
    expect(rows(rig, 'WEEK', 0, NOW / 1000).at(-1)?.startTimestampSeconds).toBe(row.startTimestampSeconds);
    return new Date(row.startTimestampSeconds * 1000).getUTCDay();
  };
  expect([345_600, 259_200, 0].map(weekday)).toEqual([1, 0, 4]);
  expect(() => choicesWith({ weekAnchor: 3600 })).toThrow(UnusableChoice);
});

test('membership by start includes from and excludes to', () => {
  const rig = chosen({ membership: 'start-in-range' });
  const starts = rows(rig, 'HOUR', NOON, NOON + 7200).map((row) => row.startTimestampSeconds);
  expect(starts).toEqual([NOON, NOON + 3600]);
  expect(rows(rig, 'HOUR', NOON + 1, NOON + 3600)).toEqual([]);
});

test('the open row can be omitted or end with its bucket', () => {
  const now = NOW / 1000;
  const open = Date.UTC(2026, 10, 21, 11) / 1000;
  expect(rows(chosen({ openInHistory: false }), 'HOUR', now - 3600, now).at(-1)?.timestampSeconds).toBe(open);
  const whole = rows(chosen({ openEnd: 'interval-end' }), 'HOUR', now - 3600, now + 3600).at(-1);
  expect([whole?.startTimestampSeconds, whole?.timestampSeconds]).toEqual([open, open + 3600]);
});

test('rows can be ordered newest first', () => {
  const [first, last] =
    [rows(chosen({ order: 'descending' }), 'HOUR', NOON, NOON + 7200)].map((all) => [
      all[0]?.startTimestampSeconds,
      all.at(-1)?.startTimestampSeconds,
    ])[0] ?? [];
  expect([first, last]).toEqual([NOON + 3600, NOON - 3600]);
});

test('extra fields join the documented ones', () => {
  const rig = chosen({ extraFields: true });
  expect(rows(rig, 'HOUR', NOON, NOON)[0]).toHaveProperty('id');
  expect(JSON.parse(rig.ask('/tokens').body)[0]).toMatchObject({ symbol: 'WHBAR', name: expect.any(String) });
});

test('requests over the limit can be refused', () => {
  const rig = chosen({ overLimit: 'refused' }, 1);
  expect([rig.ask('/tokens').status, rig.ask('/tokens').status]).toEqual([200, 429]);
});

test('the month can end in another time zone', () => {
  const rig = chosen({ quotaZone: 'Etc/GMT+4' });
  expect(findHeader(rig.ask('/tokens'), 'x-ratelimit-reset')).toBe(String(Date.UTC(2026, 11, 1, 4) - 1));
  expect(() => choicesWith({ quotaZone: 'Mars/Olympus' })).toThrow(UnusableChoice);
});
