import type { QuotaHeaders } from '@candleproof/document/spec/roles';
import type { PoolId } from '@candleproof/document/spec/spec';
import type { Finding } from '@candleproof/law/judge/verdict';
import type { Exchange } from '@candleproof/law/reading/exchange';
import { readSuccessQuota } from '@candleproof/law/reading/quota';
import type { ProbeSample, SlotRecord } from '../results/probe-record.ts';
import type { Json, QuotaRecord } from '../results/results-store.ts';
import { type Attempt, listExchanges } from './light-requests.ts';

type Kind = { readonly pool?: PoolId | undefined; readonly confirming: boolean };

/** The exchanges of a probe run that did nothing else, in the order of sending. */
export function makeSamples(tries: readonly Attempt[]): ProbeSample[] {
  return timedSamples(
    tries.flatMap((attempt) =>
      listExchanges(attempt).map((exchange) => ({
        exchange,
        kind: { pool: attempt.pool, confirming: exchange !== attempt.first },
      })),
    ),
  );
}

/** Returns samples whose times include the wait for the answers before them, without our delays and pauses. */
export function timedSamples(
  looked: readonly { readonly exchange: Exchange; readonly kind: Kind }[],
): ProbeSample[] {
  let spent = 0;
  return looked.map(({ exchange, kind }) => {
    spent += exchange.timings.total;
    return makeSample(exchange, spent, kind);
  });
}

function makeSample(
  { startedAt, response, connection, timings }: Exchange,
  sincePlanned: number,
  { pool, confirming }: Kind,
): ProbeSample {
  return {
    at: Date.parse(startedAt),
    cold: connection?.reused !== true,
    confirming,
    pool,
    ...(response && { status: response.status }),
    timings,
    sincePlanned,
  };
}

/** The counters that an answer reported (§8), as a record of its key's account. */
export function quotaRecords(
  names: QuotaHeaders,
  exchange: Exchange,
  key: string | undefined,
): QuotaRecord[] {
  const quota = exchange.request.credential === 'api-key' ? readSuccessQuota(names, exchange) : undefined;
  if (key === undefined || !quota) return [];
  const { limit, remaining, additional, reset } = quota;
  return [{ key, at: Date.parse(exchange.startedAt), limit, remaining, additional, resetAt: reset }];
}

const mostBodyText = 8000;

const mostFound = 3;
const longestText = 200;

/** A breach in an exchange, as an incident keeps it. */
export type FoundBreach = Pick<Finding, 'rule' | 'pointer' | 'expected' | 'actual' | 'examples' | 'pattern'>;

/**
 * A failing exchange to be read in an incident, with what was found in it; keys were taken out before it left the
 * client. @param cause what explains the findings, as the report of their run says it
 */
export function formatEvidence(
  { request, response, failure, startedAt, timings }: Exchange,
  findings: readonly FoundBreach[],
  cause?: string,
): Json {
  const found = findings
    .slice(0, mostFound)
    .map(({ rule, pointer, expected, actual, pattern, examples: [first] }) => ({
      rule,
      pointer: first?.pointer ?? pointer,
      expected: expected.slice(0, longestText),
      actual: actual.slice(0, longestText),
      ...(pattern !== undefined && { pattern: pattern.slice(0, longestText) }),
      ...(first?.address !== undefined && { address: first.address }),
      ...(first?.candles && { candles: first.candles.map((candle) => ({ ...candle })) }),
    }));
  return {
    startedAt,
    ...(cause !== undefined && { cause: cause.slice(0, longestText) }),
    ...(found.length > 0 && { found }),
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

/** The certificate that came with the answers, by its last instant. */
export function earliestCertificate(answered: readonly Exchange[]): Pick<SlotRecord, 'certificateEnd'> {
  const ends = answered.flatMap(({ connection }) => connection?.tls?.certificateEnd ?? []);
  return ends.length > 0 ? { certificateEnd: Math.min(...ends.map((end) => Date.parse(end))) } : {};
}
