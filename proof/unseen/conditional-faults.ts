import {
  changing,
  changingRows,
  editRows,
  good,
  numberFaults,
  type OddRow,
  type ProxiedCall,
  seconds,
  type UnseenEntry,
  type UnseenFault,
  withoutHeaders,
} from './fault.ts';
import { keepErrorsType, repeatCounters } from './remembering.ts';

const span =
  (interval: string, rows: number, more = '', pool = 1): UnseenFault['shows'] =>
  ({ now, history }) => [{ path: history(interval, now - rows * (seconds[interval] ?? 0), now, more, pool) }];

const rowsThat = (
  when: (row: OddRow, call: ProxiedCall, at: number) => boolean,
  change: (row: OddRow) => Partial<OddRow>,
) =>
  changingRows((rows, call) =>
    rows.map((row, at) => (when(row, call, at) ? { ...row, ...change(row) } : row)),
  );

const plainUrl = (call: ProxiedCall) => call.url.replace(/([?&])inverted=[^&]*&?/, '$1');
const hourOfDay = (row: OddRow) => (row.startTimestampSeconds % 86_400) / 3600;
const weekday = (row: OddRow) => new Date(row.startTimestampSeconds * 1000).getUTCDay();
const times = (text: string, factor: number) => (Number(text) * factor).toFixed(2);

/** Copies values of the row before; the first row keeps its own. */
const likeBefore = (when: (row: OddRow, call: ProxiedCall) => boolean, fields: readonly (keyof OddRow)[]) =>
  changingRows((rows, call) =>
    rows.map((row, at) => {
      const before = rows[at - 1];
      if (!before || !when(row, call)) return row;
      return { ...row, ...Object.fromEntries(fields.map((field) => [field, before[field]])) };
    }),
  );

const conditional: readonly UnseenEntry[] = [
  [
    'Weeks are never inverted',
    () => (call, ask) => ask(call.interval === 'WEEK' && call.inverted ? { url: plainUrl(call) } : {}),
    span('WEEK', 3, '&inverted=true'),
  ],
  [
    'Inverted candles have the liquidity of the row before',
    likeBefore((_, call) => call.inverted, ['liquidity', 'liquidityUsd']),
    span('HOUR', 5, '&inverted=true'),
  ],
  [
    'Of more than 200 rows each hundredth is lost',
    changingRows((rows) => (rows.length > 200 ? rows.filter((_, at) => at % 100 !== 99) : rows)),
    span('FIVEMIN', 300),
  ],
  [
    'The first five minutes of an hour have no volume',
    rowsThat(
      (row, call) => call.interval === 'FIVEMIN' && row.startTimestampSeconds % 3600 === 0,
      () => ({ volume: '0', volumeUsd: '0' }),
    ),
    span('FIVEMIN', 15),
  ],
  [
    'The hour after midnight repeats the prices of the hour before',
    likeBefore(
      (row, call) => call.interval === 'HOUR' && hourOfDay(row) === 0,
      ['open', 'high', 'low', 'close', 'avg'],
    ),
    span('HOUR', 30),
  ],
  [
    'Compressed histories lose their last row',
    changingRows(
      (rows, call) =>
        rows.length > 1 && /gzip/.test(call.headers['accept-encoding'] ?? '') ? rows.slice(0, -1) : rows,
      ['history'],
    ),
    (market) =>
      span('HOUR', 30)(market).map((request) => ({ ...request, headers: { 'accept-encoding': 'gzip' } })),
  ],
  [
    'Browsers see no quota headers',
    changing(['tokens', 'history', 'latest'], (reply, call) =>
      /Mozilla/.test(call.headers['user-agent'] ?? '') ? withoutHeaders(reply, 'x-ratelimit-') : reply,
    ),
    () => [{ path: '/tokens', headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64)' } }],
  ],
  [
    'A good answer after an error has the content type of the error',
    keepErrorsType,
    () => [{ path: '/tokens', key: '' }, { path: '/tokens' }],
  ],
  [
    'Liquidity in USD is 0 in the first ten answers',
    rowsThat(
      (_, call) => call.n <= 10,
      () => ({ liquidityUsd: '0' }),
    ),
    span('HOUR', 5),
  ],
  [
    'A repeated request shows the requests left of the first time',
    repeatCounters,
    () => [{ path: '/tokens', times: 2 }],
  ],
  [
    'Inverted as the first parameter is ignored',
    () => (call, ask) => ask(call.inverted && /^inverted=/.test(call.query) ? { url: plainUrl(call) } : {}),
    ({ now }) => [
      {
        path: `/v2/pools/conversionRates/1?inverted=true&from=${now - 20_000}&to=${now}&interval=HOUR`,
      },
    ],
  ],
  [
    'A percent-encoded interval is served as days',
    () => (call, ask) =>
      ask(
        /interval=[^&]*%/.test(call.query) ? { url: call.url.replace(/interval=[^&]*/, 'interval=DAY') } : {},
      ),
    ({ now }) => [{ path: `/v2/pools/conversionRates/1?from=${now - 90_000}&to=${now}&interval=%48OUR` }],
  ],
  [
    'Volume of pool 3 in USD contains a fee of 3 %',
    rowsThat(
      (_, call) => call.pool === 3,
      (row) => ({ volumeUsd: times(row.volumeUsd, 1.03) }),
    ),
    span('HOUR', 5, '', 3),
  ],
  [
    'A history of one row is not in an array',
    changing(['history'], (reply) => {
      const rows = JSON.parse(reply.body) as OddRow[];
      return rows.length === 1 ? { ...reply, body: JSON.stringify(rows[0]) } : reply;
    }),
    ({ now, history }) => [{ path: history('HOUR', now - (now % 3600), now - (now % 3600)) }],
  ],
  [
    'The first of several rows holds half its volume',
    changingRows(
      (rows) =>
        rows.map((row, at) =>
          at === 0 && rows.length > 1
            ? { ...row, volume: String(BigInt(row.volume) / 2n), volumeUsd: times(row.volumeUsd, 0.5) }
            : row,
        ),
      ['history'],
    ),
    span('HOUR', 5),
  ],
  [
    'Five minutes older than five days average open and close',
    rowsThat(
      (row, call) => call.interval === 'FIVEMIN' && row.timestampSeconds < call.now - 5 * 86_400,
      (row) => ({ avg: (row.open + row.close) / 2 }),
    ),
    ({ now, history }) => [{ path: history('FIVEMIN', now - 520_000, now - 500_000) }],
  ],
  [
    'The latest day has the high and low of the latest hour',
    () => async (call, ask) => {
      const reply = await ask();
      if (!good(call, reply) || call.operation !== 'latest' || call.interval !== 'DAY') return reply;
      const hour = JSON.parse((await ask({ url: call.url.replace('DAY', 'HOUR') })).body) as OddRow;
      return editRows(reply, call, (rows) => rows.map((row) => ({ ...row, high: hour.high, low: hour.low })));
    },
    (market) => [{ path: market.latest('DAY') }],
  ],
  [
    'Sundays are missing among days',
    changingRows(
      (rows, call) => (call.interval === 'DAY' ? rows.filter((row) => weekday(row) !== 0) : rows),
      ['history'],
    ),
    span('DAY', 9),
  ],
];

/** Wrong only under a condition. */
export const conditionalFaults = numberFaults('B', 13, conditional);
