import {
  changing,
  good,
  numberFaults,
  type ProxiedReply,
  type ProxyDistortion,
  withContent,
  withHeaders,
} from './fault.ts';
import { inTurn, readKeyHeader } from './remembering.ts';
import { changingAll, eachRow, keepRows, newest } from './second-fault.ts';
import { showTokens } from './third-fault.ts';

const remaining = 'x-ratelimit-remaining';

/** Counts the requests of each of two gateways by itself. */
function countApart(): ProxyDistortion {
  const sent = [0, 0];
  return async (call, ask) => {
    const reply = await ask();
    const limit = Number(reply.headers['x-ratelimit-limit']);
    if (!reply.headers[remaining]) return reply;
    const count = (sent[call.n % 2] ?? 0) + 1;
    sent[call.n % 2] = count;
    return withHeaders(reply, { [remaining]: String(limit - count) });
  };
}

/** Writes the counter down only at every tenth request. */
function countLate(): ProxyDistortion {
  let requests = 0;
  let written: string | undefined;
  return async (_, ask) => {
    const reply = await ask();
    const left = reply.headers[remaining];
    if (!left) return reply;
    if (requests++ % 10 === 0) written = left;
    return withHeaders(reply, { [remaining]: written ?? left });
  };
}

/** Reads the key of a connection's first request only. */
function trustConnections(): ProxyDistortion {
  const trusted = new Set<number>();
  return (call, ask) => {
    if (readKeyHeader(call) === call.issued) trusted.add(call.connection);
    else if (trusted.has(call.connection)) return ask({ key: call.issued });
    return ask();
  };
}

/** Keeps answers for a minute by an address, for those who may not have them too. */
function shareCache(): ProxyDistortion {
  const kept = new Map<string, { reply: ProxiedReply; until: number }>();
  return async (call, ask) => {
    const reply = await ask();
    const before = kept.get(call.url);
    if (good(call, reply)) kept.set(call.url, { reply, until: call.now + 60 });
    return call.method === 'GET' && reply.status !== 200 && before && call.now < before.until
      ? before.reply
      : reply;
  };
}

/** Keeps bodies for 20 s by an address without `inverted`. */
function cacheWithoutInverted(): ProxyDistortion {
  const kept = new Map<string, { body: string; until: number }>();
  return async (call, ask) => {
    const reply = await ask();
    if (!good(call, reply) || call.operation === undefined) return reply;
    const address = call.url.replace(/&inverted=\w*/, '');
    const before = kept.get(address);
    if (before && call.now < before.until) return { ...reply, body: before.body };
    kept.set(address, { body: reply.body, until: call.now + 20 });
    return reply;
  };
}

export const thirdManners = numberFaults('C', 31, [
  ['Each of two gateways counts its own requests (§8 remaining)', inTurn(countApart), showTokens({}, 2)],
  [
    'The counter is written at every tenth request (§8 remaining decreases)',
    inTurn(countLate),
    showTokens({}, 2),
  ],
  [
    'Every third history comes from a replica that is ten minutes late (§4.2 one per INTERVAL)',
    keepRows((row, { n, now }) => n % 3 > 0 || row.startTimestampSeconds <= now - 600),
    newest('FIVEMIN', 6, '', 1, 3),
  ],
  [
    'A browser gets a page (§1 returns JSON)',
    changingAll((reply, { headers }) =>
      headers.accept?.includes('text/html')
        ? {
            ...withHeaders(reply, { 'content-type': 'text/html; charset=utf-8' }),
            body: `<pre>${reply.body}</pre>`,
          }
        : reply,
    ),
    showTokens({ accept: 'text/html,application/json;q=0.9' }),
  ],
  [
    'Dollars have a decimal comma for a client that prefers German (§2.2 decimal text)',
    eachRow(({ volumeUsd, liquidityUsd }, { headers }) =>
      headers['accept-language']?.startsWith('de')
        ? { volumeUsd: volumeUsd.replace('.', ','), liquidityUsd: liquidityUsd.replace('.', ',') }
        : {},
    ),
    ({ latest }) => [{ path: latest('HOUR'), headers: { 'accept-language': 'de-DE,de' } }],
  ],
  [
    'The database compares keys without regard to case (§5.2)',
    () => (call, ask) => {
      const key = readKeyHeader(call);
      const isOtherCase = key !== call.issued && key.toLowerCase() === call.issued.toLowerCase();
      return ask(isOtherCase ? { key: call.issued } : {});
    },
    ({ issued }) => [{ path: '/tokens', key: issued.toLowerCase() }],
  ],
  [
    'A connection that once had a key needs none any more (§5.2 every request)',
    trustConnections,
    () => [{ path: '/tokens' }, { path: '/tokens', key: '' }],
  ],
  [
    'A shared cache answers requests without a key (§5.2 every request)',
    shareCache,
    () => [{ path: '/tokens' }, { path: '/tokens', key: '' }],
  ],
  [
    'A cache takes inverted rates for the same answer (§4.2 inverted)',
    cacheWithoutInverted,
    ({ latest }) => [{ path: latest('DAY') }, { path: `${latest('DAY')}&inverted=true` }],
  ],
  [
    'A range that ends beyond 2038 wraps to one before 1970 and is empty (§4.2 to)',
    changing(['history'], (reply, { to }) => (to >= 2 ** 31 ? withContent(reply, []) : reply)),
    ({ now, history }) => [{ path: history('WEEK', now - 604_800, 4e9) }],
  ],
]);
