import { hour } from '@candleproof/document/spec/interval';
import { findMaxRows, firstOperation, listPools } from '@candleproof/document/spec/operation';
import { buildPath } from '@candleproof/document/spec/request-path';
import type { Operation } from '@candleproof/document/spec/spec';
import { UsageError } from '@candleproof/files/usage-error';
import { readExchange } from '@candleproof/law/reading/reading';
import { serverTime } from '../plan/moment.ts';
import { withClient } from './client.ts';
import { requirePools, type Target } from './target.ts';

/** The rows of one answer, as they are read by the document. */
export type TriedDocument = {
  readonly method: string;
  readonly url: string;
  /** The beginning of the body of a refusal. */
  readonly refusal?: string;
  /** The HTTP status, or that of a refusal in the body of a 200. */
  readonly status?: number;
  /** Why there is no answer. */
  readonly trouble?: string;
  readonly rows: number;
  /** Rows whose start could be read, and those whose four prices could. */
  readonly starts: number;
  readonly prices: number;
  /** Seconds since the newest row began. */
  readonly age?: number;
  /** Departures from the schema, and the first of them. */
  readonly misshapen: number;
  readonly first?: string;
};

/** Characters of a refusal that are kept. */
const mostQuoted = 300;

/** Rows that are requested of a history. */
const triedRows = 168;

/** Sends one request for candles of a target's first pool, and reads the answer. Throws a UsageError without a pool. */
export async function tryDocument(
  target: Target,
  sending: Parameters<typeof withClient>[1],
): Promise<TriedDocument> {
  requirePools(target, 'look at');
  const { spec, facts } = target;
  const operation = firstOperation(spec, 'history') ?? firstOperation(spec, 'latest');
  const [pool] = operation ? listPools(facts, operation) : [];
  if (!operation || pool === undefined)
    throw new UsageError('--pools: the first operation of candles has none: name one of its space');
  const path = buildPath(operation, { pool, ...chooseRange(target, operation) });
  const credential = target.apiKey === undefined ? 'none' : 'api-key';
  const exchange = await withClient(target, sending, (client) => client.send({ path, credential }));
  const answer = readExchange(spec, facts, exchange, 0);
  const { status, success, body, records, candles, inTime, misshapen, serverNow } = answer;
  const newest = inTime.at(-1);
  const now = serverNow ?? Date.parse(exchange.startedAt) / 1000;
  const [first] = misshapen;
  return {
    method: exchange.request.method,
    url: exchange.request.url,
    ...(success || body === undefined || body.text === '' ? {} : { refusal: body.text.slice(0, mostQuoted) }),
    status,
    ...(exchange.failure && { trouble: exchange.failure.message }),
    rows: records.length,
    starts: candles.filter(({ start }) => Number.isFinite(start)).length,
    prices: candles.filter((candle) =>
      [candle.open, candle.high, candle.low, candle.close].every(Number.isFinite),
    ).length,
    ...(newest && { age: Math.max(0, Math.round(now - newest.start)) }),
    misshapen: misshapen.length,
    ...(first && { first: `${first.pointer}: ${first.expected} expected, ${first.actual} came` }),
  };
}

function chooseRange({ spec, facts }: Target, operation: Operation) {
  const { name = '', seconds = hour } = spec.rungs.hour ?? spec.intervals[0] ?? {};
  if (operation.role === 'latest') return { interval: name };
  const to = serverTime({ target: facts, seed: 0, exchanges: [] });
  const limit = Math.min(triedRows, findMaxRows(operation, seconds));
  return { interval: name, from: to - limit * seconds, to, limit };
}
