import type { RunOutcome } from '@candleproof/check/run/run-outcome';
import { loadSpec } from '@candleproof/document/spec/load-spec';
import { startService } from '@candleproof/reference-service/start';
import { ingestSparseMarket } from '@candleproof/reference-service/testing/sparse-market';
import { expect, test } from '@playwright/test';
import { checkService } from 'candleproof/kill-matrix/check-service';
import { withTemporaryFolder } from './testing/distorted-service.ts';
import { formatFindings } from './testing/explore-service.ts';
import { drawOddService, type OddService } from './testing/odd-services.ts';

const spec = loadSpec('openapi.yaml');

/** Checks a service without and with its quiet intervals declared. */
async function checked({ market, options, now }: OddService): Promise<readonly RunOutcome[]> {
  return withTemporaryFolder(async (dataDir) => {
    await ingestSparseMarket(dataDir, market);
    const began = performance.now();
    const clock = (): number => now + performance.now() - began;
    const service = await startService({ dataDir, ephemeral: true, now: clock, ...options });
    try {
      const { seed } = market;
      return [
        await checkService(service, { spec, seed }),
        await checkService(service, { spec, seed, gaps: 'idle' }),
      ];
    } finally {
      await service.close();
    }
  });
}

/** Lists the findings against an odd but healthy service, except those of rows that it really lacks. */
async function listFindings(service: OddService): Promise<string[]> {
  const [plain, declared] = (await checked(service)) as [RunOutcome, RunOutcome];
  const untrue = plain.run.findings.filter(
    ({ rule, kind }) => rule !== 'history/complete' || !kind || !service.kinds.includes(kind),
  );
  const { verdict, reason } = declared.run;
  return [
    ...untrue.map(({ rule, kind, pointer, actual }) => `${rule} ${kind ?? ''} ${pointer}: ${actual}`),
    ...formatFindings(declared).map((finding) => `declared: ${finding}`),
    ...(verdict === 'conformant' || (service.isOutOfView && verdict === 'inconclusive')
      ? []
      : [`declared: ${verdict}, ${reason}`]),
  ];
}

/** Seeds that a pipeline tries, and the others. */
const shares = [
  { first: 1, count: 3, tag: ['@endurance'] },
  { first: 4, count: 57, tag: ['@thorough'] },
];

for (const { first, count, tag } of shares) {
  test(`${count} odd services that are healthy are accused of nothing untrue`, { tag }, async () => {
    test.setTimeout(30_000 + count * 15_000);
    const accused: string[] = [];
    for (let seed = first; seed < first + count; seed++) {
      const service = drawOddService(seed);
      const accusations = await listFindings(service);
      accused.push(...accusations.map((accusation) => `seed ${seed}, ${service.title}\n  ${accusation}`));
    }
    expect(accused, accused.join('\n')).toEqual([]);
  });
}
