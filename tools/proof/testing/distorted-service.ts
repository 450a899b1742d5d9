import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Distortion } from '@candleproof/reference-service/api/distortion';
import { createListener } from '@candleproof/reference-service/api/listener';
import { assembleService } from '@candleproof/reference-service/assemble';
import { createCertificate } from '@candleproof/reference-service/certificate';
import type { RunningService } from '@candleproof/reference-service/start';
import { openStore } from '@candleproof/reference-service/store/sqlite/sqlite-store';
import { copyMarket } from '@candleproof/reference-service/testing/built-market';

/** Start of the service in Unix milliseconds. */
export const noon = Date.parse('2026-03-11T15:32:20Z');

/** Seed of the market. */
const seed = 3;

export type Distorted = RunningService & { distortions: readonly Distortion[] };

const unused = (): never => {
  throw new Error('this service is not operated');
};

/** Calls `use` with a service that has any distortions, also ones that are not faults of the registry. */
export function withDistortedService(
  use: (service: Distorted) => Promise<void>,
  begin = noon,
  days = 30,
): Promise<void> {
  return withTemporaryFolder(async (folder) => {
    await copyMarket(folder, { seed, historyDays: days, now: begin });
    await useDistorted(folder, use, { begin, days });
  });
}

async function useDistorted(
  folder: string,
  use: (service: Distorted) => Promise<void>,
  { begin, days }: { readonly begin: number; readonly days: number },
): Promise<void> {
  const began = performance.now();
  const store = openStore(folder, undefined, true);
  const certificate = await createCertificate();
  let distortions: readonly Distortion[] = [];
  const service = assembleService({
    store,
    distortions: () => distortions,
    clock: () => begin + performance.now() - began,
    seed,
    days,
  });
  service.market.extendTo(Math.floor(begin / 1000));
  const listener = createListener(service, certificate);
  await new Promise<void>((resolve) => listener.port.listen(0, '127.0.0.1', resolve));
  const pools = (wanted: string): number[] =>
    store.facts.pools().flatMap(({ generation, id }) => (generation === wanted ? [id] : []));
  try {
    await use({
      url: `https://127.0.0.1:${(listener.port.address() as AddressInfo).port}`,
      apiKey: store.keys.issue({ monthlyLimit: 1_000_000, hardCap: false }),
      apiKeyFile: '',
      caPem: certificate.caPem,
      switchFaults: unused,
      resetNetwork: unused,
      issueKey: unused,
      close: unused,
      poolsV1: pools('v1'),
      poolsV2: pools('v2'),
      set distortions(wanted: readonly Distortion[]) {
        distortions = wanted;
      },
    });
  } finally {
    await listener.stop(0);
    store.close();
  }
}

/** Calls `use` with a temporary folder, and removes it afterwards. */
export async function withTemporaryFolder<Result>(use: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'candleproof-'));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
