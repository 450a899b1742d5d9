import { type QuotaHeaders, type QuotaRole, quotaRoles } from '../document/roles.ts';
import { type Exchange, type HeaderLine, headerValues, type Recording } from './exchange.ts';

/** The numbers of the quota headers; one that is missing, repeated or no number is undefined. */
export type Quota = { readonly [name in QuotaRole]?: number };

/** All four numbers, as a rule about their relations needs them. */
export type WholeQuota = Required<Quota>;

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

export function isWhole(quota: Quota): quota is WholeQuota {
  return quotaRoles.every((each) => quota[each] !== undefined);
}

/** Furthest instant that a Date can hold, in Unix ms. */
const lastInstant = 8.64e15;

/**
 * What a success tells of its key's month, as arithmetic can use it. Whether anything else was counted the document
 * leaves open.
 */
export function quotaOf(names: QuotaHeaders, { response }: Exchange): WholeQuota | undefined {
  const quota = readQuota(names, response?.status === 200 ? response.headers : []);
  if (!isWhole(quota) || quota.reset > lastInstant) return undefined;
  return Object.values(quota).every(Number.isSafeInteger) ? quota : undefined;
}

/** What the last answer of a recording's target to the run's own key tells of its month; undefined where none tells it. */
export function quotaAtEnd(
  names: QuotaHeaders,
  { exchanges, target: { baseUrl, keyless } }: Recording,
): WholeQuota | undefined {
  const reported = exchanges.flatMap(({ request: { url, credential }, response }) => {
    const isOwn = credential === 'api-key' || credential === 'unknown' || (keyless && credential === 'none');
    const quota = readQuota(names, isOwn && url.startsWith(`${baseUrl}/`) ? (response?.headers ?? []) : []);
    return isWhole(quota) && Object.values(quota).every(Number.isSafeInteger) ? [quota] : [];
  });
  return reported.at(-1);
}

/** Requests that the counters have seen this month (§8): within the limit and beyond it. */
export function usage({ limit, remaining, additional }: WholeQuota): number {
  return limit - remaining + additional;
}
