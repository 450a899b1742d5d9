import { expect, test } from '@playwright/test';
import type { ApiRequest, Reply } from '../api/message.ts';
import { buildRig, headerOf, type Rig } from '../rig.ts';
import { FAULTS, faultOf, UnknownFault } from './registry.ts';
import { SwitchedFaults } from './switched.ts';

const NOW = Date.UTC(2026, 10, 21, 11, 37, 12);
const RANGE = `from=${NOW / 1000 - 90_000}&to=${NOW / 1000}`;
const HOURS = `/v2/pools/conversionRates/1?interval=HOUR&${RANGE}`;
const DAYS = `/v2/pools/conversionRates/1?interval=DAY&${RANGE}`;
const LATEST = '/pools/conversionRates/latest/0?interval=HOUR';
const STRANGER = { apiKey: undefined };

/** For each fault: where it shows, where it must not, and what is seen there. */
const SHOWN: Record<
  string,
  { at: [string, Partial<ApiRequest>?]; not: [string, Partial<ApiRequest>?]; sees: RegExp }
> = {
  F1: { at: [HOURS], not: ['/tokens'], sees: /"volumeUsd":"[\d.]+","timestampSeconds"/ },
  F7: { at: [LATEST], not: ['/tokens'], sees: /"volume":\d+,/ },
  F20: { at: [HOURS], not: ['/tokens'], sees: /"poolId":-1,"poolId":1,/ },
  F25: { at: [LATEST], not: ['/tokens'], sees: /"high"/ },
  F31: { at: [LATEST], not: ['/tokens'], sees: /"avg":\d\d/ },
  F51: { at: [HOURS], not: [DAYS], sees: /^\[/ },
  F60: {
    at: [LATEST],
    not: [HOURS],
    sees: new RegExp(`"timestampSeconds":${Date.UTC(2026, 10, 21, 11, 27) / 1000},`),
  },
  F61: {
    at: [LATEST],
    not: [HOURS],
    sees: new RegExp(`"startTimestampSeconds":${Date.UTC(2026, 10, 21, 10) / 1000}}`),
  },
  F67: { at: [`${LATEST}&inverted=true`], not: [LATEST], sees: /"high"/ },
  F79: { at: [DAYS], not: [HOURS], sees: /"volume":"\d+"/ },
  F94: { at: [LATEST, STRANGER], not: ['/tokens', STRANGER], sees: /"close"/ },
  F105: { at: ['/tokens'], not: ['/tokens', STRANGER], sees: /"remaining":"9998"/ },
  F108: { at: ['/tokens', STRANGER], not: ['/tokens'], sees: /"reset":"1796083199"/ },
};

/** Status, body and counters of an answer of a rig that was asked nothing else. */
function seen(rig: Rig, [target, request]: [string, Partial<ApiRequest>?]): string {
  const reply: Reply = rig.ask(target, request);
  const quota = ['remaining', 'reset'].map((each) => `"${each}":"${headerOf(reply, `x-ratelimit-${each}`)}"`);
  return `${reply.status === 200 ? reply.body : reply.status}\n${quota}`;
}

for (const { number, id } of FAULTS) {
  test(`${number} ${id} changes the answer it names alone`, () => {
    const { at, not, sees } = SHOWN[number] ?? { at: [''], not: [''], sees: /never/ };
    const [healthy, elsewhere] = [at, not].map((each) => seen(buildRig({ now: NOW }), each));
    const rig = buildRig({ now: NOW });
    rig.distortions = new SwitchedFaults([number]).distortions;
    const sick = seen(rig, at);
    expect(sick).not.toBe(healthy);
    expect(sick).toMatch(sees);
    if (number === 'F105' || number === 'F108') return;
    const other = buildRig({ now: NOW });
    other.distortions = new SwitchedFaults([id]).distortions;
    expect(seen(other, not)).toBe(elsewhere);
  });
}

test('faults work together and switch off again', () => {
  const rig = buildRig({ now: NOW });
  const healthy = rig.ask(HOURS).body;
  rig.distortions = new SwitchedFaults(['F1', 'F7', 'F25']).distortions;
  expect(JSON.parse(rig.ask(HOURS).body)[0]).not.toHaveProperty('liquidityUsd');
  expect(JSON.parse(rig.ask(HOURS).body)[0].volume).toEqual(expect.any(Number));
  rig.distortions = [];
  expect(rig.ask(HOURS).body).toBe(healthy);
});

test('names and numbers are unique and looked up in any case', () => {
  expect(new Set(FAULTS.flatMap((each) => [each.id, each.number])).size).toBe(2 * FAULTS.length);
  expect(faultOf('f31')).toBe(faultOf('Undivided-Average'));
  for (const { breaks } of FAULTS) for (const rule of breaks) expect(rule).toMatch(/^[a-z]+\/[a-z-]+$/);
});

test('an unknown fault is refused with the known ones', () => {
  expect(() => faultOf('F999')).toThrow(UnknownFault);
  expect(() => faultOf('F999')).toThrow(/"F999".*F31 undivided-average/);
});
