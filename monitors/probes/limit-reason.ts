import type { Exchange } from '../../contract/reading/exchange.ts';
import { readQuota } from '../../contract/reading/quota.ts';
import { thousands } from '../../contract/reading/thousands.ts';
import type { Watch } from '../slots/watch.ts';

const day = 86_400_000;

/**
 * Why a 429 refused us, by the counters: the quota is spent only where they say so. Those of the answer itself count,
 * else the newest that the key's answers reported; undefined where nothing was refused so.
 */
export async function limitReason(
  exchanges: readonly Exchange[],
  key: string | undefined,
  { spec, store, clock }: Pick<Watch, 'spec' | 'store' | 'clock'>,
): Promise<string | undefined> {
  const refused = exchanges.findLast(({ response }) => response?.status === 429);
  if (!refused?.response) return undefined;
  const { remaining } = readQuota(spec.quota, refused.response.headers);
  if (remaining !== undefined) return inWords(remaining, '');
  const now = clock.now();
  const kept = key === undefined ? [] : await store.quotas({ from: now - day, to: now + 1 });
  const newest = kept.filter((each) => each.key === key && each.resetAt > now).at(-1);
  return newest && inWords(newest.remaining, ' when last counted');
}

function inWords(remaining: number, when: string): string {
  if (remaining === 0) return 'the quota is spent';
  return `rate limited (429): ${thousands(remaining)} requests of the month were left${when}`;
}
