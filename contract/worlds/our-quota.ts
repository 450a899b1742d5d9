import type { Exchange } from '../reading/exchange.ts';
import { readSuccessQuota, type WholeQuota } from '../reading/quota.ts';

/** Reads a success's quota under openapi.yaml's header names. */
export function readOurQuota(exchange: Exchange): WholeQuota | undefined {
  return readSuccessQuota(ourQuotaHeaders, exchange);
}

export const ourQuotaHeaders = {
  limit: 'x-ratelimit-limit',
  remaining: 'x-ratelimit-remaining',
  additional: 'x-ratelimit-additional-total',
  reset: 'x-ratelimit-reset',
} as const;
