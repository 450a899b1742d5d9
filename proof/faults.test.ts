import { expect, test } from '@playwright/test';
import { rules } from '../contract/catalogue.ts';
import { loadSpec } from '../contract/spec.ts';
import { FAULTS } from '../service/faults/registry.ts';
import { type RunningService, startService } from '../service/start.ts';
import { checkService } from './check-service.ts';
import { inTemporaryFolder } from './temporary-folder.ts';

const spec = loadSpec('openapi.yaml');

/** A Wednesday afternoon, so that no boundary is near. */
const instant = Date.parse('2026-03-11T15:32:20Z');

let service: RunningService;
let stop: () => void;

test.beforeAll(async () => {
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
  });
  await new Promise<void>((ready) => {
    void inTemporaryFolder(async (dataDir) => {
      service = await startService({ dataDir, now: instant });
      ready();
      await stopped;
      await service.close();
    });
  });
});

test.afterAll(() => stop());

test('every fault names rules of the catalogue', () => {
  const known = rules.map((each) => each.id);
  for (const fault of FAULTS) expect(known, fault.id).toEqual(expect.arrayContaining([...fault.breaks]));
});

for (const fault of FAULTS) {
  test(`${fault.number} ${fault.id} is found by the rules that it breaks`, async () => {
    service.switchFaults([fault.id]);
    const { run } = await checkService(service, { spec });
    const found = new Set(run.findings.map((each) => each.rule));
    expect([...found]).toEqual(expect.arrayContaining([...fault.breaks]));
    expect(run.verdict).toBe('nonconformant');
    expect(run.requests.sent).toBeLessThanOrEqual(48);
  });
}

test('with all faults off again nothing is found', async () => {
  service.switchFaults([]);
  const { run } = await checkService(service, { spec });
  expect(run).toMatchObject({ verdict: 'conformant', findings: [] });
});
