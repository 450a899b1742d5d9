import { loadSpec } from '@candleproof/document/spec/load-spec';
import { once } from '@candleproof/law/reading/once';
import { expect, test } from '@playwright/test';
import { ClockedService } from './testing/clocked-service.ts';
import { soundVariants } from './testing/sound-variants.ts';
import { latencies, minutes } from './testing/systematic-faults.ts';

const spec = loadSpec('openapi.yaml');

const [first = Number.NaN] = minutes;

/** Those that every run tries: one with choices of its own, and one that is strict. */
const tried = [2, 5];

const usual = once(() => new ClockedService(spec, first));

test('there are ten healthy services', () => {
  expect(soundVariants.length).toBe(10);
});

for (const [place, { title, choices, distort, gaps }] of soundVariants.entries())
  test(`a healthy service ${title} is conformant at every minute, however slow its answers are`, {
    tag: tried.includes(place) ? [] : '@endurance',
  }, async () => {
    test.setTimeout(60_000 + minutes.length * 6_000);
    const service = choices ? new ClockedService(spec, first, choices, 18) : usual();
    const seen: string[] = [];
    for (const at of minutes)
      for (const latency of at === first ? latencies : [0]) {
        const { run } = await service.check({ at, distortions: distort ? [distort()] : [], gaps, latency });
        seen.push([run.verdict, ...run.findings.map(({ rule, actual }) => `${rule} ${actual}`)].join(' '));
      }
    expect(seen).toEqual(seen.map(() => 'conformant'));
  });
