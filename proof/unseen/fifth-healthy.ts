import {
  type HealthyOddity,
  type ProxiedReply,
  type ProxyDistortion,
  withContent,
  withHeaders,
} from './fault.ts';
import { changingTokens } from './part-faults.ts';
import { inTurn, readKeyHeader } from './remembering.ts';
import { changingAll, eachRow, keepRows, mapPrices, width } from './row-faults.ts';

const refuse = (reply: ProxiedReply): ProxiedReply =>
  withContent(
    { ...reply, status: 400, headers: { ...reply.headers, 'content-type': 'application/json' } },
    { error: 'unknown spelling' },
  );

const known: Record<string, RegExp> = {
  tokens: /^$/,
  history: /^(from|to|interval|inverted)$/,
  latest: /^(interval|inverted)$/,
};

/** Serves the spellings of the document and no others. */
const insist: ProxyDistortion = async (call, ask) => {
  const reply = await ask();
  const names = [...new URLSearchParams(call.query).keys()];
  const allowed = known[call.operation ?? ''];
  const inverted = new URLSearchParams(call.query).get('inverted') ?? 'false';
  const plain =
    allowed &&
    names.every((name) => allowed.test(name)) &&
    !/\/0\d/.test(call.url) &&
    /^(true|false)$/.test(inverted);
  return reply.status === 200 && !plain ? refuse(reply) : reply;
};

/** Serves a key whose month is used up, as section 8 describes. */
function goBeyond(): ProxyDistortion {
  let beyond = 120;
  return async (call, ask) => {
    const reply = await ask();
    if (readKeyHeader(call) !== call.issued) return reply;
    beyond += 1;
    return withHeaders(reply, {
      'x-ratelimit-remaining': '0',
      'x-ratelimit-additional-total': String(beyond),
    });
  };
}

/** Counts what another holder of the key requests meanwhile. */
function shareKey(): ProxyDistortion {
  let others = 0;
  return async (call, ask) => {
    const reply = await ask();
    const left = Number(reply.headers['x-ratelimit-remaining']);
    if (readKeyHeader(call) !== call.issued || !(left > 0)) return reply;
    if (call.n % 3 === 0) others += 2;
    return withHeaders(reply, { 'x-ratelimit-remaining': String(left - others) });
  };
}

/** Writes prices with exponents, on indented lines. */
const writeOddly = (body: string) =>
  JSON.stringify(JSON.parse(body), null, 2).replace(
    /"(open|high|low|close|avg|priceUsd)": ([\d.e+-]+)/g,
    (_, name: string, value: string) => `"${name}": ${Number(value).toExponential()}`,
  );

export const fifthHealthy: readonly HealthyOddity[] = [
  {
    title: 'The open candle names the end of its interval, which is still to come',
    make: eachRow(({ startTimestampSeconds }, call) => ({
      timestampSeconds: startTimestampSeconds + width(call),
    })),
  },
  {
    title: 'A range holds the intervals that begin in it',
    make: keepRows(({ startTimestampSeconds }, { from }) => startTimestampSeconds >= from),
  },
  {
    title: 'Tokens come in another order each time',
    make: changingTokens((tokens, n) => {
      const first = (n * 7) % (tokens.length || 1);
      return [...tokens.slice(first), ...tokens.slice(0, first)];
    }),
  },
  { title: 'The key is beyond its limit, and is served', make: inTurn(goBeyond) },
  { title: 'Another client uses the same key meanwhile', make: inTurn(shareKey) },
  {
    title: 'Unknown parameters, other spellings of true and addresses with a further slash are refused',
    make: () => insist,
  },
  {
    title: 'Prices have eight significant digits',
    make: eachRow((row) => mapPrices(row, (price) => Number(price.toPrecision(8)))),
  },
  {
    title: 'Prices are written with exponents, and JSON is indented',
    make: changingAll((reply) => ({ ...reply, body: writeOddly(reply.body) })),
  },
];
