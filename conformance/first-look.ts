import { pathOf } from '../contract/asked.ts';
import type { Exchange, TargetFacts } from '../contract/exchange.ts';
import { operationFor } from '../contract/operation.ts';
import { type Quota, readQuota } from '../contract/quota.ts';
import { read } from '../contract/reading.ts';
import type { Spec } from '../contract/spec.ts';
import type { Client } from '../http/client.ts';
import { serverTime } from './moment.ts';
import { troubleOf } from './trouble.ts';

/** A pool, and whether the target has candles of it. */
export type SeenPool = {
  readonly generation: 'v1' | 'v2';
  readonly id: number;
  /** Undefined where it was not asked for, to keep within the requests of a first look. */
  readonly answers?: boolean;
  readonly status?: number;
};

/** What a handful of requests show of a target that nothing is known of yet. */
export type FirstLook = {
  /** Why nothing more was asked; undefined when the target answers and takes the key. */
  readonly trouble?: string;
  readonly pools: readonly SeenPool[];
  /** As the newest answer tells it. */
  readonly quota: Quota;
  readonly sent: number;
};

/** Most requests of a first look. */
export const mostLooks = 6;

type Options = {
  readonly spec: Spec;
  readonly target: TargetFacts;
  readonly client: Pick<Client, 'send'>;
  readonly hasKey: boolean;
};

/** Asks for the tokens and, where that is answered, for one candle answer of each pool as far as six requests go. */
export async function takeFirstLook(options: Options): Promise<FirstLook> {
  const { spec, client, hasKey } = options;
  const credential = hasKey ? 'api-key' : 'none';
  const exchanges: Exchange[] = [];
  const ask = async (path: string): Promise<Exchange> => {
    const exchange = await client.send({ path, credential });
    exchanges.push(exchange);
    return exchange;
  };
  const tokens = await ask(pathOf(operationFor(spec, 'tokens'), {}));
  const trouble = troubleOf(tokens);
  const pools: SeenPool[] = [];
  for (const pool of inTurn(options.target)) {
    if (trouble !== undefined || exchanges.length >= mostLooks) pools.push(pool);
    else pools.push(await lookAt(pool, options, exchanges, ask));
  }
  const quota = readQuota(exchanges.findLast(({ response }) => response)?.response?.headers ?? []);
  return { ...(trouble !== undefined && { trouble }), pools, quota, sent: exchanges.length };
}

/** V1 and V2 by turns, so that both are seen where only some can be. */
function inTurn({ poolsV1, poolsV2 }: TargetFacts): SeenPool[] {
  const longest = Math.max(poolsV1.length, poolsV2.length);
  return Array.from({ length: longest }, (_, index) => [
    ...poolsV1.slice(index, index + 1).map((id) => ({ generation: 'v1' as const, id })),
    ...poolsV2.slice(index, index + 1).map((id) => ({ generation: 'v2' as const, id })),
  ]).flat();
}

async function lookAt(
  pool: SeenPool,
  { spec, target }: Options,
  exchanges: readonly Exchange[],
  ask: (path: string) => Promise<Exchange>,
): Promise<SeenPool> {
  const role = pool.generation === 'v1' ? 'latest' : 'history';
  const to = serverTime({ target, seed: 0, exchanges });
  const range = pool.generation === 'v1' ? {} : { from: to - 30 * 86_400, to };
  const exchange = await ask(pathOf(operationFor(spec, role), { pool: pool.id, interval: 'DAY', ...range }));
  const { success, candles, status } = read(spec, target, exchange, exchanges.length - 1);
  return { ...pool, answers: success && candles.length > 0, ...(status !== undefined && { status }) };
}
