// Shared by all test clients: the double's address, the requests and the pauses.
const { CANDLEPROOF_BASE_URL, CANDLEPROOF_API_KEY, CANDLEPROOF_POOLS_V1 = '' } = process.env;

export const base = CANDLEPROOF_BASE_URL;
export const key = CANDLEPROOF_API_KEY;
export const headers = { 'x-api-key': key };

const targets = CANDLEPROOF_POOLS_V1.split(',')
  .slice(0, 3)
  .flatMap((pool) =>
    ['FIVEMIN', 'HOUR', 'DAY', 'WEEK'].map(
      (interval) => `/pools/conversionRates/latest/${pool}?interval=${interval}`,
    ),
  );

/** Returns path and query of the request with this number: equal requests are rare. */
export const target = (at) => targets[at % targets.length];

/** Waits for `ms` milliseconds. */
export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Sends a request and returns status, headers and text. */
export async function get(path, more = {}) {
  const response = await fetch(base + path, { headers, ...more });
  const text = await response.text();
  return { status: response.status, ok: response.ok, headers: response.headers, text };
}

/** Returns the pauses of a good client between requests: half a second to a second, by its seed. */
export function makePauses(seed = Number(process.argv[2] ?? 1)) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return 500 + (state / 2 ** 32) * 500;
  };
}
