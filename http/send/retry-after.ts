import { type HeaderLine, headerValues } from '../../contract/reading/exchange.ts';

const HTTP_DATE = /^[A-Z][a-z]{2,8}, .* GMT$/;

/**
 * Milliseconds for which a 429 or 503 asks us to stay away; undefined when it does not ask. A date is measured from the
 * answer's Date where it has one, so that a clock that is off does not matter.
 * @param now our clock, Unix milliseconds
 */
export function retryAfterMs(
  status: number,
  headers: readonly HeaderLine[],
  now: number,
): number | undefined {
  if (status !== 429 && status !== 503) return undefined;
  const value = headerValues(headers, 'retry-after')[0]?.trim() ?? '';
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const until = httpDate(value);
  if (until === undefined) return undefined;
  return Math.max(0, until - (httpDate(headerValues(headers, 'date')[0]) ?? now));
}

function httpDate(value = ''): number | undefined {
  const instant = HTTP_DATE.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(instant) ? undefined : instant;
}
