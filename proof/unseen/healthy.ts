import {
  changingRows,
  good,
  type ProxiedCall,
  type ProxiedReply,
  type ProxyDistortion,
  seconds,
  withHeaders,
} from './fault.ts';

/** A service that differs only where the document leaves something open. */
export type HealthyOddity = {
  readonly title: string;
  readonly flags?: readonly string[];
  readonly compresses?: boolean;
  make(): ProxyDistortion;
};

const refusal = (reply: ProxiedReply): ProxiedReply => ({
  ...reply,
  status: 400,
  headers: { ...reply.headers, 'content-type': 'application/json' },
  body: '{"error":"bad range"}',
});

const refusing =
  (when: (call: ProxiedCall) => boolean): HealthyOddity['make'] =>
  () =>
  async (call, ask) => {
    const reply = await ask();
    return good(call, reply) && call.operation === 'history' && when(call) ? refusal(reply) : reply;
  };

/** Serves bodies from a cache of 20 s, with their true Age; the counters are fresh. */
function cache(): ProxyDistortion {
  const kept = new Map<string, { reply: ProxiedReply; at: number }>();
  return async (call, ask) => {
    const reply = await ask();
    if (!good(call, reply)) return reply;
    const before = kept.get(call.url);
    const age = before ? Math.floor((Date.now() - before.at) / 1000) : 0;
    const cached = before && age < 20 ? before.reply : reply;
    if (cached === reply) kept.set(call.url, { reply, at: Date.now() });
    return withHeaders(
      { ...reply, body: cached.body },
      {
        date: cached.headers.date ?? '',
        age: String(cached === reply ? 0 : age),
        'cache-control': 'private, max-age=20',
      },
    );
  };
}

export const healthy: readonly HealthyOddity[] = [
  { title: 'from equal to to is refused', make: refusing((call) => call.from === call.to) },
  { title: 'Rows come newest first', make: changingRows((rows) => rows.reverse(), ['history']) },
  {
    title: 'Rows without a trade are left out',
    flags: ['--gaps', 'idle'],
    make: changingRows((rows) => rows.filter((row) => row.volume !== '0'), ['history']),
  },
  {
    title: 'More than 1,000 rows are refused',
    make: refusing((call) => (call.to - call.from) / (seconds[call.interval ?? ''] ?? 1) > 1000),
  },
  { title: 'Answers come from a cache of 20 s with a true Age', make: cache },
  {
    title: 'Unknown pools are refused with 400, errors are plain text',
    make: () => async (_, ask) => {
      const reply = await ask();
      if (reply.status < 400) return reply;
      const status = reply.status === 404 ? 400 : reply.status;
      return { ...withHeaders(reply, { 'content-type': 'text/plain' }), status, body: 'refused' };
    },
  },
  { title: 'Each answer is compressed', compresses: true, make: () => (_, ask) => ask() },
  {
    title: 'Negative and future ranges are refused',
    make: refusing((call) => call.from < 0 || call.to > call.now + 60),
  },
];
