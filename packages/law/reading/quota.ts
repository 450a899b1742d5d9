import { type QuotaHeaders, type QuotaRole, quotaRoles } from '@candleproof/document/spec/roles';
import { type Exchange, type HeaderLine, headerValues, type Recording } from './exchange.ts';

/** The numbers of the quota headers; undefined if missing, repeated or not a number. */
export type Quota = { readonly [name in QuotaRole]?: number };

/** All four numbers. */
export type WholeQuota = Required<Quota>;

/** Reads the quota headers. */
export function readQuota(names: QuotaHeaders, headers: readonly HeaderLine[]): Quota {
  const quota: { -readonly [name in keyof Quota]: number } = {};
  for (const [name, header] of Object.entries(names)) {
    const values = headerValues(headers, header);
    if (values.length === 1 && /^\s*\d+\s*$/.test(values[0] ?? '')) {
      quota[name as keyof Quota] = Number(values[0]);
    }
  }
  return quota;
}

/** Returns whether all four numbers were read. */
export function isWholeQuota(quota: Quota): quota is WholeQuota {
  return quotaRoles.every((quotaRole) => quota[quotaRole] !== undefined);
}

/** The latest instant that a Date can hold, in Unix ms. */
const lastInstant = 8.64e15;

/**
 * Reads a success's quota headers; undefined if they are incomplete or not safe integers. The document leaves open
 * whether other answers count.
 */
export function readSuccessQuota(names: QuotaHeaders, exchange: Exchange): WholeQuota | undefined {
  return exchange.response?.status === 200 ? readAnyQuota(names, exchange) : undefined;
}

/** Reads the quota headers of an answer of any status; undefined if they are incomplete or not safe integers. */
export function readAnyQuota(names: QuotaHeaders, { response }: Exchange): WholeQuota | undefined {
  const quota = readQuota(names, response?.headers ?? []);
  if (!isWholeQuota(quota) || quota.reset > lastInstant) return undefined;
  return Object.values(quota).every(Number.isSafeInteger) ? quota : undefined;
}

/** Returns the quota of the last answer to the run's key that reports one. */
export function lastQuota(
  names: QuotaHeaders,
  { exchanges, target: { baseUrl, keyless } }: Recording,
): WholeQuota | undefined {
  const reported = exchanges.flatMap(({ request: { url, credential }, response }) => {
    const isOwn = credential === 'api-key' || credential === 'unknown' || (keyless && credential === 'none');
    const quota = readQuota(names, isOwn && url.startsWith(`${baseUrl}/`) ? (response?.headers ?? []) : []);
    return isWholeQuota(quota) && Object.values(quota).every(Number.isSafeInteger) ? [quota] : [];
  });
  return reported.at(-1);
}

/** Returns the requests counted this month (§8), within the limit and beyond it. */
export function countUsage({ limit, remaining, additional }: WholeQuota): number {
  return limit - remaining + additional;
}
