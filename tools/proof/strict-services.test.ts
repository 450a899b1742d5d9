import { loadSpec } from '@candleproof/document/spec/load-spec';
import { expect, test } from '@playwright/test';
import { checkService, describeTarget } from 'candleproof/kill-matrix/check-service';
import { withDistortedService } from './testing/distorted-service.ts';
import { exploreService, formatFindings } from './testing/explore-service.ts';
import { cachingService, lawlessRefusals, strictServices } from './testing/strict-services.ts';

const spec = loadSpec('openapi.yaml');
const seeds = process.env.CANDLEPROOF_THOROUGH ? [1, 2, 3, 4, 5, 6] : [1];

/** Every run checks one service, a pipeline all of them. */
for (const isUsual of [true, false]) {
  const services = strictServices.filter((_, index) => (index === 0) === isUsual);
  const title = `${services.length} services that their document allows to be strict are accused by no check or exploration`;
  test(title, { tag: isUsual ? [] : '@endurance' }, () => expectUnaccused(services));
}

async function expectUnaccused(services: typeof strictServices): Promise<void> {
  test.setTimeout(60_000 + services.length * seeds.length * 15_000);
  const accused: string[] = [];
  await withDistortedService(async (service) => {
    for (const { title, distortion, gaps, mayHideMusts } of services) {
      service.distortions = [distortion];
      for (const seed of seeds) {
        const checked = await checkService(service, { spec, seed, gaps });
        const { verdict, reason } = checked.run;
        const found = formatFindings(checked);
        if (found.length > 0 || !(verdict === 'conformant' || mayHideMusts))
          accused.push(`check ${seed} ${title}: ${verdict} ${reason}\n  ${found.join('\n  ')}`);
        const target = { ...describeTarget(service), ...(gaps && { gaps }) };
        const explored = await exploreService(service, { spec, seed, budget: 60, target });
        const drawn = formatFindings(explored);
        if (drawn.length > 0) accused.push(`explore ${seed} ${title}\n  ${drawn.join('\n  ')}`);
      }
    }
  });
  expect(accused, accused.join('\n')).toEqual([]);
}

test('no check whose minute turns while a cache answers accuses the service', async () => {
  test.setTimeout(120_000);
  for (const before of [100, 400]) {
    const service = cachingService();
    await withDistortedService(async (running) => {
      running.distortions = [service.distortion];
      expect(formatFindings(await checkService(running, { spec })), `${before} ms before`).toEqual([]);
    }, Date.parse('2026-03-11T15:33:00Z') - before);
  }
});

test('a refusal that no limit explains is a breach', async () => {
  test.setTimeout(120_000);
  await withDistortedService(async (service) => {
    for (const { title, distortion } of lawlessRefusals) {
      service.distortions = [distortion];
      const { run } = await checkService(service, { spec });
      const broken = run.findings.map(({ rule }) => rule);
      expect(broken, title).toContain('transport/proper-requests-are-answered');
    }
  });
});
