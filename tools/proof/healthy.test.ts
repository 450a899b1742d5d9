import { loadSpec } from '@candleproof/document/spec/load-spec';
import { judge } from '@candleproof/law/judge/judge';
import type { ServiceOptions } from '@candleproof/reference-service/start';
import { startBuilt } from '@candleproof/reference-service/testing/built-market';
import { expect, test } from '@playwright/test';
import { checkService, type ServiceCheck } from 'candleproof/kill-matrix/check-service';
import { withTemporaryFolder } from './testing/distorted-service.ts';
import { formatFindings } from './testing/explore-service.ts';
import { coveringChoices, listUncovered } from './testing/odd-services.ts';

const spec = loadSpec('openapi.yaml');

/** Seeds, each with other choices and thirty runs when thorough; thirty-four seeds give the full thousand runs. */
const seeds = Number(process.env.CANDLEPROOF_HEALTHY_SEEDS ?? (process.env.CANDLEPROOF_THOROUGH ? 4 : 1));

/** Every fourth seed checks a test network, which needs no key and has pools that are not always observed. */
function profileFor(seed: number): Pick<ServiceOptions, 'profile'> & Pick<ServiceCheck, 'gaps' | 'keyless'> {
  return seed % 4 === 0 ? { profile: 'testnet', gaps: 'idle', keyless: true } : { profile: 'documented' };
}

const born = Date.parse('2026-02-23T12:00:00Z');

/** Ends of a minute, five minutes, an hour, a day, a month and a week: within a week, which costs less to simulate. */
const boundaries = [
  '2026-02-24T10:17:00Z',
  '2026-02-25T22:35:00Z',
  '2026-02-26T06:00:00Z',
  '2026-02-27T00:00:00Z',
  '2026-03-01T00:00:00Z',
  '2026-03-02T00:00:00Z',
].map((time) => Date.parse(time));

/** Milliseconds from a boundary at which a run begins; with the shortest, it passes the boundary. */
const offsets = [-1_000, -150, -30, 0, 1_000];

/** The runs around all boundaries; without CANDLEPROOF_THOROUGH every second one, outside of a pipeline every fourth. */
const step = process.env.CI === 'true' ? 2 : 4;

const runs = boundaries.flatMap((boundary, place) =>
  offsets
    .map((offset, index) => ({ start: boundary + offset, index, reversePools: (place + index) % 2 === 1 }))
    .filter(({ index }) => process.env.CANDLEPROOF_THOROUGH || ((place >> 1) + index) % step === 0),
);

test('every pair of choices occurs in some combination', () => {
  expect(listUncovered(coveringChoices)).toEqual([]);
  expect(listUncovered(coveringChoices.slice(1)).length).toBeGreaterThan(0);
});

test(`${seeds * runs.length} healthy runs around boundaries break nothing`, async () => {
  test.setTimeout(60_000 + seeds * 60_000);
  for (let seed = 1; seed <= seeds; seed++) await withTemporaryFolder((folder) => runAll(folder, seed));
});

test(`${seeds} pairs of healthy runs around midnight break nothing together`, async () => {
  test.setTimeout(60_000 + seeds * 10_000);
  for (let seed = 1; seed <= seeds; seed++) await withTemporaryFolder((folder) => runAcross(folder, seed));
});

async function runAcross(dataDir: string, seed: number): Promise<void> {
  const midnight = Date.parse('2026-03-10T00:00:00Z') + seed * 86_400_000;
  let now = midnight - 200_000;
  let since = performance.now();
  const choices = coveringChoices[seed % coveringChoices.length] ?? {};
  const service = await startBuilt({ dataDir, seed, choices, now: () => now + performance.now() - since });
  try {
    const before = await checkService(service, { spec, seed });
    now = midnight + 200_000;
    since = performance.now();
    const after = await checkService(service, { spec, seed });
    const exchanges = [before, after].flatMap(({ recording }) => recording.exchanges);
    const { findings } = judge(spec, { ...before.recording, exchanges }, { replay: (rule) => rule });
    expect(findings, `seed ${seed}, ${JSON.stringify(choices)}`).toEqual([]);
  } finally {
    await service.close();
  }
}

async function runAll(dataDir: string, seed: number): Promise<void> {
  let now = born;
  let since = performance.now();
  const choices = coveringChoices[seed % coveringChoices.length] ?? {};
  const { profile, ...terms } = profileFor(seed);
  const clock = (): number => now + performance.now() - since;
  const market = { seed, historyDays: 18, profile };
  const service = await startBuilt({ dataDir, choices, now: clock, ...market });
  try {
    for (const { start, index, reversePools } of runs) {
      now = start;
      since = performance.now();
      const outcome = await checkService(service, { spec, ...terms, seed: seed * 100 + index, reversePools });
      const where = `seed ${seed}, ${new Date(now).toISOString()}, ${JSON.stringify(choices)}`;
      expect(formatFindings(outcome), where).toEqual([]);
      expect(outcome.run.verdict, where).toBe('conformant');
    }
  } finally {
    await service.close();
  }
}
