import type { Exchange } from '../reading/exchange.ts';
import { readSuccessQuota, type WholeQuota } from '../reading/quota.ts';

/** Reads a success's quota under openapi.yaml's header names. */
export function ownQuota(exchange: Exchange): WholeQuota | undefined {
  return readSuccessQuota(ownQuotaHeaders, exchange);
}

export const ownQuotaHeaders = {
  limit: 'x-ratelimit-limit',
  remaining: 'x-ratelimit-remaining',
  additional: 'x-ratelimit-additional-total',
  reset: 'x-ratelimit-reset',
} as const;
