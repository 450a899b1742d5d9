import { loadSpec } from '@candleproof/document/spec/load-spec';
import { expect, test } from '@playwright/test';
import { ClockedService } from './testing/clocked-service.ts';
import { soundVariants } from './testing/sound-variants.ts';
import { latencies, minutes } from './testing/systematic-faults.ts';

const spec = loadSpec('openapi.yaml');

const [first = Number.NaN] = minutes;

test('ten healthy services are conformant at every minute, however slow their answers are', async () => {
  test.setTimeout(90_000 + minutes.length * 30_000);
  expect(soundVariants.length).toBe(10);
  let usual: ClockedService | undefined;
  for (const { title, choices, distort, gaps } of soundVariants) {
    usual ??= new ClockedService(spec, first);
    const service = choices ? new ClockedService(spec, first, choices, 18) : usual;
    const seen: string[] = [];
    for (const at of minutes)
      for (const latency of at === first ? latencies : [0]) {
        const { run } = await service.check({ at, distortions: distort ? [distort()] : [], gaps, latency });
        seen.push([run.verdict, ...run.findings.map(({ rule, actual }) => `${rule} ${actual}`)].join(' '));
      }
    expect(seen, title).toEqual(seen.map(() => 'conformant'));
  }
});
