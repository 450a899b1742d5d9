import { loadSpec } from '@candleproof/document/spec/load-spec';
import { findContradicted, pinAfter } from '@candleproof/law/judge/baseline';
import type { Profile } from '@candleproof/reference-service/assemble';
import type { RunningService } from '@candleproof/reference-service/start';
import { startBuilt } from '@candleproof/reference-service/testing/built-market';
import { expect, test } from '@playwright/test';
import { checkService } from 'candleproof/kill-matrix/check-service';
import { withTemporaryFolder } from './testing/distorted-service.ts';

const spec = loadSpec('openapi.yaml');

/** Instants amid all intervals, and around the ends of five minutes, an hour, a day, a week and a month. */
const instants = [
  '2026-02-24T10:17:00Z',
  '2026-02-25T22:34:59.900Z',
  '2026-02-26T06:00:00Z',
  '2026-02-27T00:00:10Z',
  '2026-02-28T23:59:59.800Z',
  '2026-03-01T06:00:00Z',
  '2026-03-02T00:01:00Z',
].filter((_, index) => process.env.CANDLEPROOF_THOROUGH || index % 2 === 0);

/** The testnet requires no key, which these runs do not declare: what they observe about refusals is chance. */
const services: [Profile, seed: number, reported: RegExp][] = [
  ['documented', 1, /^/],
  ['observed', 2, /^/],
  ['testnet', 3, /^(?!authentication|errors|quota)/],
];

for (const [profile, seed, pattern] of services) {
  test(`a ${profile} service gives the same answers at every hour`, {
    tag: profile === 'documented' ? [] : '@endurance',
  }, async () => {
    test.setTimeout(90_000);
    await expectSteady(profile, seed, pattern);
  });
}

test('two checks of one frozen state differ only in times and counts', async () => {
  await withTemporaryFolder(async (dataDir) => {
    const now = Date.parse('2026-03-04T10:17:31Z');
    const service = await startBuilt({ dataDir, seed: 4, now: () => now });
    const lasting = async (): Promise<object> => {
      const { run } = await checkService(service, { spec, seed: 4 });
      const { verdict, reason, rules, findings, observations, read } = run;
      const outcomes = rules.map(({ id, outcome, reason: why }) => [id, outcome, why]);
      return { verdict, reason, outcomes, findings, observations, read };
    };
    try {
      const first = await lasting();
      expect(await lasting()).toEqual(first);
    } finally {
      await service.close();
    }
  });
});

/** Pins answers as a baseline does; an answer that is reported in parts or left open may grow. */
async function expectSteady(profile: Profile, seed: number, pattern: RegExp): Promise<void> {
  await withTemporaryFolder(async (dataDir) => {
    let now = Date.parse(instants[0] ?? '');
    let since = performance.now();
    const clock = (): number => now + performance.now() - since;
    const service = await startBuilt({ dataDir, seed, profile, historyDays: 18, now: clock });
    const pins = new Map<string, string>();
    try {
      for (const [index, instant] of instants.entries()) {
        now = Date.parse(instant);
        since = performance.now();
        const changes = await findChanges(service, index, pins);
        expect(
          changes.filter((change) => pattern.test(change)),
          instant,
        ).toEqual([]);
      }
      expect(pins.size).toBeGreaterThanOrEqual(25);
    } finally {
      await service.close();
    }
  });
}

async function findChanges(
  service: RunningService,
  seed: number,
  pins: Map<string, string>,
): Promise<string[]> {
  const { run } = await checkService(service, { spec, seed });
  return run.observations.flatMap(({ id, answer }) => {
    const pin = pins.get(id);
    pins.set(id, pinAfter(id, pin, answer));
    const changed = pin === undefined ? undefined : findContradicted(id, pin, answer);
    return changed === undefined ? [] : [`${id}: ${changed}, then ${answer}`];
  });
}
