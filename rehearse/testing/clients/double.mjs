// What all clients here share: where the double stands, what to request in turn, and how to pause.
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

/** The path and query of the request of this number: equal ones come rarely. */
export const target = (at) => targets[at % targets.length];

export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Answers in full: their status, headers and text. */
export async function get(path, more = {}) {
  const response = await fetch(base + path, { headers, ...more });
  const text = await response.text();
  return { status: response.status, ok: response.ok, headers: response.headers, text };
}

/** How long a good client pauses between two requests: from half a second to one, by its seed. */
export function pausesOf(seed = Number(process.argv[2] ?? 1)) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return 500 + (state / 2 ** 32) * 500;
  };
}
