import { type HeaderLine, headerValues } from './exchange.ts';

/** The four headers of §8 by what they count. */
export const quotaHeaders = {
  limit: 'x-ratelimit-limit',
  remaining: 'x-ratelimit-remaining',
  additional: 'x-ratelimit-additional-total',
  reset: 'x-ratelimit-reset',
} as const;

/** The numbers told by the quota headers; one that is missing, repeated or no number is undefined. */
export type Quota = { readonly [name in keyof typeof quotaHeaders]?: number };

/** All four numbers, as a rule about their relations needs them. */
export type WholeQuota = Required<Quota>;

export function readQuota(headers: readonly HeaderLine[]): Quota {
  const quota: { -readonly [name in keyof Quota]: number } = {};
  for (const [name, header] of Object.entries(quotaHeaders)) {
    const values = headerValues(headers, header);
    if (values.length === 1 && /^\s*\d+\s*$/.test(values[0] ?? '')) {
      quota[name as keyof Quota] = Number(values[0]);
    }
  }
  return quota;
}

export function isWhole(quota: Quota): quota is WholeQuota {
  return Object.keys(quota).length === Object.keys(quotaHeaders).length;
}

/** Requests that the counters have seen this month (§8): within the limit and beyond it. */
export function usage({ limit, remaining, additional }: WholeQuota): number {
  return limit - remaining + additional;
}
