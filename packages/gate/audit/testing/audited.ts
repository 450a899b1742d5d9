import { createClient } from '@candleproof/client/send/client';
import { loadSpec } from '@candleproof/document/spec/load-spec';
import type { Exchange } from '@candleproof/law/reading/exchange';
import { type Audited, type AuditOptions, runAudit } from '../audit.ts';

export const day = 86_400;

/** A Wednesday afternoon, at which a test service's clock is stopped. */
export const noon = Date.parse('2026-03-11T15:32:20Z') / 1000;

const spec = loadSpec('openapi.yaml');

/** The parts of a running service that an audit needs. */
type Served = {
  readonly url: string;
  readonly apiKey: string;
  readonly caPem: string;
  readonly poolsV1: readonly number[];
  readonly poolsV2: readonly number[];
};

type Changes = Partial<Pick<AuditOptions, 'range' | 'budget'>> & {
  readonly pools?: readonly number[];
  /** The declared meaning of missing intervals. */
  readonly gaps?: 'idle';
  /** Sits between the service and the audit. */
  readonly bend?: (exchange: Exchange) => Exchange;
};

/** The audit of a running service: the year before `noon`, unless set otherwise. */
export async function auditService(service: Served, changes: Changes = {}): Promise<Audited> {
  const { url, apiKey, caPem, poolsV1, poolsV2 } = service;
  const { pools = poolsV2, gaps, bend = (exchange) => exchange, ...rest } = changes;
  const client = createClient({
    baseUrl: url,
    apiKey,
    ca: caPem,
    deadlines: { connectMs: 5_000, headersMs: 5_000, bodyMs: 5_000 },
    version: 'test',
    longestWaitMs: 100,
  });
  try {
    return await runAudit({
      spec,
      target: {
        name: 'local',
        baseUrl: url,
        pools: { v1: poolsV1, v2: pools },
        keyless: false,
        soleUser: true,
        ...(gaps && { gaps }),
      },
      client: { send: async (request) => bend(await client.send(request)) },
      hasKey: true,
      range: { from: noon - 365 * day, to: noon },
      now: noon,
      budget: 24,
      pauseMs: 20,
      ...rest,
    });
  } finally {
    await client.close();
  }
}

/** The same under faults that the service can switch; they are off again afterwards. */
export async function auditUnder(
  service: Served & { switchFaults(ids: readonly string[]): void },
  faults: readonly string[],
  changes?: Changes,
): Promise<Audited> {
  service.switchFaults(faults);
  try {
    return await auditService(service, changes);
  } finally {
    service.switchFaults([]);
  }
}

/** Lists the damage, one line for each range, for a failed expectation to print. */
export function listMarks({ audit }: Audited): string[] {
  return audit.damage.map(
    ({ pool, interval, fromIso, toIso, kind, rules, suspects = [] }) =>
      `${pool} ${interval} ${fromIso}/${toIso} ${[kind, ...rules].join(' ')}${suspects.map((suspect) => ` ${suspect}?`).join('')}`,
  );
}
