import type { Exchange } from '../contract/exchange.ts';
import { quotaOf } from '../contract/quota.ts';
import type { Sample } from '../results/probe-record.ts';
import type { Json, QuotaRecord } from '../results/results-store.ts';

/** An exchange as the sample of a slot that was planned for an instant (Unix ms). */
export function sampleOf(
  { startedAt, response, connection, timings }: Exchange,
  planned: number,
  { pool, confirming }: { readonly pool?: number | undefined; readonly confirming: boolean },
): Sample {
  const at = Date.parse(startedAt);
  return {
    at,
    cold: connection?.reused !== true,
    confirming,
    ...(pool !== undefined && { pool }),
    ...(response && { status: response.status }),
    timings,
    sincePlanned: Math.max(0, at + timings.total - planned),
  };
}

/** The counters that an answer told (§8), as a record of its key's account. */
export function quotaRecordOf(exchange: Exchange, key: string | undefined): QuotaRecord[] {
  const quota = exchange.request.credential === 'api-key' ? quotaOf(exchange) : undefined;
  if (key === undefined || !quota) return [];
  const { limit, remaining, additional, reset } = quota;
  return [{ key, at: Date.parse(exchange.startedAt), limit, remaining, additional, resetAt: reset }];
}

const mostBodyText = 2000;

/** A failing exchange to be read in an incident; keys were taken out before it left the client. */
export function evidenceOf({ request, response, failure, startedAt, timings }: Exchange): Json {
  return {
    startedAt,
    method: request.method,
    url: request.url,
    totalMs: timings.total,
    ...(failure && { failure: { ...failure } }),
    ...(response && {
      status: response.status,
      headers: response.headers.slice(0, 40).map(([name, value]) => [name, value.slice(0, 200)]),
      body: response.body?.encoding === 'utf8' ? response.body.text.slice(0, mostBodyText) : '(not text)',
    }),
  };
}
