import { expect } from '@candleproof/testing/expect';
import { test } from '@playwright/test';
import fc from 'fast-check';
import type { CandleRecord } from '../api/records.ts';
import type { TextReply } from '../testing/rig.ts';
import { buildRig } from '../testing/rig.ts';
import type { Fault } from './fault.ts';
import { FAULTS, makeDistortion, parseFault, SwitchedFaults, UnknownFault } from './registry.ts';
import {
  DAYS,
  HOURS,
  LATEST,
  NOW,
  type Shown,
  type ShownReply,
  type ShownRequest,
  TOKENS,
} from './testing/shown.ts';
import { SHOWN_ACCESS } from './testing/shown-access.ts';
import { SHOWN_FORMS } from './testing/shown-form.ts';
import { SHOWN_ROWS } from './testing/shown-rows.ts';
import { SHOWN_VALUES } from './testing/shown-values.ts';
import { UNBUILT } from './unbuilt.ts';

const SHOWN: Readonly<Record<string, Shown>> = {
  ...SHOWN_FORMS,
  ...SHOWN_VALUES,
  ...SHOWN_ROWS,
  ...SHOWN_ACCESS,
};

/** A plain HTTP port is no part of the rig. */
const SHOWN_ON_SOCKETS = ['F101', 'F159'];

const rig = buildRig({ now: NOW, days: 9 });
const second = rig.store.keys.issue({ monthlyLimit: 10_000, hardCap: false });
const KEYS = {
  none: undefined,
  second,
  similar: `${rig.key.slice(0, -1)}-`,
  wrong: 'wrong',
  percent: '%'.repeat(32),
  listed: `other,${rig.key}`,
  spaced: `${rig.key.slice(0, 9)} ${rig.key.slice(9)}`,
  ending: `${'0'.repeat(16)}${rig.key.slice(16)}`,
  lower: rig.key.toLowerCase(),
} as const;

function replyTo(ask: ShownRequest): TextReply {
  const { target, key, later = 0, ...rest } = typeof ask === 'string' ? { target: ask } : ask;
  const apiKey = key === undefined ? rig.key : KEYS[key];
  return rig.ask(target.replace('SECOND', second), { ...rest, apiKey, now: NOW + later * 1000 });
}

/** The last of the answers to these requests, on accounts that were used so often before. */
function lastSeen(asks: readonly ShownRequest[], used = 0): ShownReply {
  for (const text of [rig.key, second]) {
    const key = rig.store.keys.find(text)?.key ?? 0;
    rig.store.usage.set(key, '2026-11', used);
    rig.store.usage.set(key, '2026-12', 0);
  }
  const replies = asks.map(replyTo);
  const reply = replies.at(-1) ?? { status: 0, headers: [], body: '' };
  const headers = reply.headers.filter(([name]) => name !== 'X-Request-Id');
  const body = reply.body.replace(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, 'id');
  const text = `${reply.status} ${JSON.stringify([...headers, reply.delivery])}\n${body}`;
  return { reply, text, rows: readRows(reply.body) };
}

function readRows(body: string): readonly CandleRecord[] {
  try {
    const value: unknown = JSON.parse(body);
    return (Array.isArray(value) ? value : [value]) as CandleRecord[];
  } catch {
    return [];
  }
}

test.afterEach(() => {
  rig.distortions = [];
});

function expectShown({ number, id }: Fault): void {
  const [at, not, sees, used = 0] = SHOWN[number] ?? [[], [], /never/];
  const healthy = lastSeen(at, used);
  const switched = new SwitchedFaults([number]);
  rig.distortions = switched.distortions;
  const sick = lastSeen(at, used);
  if (sees instanceof RegExp) expect(sick.text, number).toMatch(sees);
  else expect(sees(sick, healthy), number).toBe(true);
  expect(sick.text, number).not.toBe(healthy.text);
  for (const [index] of not.entries()) {
    const asks = not.slice(0, index + 1);
    switched.switch([id]);
    rig.distortions = switched.distortions;
    const elsewhere = lastSeen(asks).text;
    rig.distortions = [];
    expect(elsewhere, number).toBe(lastSeen(asks).text);
  }
}

const onRig = FAULTS.filter((fault) => !SHOWN_ON_SOCKETS.includes(fault.number));

for (const [kind, faults] of Map.groupBy(onRig, (fault) => fault.class))
  test(`each fault of class ${kind} changes the answer it names alone`, () => {
    for (const fault of faults) {
      expectShown(fault);
      rig.distortions = [];
    }
  });

