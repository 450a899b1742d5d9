import {
  changing,
  type HealthyOddity,
  type ProxiedReply,
  type ProxyDistortion,
  withContent,
} from './fault.ts';
import { chargeRefusals, inTurn } from './remembering.ts';
import { changingAll, eachRow, keepRows } from './row-faults.ts';

/** Refuses as a gateway does, which adds no more headers than it must. */
function refuse(reply: ProxiedReply, status: number, more: Record<string, string> = {}): ProxiedReply {
  const kept = Object.entries(reply.headers).filter(([name]) => /^(x-ratelimit|date|vary|allow)/.test(name));
  return {
    status,
    headers: { ...Object.fromEntries(kept), 'content-type': 'text/html', ...more },
    body: `<html><h1>${status}</h1></html>`,
  };
}

/** Refuses requests beyond ten in a second. */
function limitRate(): ProxyDistortion {
  const times: number[] = [];
  return async (_, ask) => {
    const reply = await ask();
    const time = Date.now();
    times.push(time);
    while (time - (times[0] ?? time) >= 1000) times.shift();
    if (times.length <= 10) return reply;
    times.pop();
    return refuse(reply, 429, { 'retry-after': '1' });
  };
}

const padded = (text: string) => {
  const [whole, part = ''] = text.split('.');
  return `${whole}.${part.padEnd(8, '0')}`;
};

/** Sorts the members of an object by their names. */
const sortMembers = (value: object) =>
  Object.fromEntries(Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1)));

export const fourthHealthy: readonly HealthyOddity[] = [
  {
    title: 'Refusals are pages of a gateway, of a wrong key with 403',
    make: () => async (_, ask) => {
      const reply = await ask();
      if (reply.status < 400) return reply;
      return refuse(reply, reply.status === 401 ? 403 : reply.status);
    },
  },
  {
    title: 'Histories are newest first, and members are sorted by name',
    make: changing(['history'], (reply) =>
      withContent(reply, (JSON.parse(reply.body) as object[]).toReversed().map(sortMembers)),
    ),
  },
  {
    title: 'Decimal text has at least eight places',
    make: eachRow((row) => ({
      volume: padded(row.volume),
      liquidity: padded(row.liquidity),
      volumeUsd: padded(row.volumeUsd),
      liquidityUsd: padded(row.liquidityUsd),
    })),
  },
  { title: 'More than ten requests in a second are refused, with Retry-After', make: limitRate },
  {
    title: 'Five minutes without trades have no row',
    flags: ['--gaps', 'idle'],
    make: keepRows(({ volume }, { interval }) => interval !== 'FIVEMIN' || Number(volume) > 0),
  },
  {
    title: 'Only GET is served; HEAD and OPTIONS are refused',
    make: () => async (call, ask) => {
      const reply = await ask();
      const isOther = call.method !== 'GET' && reply.status !== 401;
      return isOther ? refuse(reply, 405, { allow: 'GET' }) : reply;
    },
  },
  {
    title: 'Tokens and candles have members that the document does not name',
    make: changingAll((reply) => {
      const content = JSON.parse(reply.body) as object | object[];
      const extend = (value: object) => ({ ...value, schema: 4, source: { node: 'b', shard: null } });
      return withContent(reply, Array.isArray(content) ? content.map(extend) : extend(content));
    }),
  },
  { title: 'Refused requests do not count', make: inTurn(() => chargeRefusals(-1)) },
];
