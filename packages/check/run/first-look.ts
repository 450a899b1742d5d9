import { day, hour } from '@candleproof/document/spec/interval';
import {
  findMaxRows,
  findSpaceOperation,
  firstOperation,
  listSpaces,
} from '@candleproof/document/spec/operation';
import { buildPath } from '@candleproof/document/spec/request-path';
import type { PoolId } from '@candleproof/document/spec/spec';
import type { Exchange } from '@candleproof/law/reading/exchange';
import { type Quota, readQuota } from '@candleproof/law/reading/quota';
import { readExchange } from '@candleproof/law/reading/reading';
import { serverTime } from '../plan/moment.ts';
import { BudgetedSender } from './budgeted-sender.ts';
import { describeTrouble, type SendTerms } from './sending.ts';

/** A pool, and whether the target has candles of it. */
export type SeenPool = {
  /** The space that it is numbered in. */
  readonly space: string;
  readonly id: PoolId;
  /** Undefined if it was not requested, to keep within the requests of a first look. */
  readonly answers?: boolean;
  readonly status?: number;
  /** A successful answer has no readable candle, yet is not an empty history. */
  readonly isUnreadable?: boolean;
  /** The quiet of a pool that answers. */
  readonly quiet?: QuietPool;
};

/** Intervals without a row among those that were requested, and the age in seconds of the newest thing that a row shows. */
export type QuietPool = { readonly missing: number; readonly of: number; readonly age: number };

/** The result of a handful of requests to an unknown target. */
export type FirstLook = {
  /** Why nothing more was requested; undefined when the target answers and takes the key. */
  readonly trouble?: string;
  readonly pools: readonly SeenPool[];
  /** According to the newest answer. */
  readonly quota: Quota;
  readonly sent: number;
};

/** Days of hours that are requested of a pool with a history. */
const daysOfLook = 7;

/** Statuses by which targets refuse an id that they do not know. */
const refusals: readonly unknown[] = [400, 404, 422];

/** Most requests of a first look. */
export const maxLooks = 6;

type Options = Pick<SendTerms, 'spec' | 'target' | 'client' | 'hasKey' | 'stop'>;

/** Requests the tokens and, if they are answered, one candle answer of each pool within six requests in all. */
export async function takeFirstLook(options: Options): Promise<FirstLook> {
  const { spec, client, hasKey, stop } = options;
  const credential = hasKey ? 'api-key' : 'none';
  const sender = new BudgetedSender({ client, stop, budget: maxLooks });
  const { exchanges } = sender;
  const ask = (path: string): Promise<Exchange | undefined> => sender.send({ path, credential });
  const findTrouble = (exchange: Exchange | undefined): string | undefined =>
    exchange ? describeTrouble(exchange) : sender.whyCutInWords;
  const tokens = firstOperation(spec, 'tokens');
  let trouble = tokens && findTrouble(await ask(buildPath(tokens, {})));
  const pools: SeenPool[] = [];
  for (const pool of takeTurns(options)) {
    if (trouble !== undefined || exchanges.length >= maxLooks) pools.push(pool);
    else pools.push(await checkPool(pool, options, exchanges, ask));
    const [only] = exchanges;
    // A refusal of the first pool does not show that others are refused.
    if (!tokens && only && !refusals.includes(only.response?.status)) trouble = describeTrouble(only);
    trouble ??= sender.whyCutInWords;
  }
  const quota = readQuota(
    spec.quota,
    exchanges.findLast(({ response }) => response)?.response?.headers ?? [],
  );
  return { trouble, pools, quota, sent: exchanges.length };
}

/** Alternates between spaces, so that each is seen even if some pools are not. */
function takeTurns({ spec, target: { pools } }: Options): SeenPool[] {
  const spaces = listSpaces(spec).map((space) => ({ space, ids: pools[space] ?? [] }));
  const longest = Math.max(0, ...spaces.map(({ ids }) => ids.length));
  return Array.from({ length: longest }, (_, at) =>
    spaces.flatMap(({ space, ids }) => ids.slice(at, at + 1).map((id) => ({ space, id }))),
  ).flat();
}

async function checkPool(
  pool: SeenPool,
  { spec, target }: Options,
  exchanges: readonly Exchange[],
  ask: (path: string) => Promise<Exchange | undefined>,
): Promise<SeenPool> {
  const operation = findSpaceOperation(spec, pool.space);
  if (!operation) return pool;
  const to = serverTime({ target, seed: 0, exchanges });
  const { name = '', seconds = day } = spec.rungs.hour ?? spec.intervals.at(-1) ?? {};
  const rows = Math.min(daysOfLook * Math.ceil(day / seconds), findMaxRows(operation, seconds));
  const range = operation.role === 'latest' ? {} : { from: to - rows * seconds, to, limit: rows };
  const exchange = await ask(buildPath(operation, { pool: pool.id, interval: name, ...range }));
  if (!exchange) return pool;
  const answer = readExchange(spec, target, exchange, exchanges.length - 1);
  const { success, candles, status, inTime } = answer;
  const isUnreadable = success && candles.length === 0 && !(operation.role === 'history' && answer.isList);
  const answers = isUnreadable || (success && candles.length > 0);
  const newest = inTime.at(-1);
  // The first and the last interval need not lie in the range, and the last one may not be over.
  const of = operation.role === 'latest' ? 0 : rows - 2;
  const quiet = newest && { missing: Math.max(0, of - inTime.length), of, age: Math.max(0, to - newest.end) };
  return { ...pool, answers, isUnreadable, ...(status !== undefined && { status }), ...(quiet && { quiet }) };
}

/** Returns whether a pool lacks rows, or shows nothing of the last two hours. */
export function isQuiet({ quiet }: SeenPool): boolean {
  return quiet !== undefined && (quiet.missing > 0 || quiet.age > 2 * hour);
}