test('every fault heals at once when it is switched off', () => {
  const asks = [HOURS, DAYS, LATEST, TOKENS];
  const healthy = asks.map((ask) => lastSeen([ask]).text);
  for (const { id } of FAULTS) {
    rig.distortions = new SwitchedFaults([id]).distortions;
    for (const ask of asks) lastSeen([ask]);
    rig.distortions = [];
    expect(
      asks.map((ask) => lastSeen([ask]).text),
      id,
    ).toEqual(healthy);
  }
});

test('faults of different classes work together', () => {
  rig.distortions = new SwitchedFaults(['F1', 'F7', 'F25', 'F39', 'F102', 'F113']).distortions;
  const [row] = lastSeen([DAYS]).rows;
  expect(row).not.toHaveProperty('liquidityUsd');
  expect(row?.volume).toEqual(expect.any(Number));
  expect(row?.high).toBeLessThan(row?.low ?? 0);
  expect((row?.startTimestampSeconds ?? 0) % 86_400).toBe(4 * 3600);
});

const anySize = ({ id, sizes }: Fault): fc.Arbitrary<string> =>
  fc.constantFrom(id, ...(sizes?.scale ?? []).map((size) => `${id}:${size}`));
const anyFaults = fc.uniqueArray(fc.constantFrom(...FAULTS).chain(anySize), { minLength: 1, maxLength: 4 });

test('any faults in any size together answer without a crash', () => {
  const asks = [HOURS, DAYS, `${LATEST}&inverted=true`, TOKENS];
  fc.assert(
    fc.property(anyFaults, (faults) => {
      rig.distortions = new SwitchedFaults(faults).distortions;
      for (const ask of asks) expect(lastSeen([ask]).text).not.toContain('"code":"internal"');
    }),
  );
});

test('names and numbers are unique and looked up in any case', () => {
  expect(new Set(FAULTS.flatMap((fault) => [fault.id, fault.number])).size).toBe(2 * FAULTS.length);
  expect(parseFault('f31').fault).toBe(parseFault('Undivided-Average').fault);
  for (const { id, breaks, alters = [] } of FAULTS) {
    expect(id).toMatch(/^[a-z]+(-[a-z]+)*$/);
    for (const rule of [...breaks, ...alters]) expect(rule).toMatch(/^[a-z]+\/[a-z-]+$/);
  }
});

test('each row of the catalogue is built or says why not', () => {
  const numbers = [...FAULTS, ...UNBUILT].map((fault) => String(fault.number));
  for (let number = 1; number <= 179; number++) expect(numbers).toContain(`F${number}`);
});

test('a size after a colon is read, and kept in the name', () => {
  const switched = new SwitchedFaults(['F60:1200', 'stale-latest', 'UNDIVIDED-average:0.5']);
  expect(switched.on).toEqual(['stale-latest:1200', 'stale-latest', 'undivided-average:0.5']);
  rig.distortions = new SwitchedFaults(['F60:1200']).distortions;
  expect(lastSeen([LATEST]).rows[0]?.timestampSeconds).toBe(Date.UTC(2026, 10, 21, 11, 17) / 1000);
});

test('the usual size of a fault is the fault without a size', () => {
  for (const { number, sizes } of FAULTS) {
    if (!sizes) continue;
    expect(sizes.scale, number).toContain(sizes.usual);
    const [named, bare] = [parseFault(`${number}:${sizes.usual}`), parseFault(number)].map((chosenFault) => {
      rig.distortions = [makeDistortion(chosenFault)];
      return [HOURS, LATEST, TOKENS].map((target) => lastSeen([target, target]).text);
    });
    expect(named, number).toEqual(bare);
  }
});

test('an unknown fault or size is refused in one line', () => {
  const refused = (text: string): string => {
    try {
      return String(new SwitchedFaults([text]).on);
    } catch (error) {
      return error instanceof UnknownFault ? error.message : 'another error';
    }
  };
  expect(refused('F999')).toMatch(/"F999".*such as F31 undivided-average; there are \d+\.$/);
  expect(refused('stale-tokens')).toMatch(/"stale-tokens".*F60 stale-latest/);
  expect(refused('F25:3')).toBe('F25 swapped-extremes has no size: say "F25" instead of "F25:3".');
  for (const size of ['', 'much', '-1', '0', 'Infinity', '1:2', 'NaN']) {
    expect(refused(`F60:${size}`)).toBe(
      `"F60:${size}": the size of F60 stale-latest (seconds) is a number above 0, such as F60:600.`,
    );
  }
});
