import {
  changing,
  changingRows,
  good,
  type ProxiedCall,
  type ProxiedReply,
  type ProxyDistortion,
  withContent,
} from './fault.ts';
import { eachRow, keepRows, newest, numberSecond, width } from './row-faults.ts';

/** Serves bodies from a cache whose key forgets something, with fresh counters. */
const cached =
  (nameOf: (call: ProxiedCall) => string | undefined, lifeSeconds: number) => (): ProxyDistortion => {
    const kept = new Map<string, { body: string; at: number }>();
    return async (call, ask) => {
      const reply = await ask();
      const name = good(call, reply) ? nameOf(call) : undefined;
      if (name === undefined) return reply;
      const before = kept.get(name);
      if (before && Date.now() - before.at < lifeSeconds * 1000) return { ...reply, body: before.body };
      kept.set(name, { body: reply.body, at: Date.now() });
      return reply;
    };
  };

const day = (at: number) => Math.floor(at / 86_400);

/** Changes each of so many good answers of an operation. */
const everyOf =
  (
    count: number,
    operation: ProxiedCall['operation'],
    edit: (reply: ProxiedReply, call: ProxiedCall) => ProxiedReply,
  ) =>
  (): ProxyDistortion => {
    let answers = 0;
    return changing([operation], (reply, call) => {
      answers += 1;
      return answers % count ? reply : edit(reply, call);
    })();
  };

/** Gives a latest candle the pool of the request before on its connection. */
const poolOfBefore = (): ProxyDistortion => {
  const pools = new Map<number, number>();
  return async (call, ask) => {
    const poolId = pools.get(call.connection) ?? call.pool;
    if (call.pool >= 0) pools.set(call.connection, call.pool);
    return eachRow(() => ({ poolId }), ['latest'])()(call, ask);
  };
};

/** Drops the open candle from histories at certain seconds of the minute. */
const hideOpen = keepRows(
  (row, call) => call.now % 60 >= 20 || row.startTimestampSeconds + width(call) <= call.now,
);

/** Makes a replica that lacks the newest quarter of an hour answer each second history. */
const late = everyOf(2, 'history', (reply, call) => {
  const rows = JSON.parse(reply.body) as { startTimestampSeconds: number }[];
  return withContent(
    reply,
    rows.filter((row) => row.startTimestampSeconds < call.now - 900),
  );
});

/** Makes a replica without the trades of the day before yesterday answer each third history. */
const bereft = everyOf(3, 'history', (reply, call) => {
  const rows = JSON.parse(reply.body) as { startTimestampSeconds: number }[];
  const lost = (at: number) => call.interval !== 'WEEK' && day(at) === day(call.now) - 2;
  return withContent(
    reply,
    rows.map((row) => (lost(row.startTimestampSeconds) ? { ...row, volume: '0', volumeUsd: '0' } : row)),
  );
});

const practice = 'good practice: answers about the same moment agree';

/** Wrong because of earlier requests, the second, or the connection. */
export const secondMemory = numberSecond('F', 21, [
  {
    name: 'cache without inverted',
    title: 'Histories are cached for half a minute without regard to inverted',
    breaks: '§4.2 inverted: Inverts the data.',
    make: cached(
      (call) =>
        call.operation === 'history' ? [call.pool, call.from, call.to, call.interval].join() : undefined,
      30,
    ),
    shows: (market) => [...newest('HOUR', 5)(market), ...newest('HOUR', 5, '&inverted=true')(market)],
  },
  {
    name: 'cache of latest without interval',
    title: 'Latest candles are cached for ten seconds without regard to the interval',
    breaks: '§4.3 interval: One of FIVEMIN, HOUR, DAY, WEEK.',
    make: cached((call) => (call.operation === 'latest' ? `${call.pool} ${call.inverted}` : undefined), 10),
    shows: (market) => [{ path: market.latest('HOUR') }, { path: market.latest('DAY') }],
  },
  {
    name: 'cache of days',
    title: 'Histories are cached for a minute by the days in which their range starts and ends',
    breaks: '§4.2 from: Start of range, Unix seconds.',
    make: cached(
      (call) =>
        call.operation === 'history'
          ? [call.pool, day(call.from), day(call.to), call.interval, call.inverted].join()
          : undefined,
      60,
    ),
    shows: ({ now, history }) => {
      const noon = day(now) * 86_400 - 43_200;
      return [7200, 10_800].map((back) => ({ path: history('HOUR', noon - back, noon) }));
    },
  },
  {
    name: 'late replica',
    title: 'Each second history comes from a replica that is a quarter of an hour late',
    breaks: practice,
    make: late,
    shows: newest('FIVEMIN', 5, '', 1, 2),
  },
  {
    name: 'bereft replica',
    title: 'Each third history comes from a replica without the trades of the day before yesterday',
    breaks: practice,
    make: bereft,
    shows: newest('HOUR', 72, '', 1, 3),
  },
  {
    name: 'pool of the request before',
    title: 'A latest candle names the pool of the request before on its connection',
    breaks: '§2.2 poolId: Pool identifier.',
    make: poolOfBefore,
    shows: ({ latest }) => [
      { path: latest('HOUR').replace('/0?', '/1?'), times: 3 },
      { path: latest('HOUR'), times: 3 },
    ],
  },
  {
    name: 'open candle hidden',
    title: 'In the first twenty seconds of a minute histories leave the open candle out',
    breaks: practice,
    make: hideOpen,
    shows: newest('HOUR', 5),
  },
  {
    name: 'short token list',
    title: 'Each second token list lacks its last token',
    breaks: practice,
    make: everyOf(2, 'tokens', (reply) =>
      withContent(reply, (JSON.parse(reply.body) as unknown[]).slice(0, -1)),
    ),
    shows: () => [{ path: '/tokens', times: 2 }],
  },
  {
    name: 'trades come late',
    title: 'A row that closed less than ten minutes ago holds nine tenths of its volume',
    breaks: '§2.2 volume: Sum of total volume traded over the INTERVAL.',
    make: changingRows(
      (rows, call) =>
        rows.map((row) => {
          const age = call.now - row.startTimestampSeconds - width(call);
          if (age < 0 || age >= 600) return row;
          const volumeUsd = (Number(row.volumeUsd) * 0.9).toFixed(2);
          return { ...row, volume: String((BigInt(row.volume) * 9n) / 10n), volumeUsd };
        }),
      ['history'],
    ),
    shows: newest('FIVEMIN', 5),
  },
  {
    name: 'rolling week',
    title: 'The latest week is the last seven days',
    breaks: '§2.2 startTimestampSeconds: Start of the INTERVAL (the weeks of a history begin otherwise).',
    make: eachRow(
      (row, call) =>
        call.interval === 'WEEK' ? { startTimestampSeconds: row.timestampSeconds - 604_800 } : {},
      ['latest'],
    ),
    shows: (market) => [{ path: market.latest('WEEK') }],
  },
]);
