import {
  changing,
  editRows,
  good,
  type OddRow,
  type ProxiedCall,
  type ProxyDistortion,
  withContent,
} from './fault.ts';
import { inTurn } from './remembering.ts';
import {
  askParts,
  keepRows,
  month,
  newest,
  numberSecond,
  partsOf,
  prices,
  rowsOf,
  width,
} from './row-faults.ts';

const plainPath = '/v2/pools/conversionRates/1';

/** Returns the hour that comes twice when summer time ends in Europe. */
function repeatedHour(year: number): number {
  const last = new Date(Date.UTC(year, 9, 31, 1));
  return last.getTime() / 1000 - last.getUTCDay() * 86_400;
}

/** Exchanges the address of some requests for a history. */
const readdressed =
  (change: (call: ProxiedCall) => string): (() => ProxyDistortion) =>
  () =>
  (call, ask) => {
    const url = call.operation === 'history' ? change(call) : call.url;
    return ask(url === call.url ? {} : { url });
  };

/** Gives five minutes of wide ranges the prices of their hours. */
const coarse: () => ProxyDistortion = () => async (call, ask) => {
  const reply = await ask();
  if (!good(call, reply) || call.operation !== 'history' || call.interval !== 'FIVEMIN') return reply;
  if (call.to - call.from <= 129_600) return reply;
  const hours = await askParts(call, ask, 'HOUR', rowsOf(reply));
  return editRows(reply, call, (rows) =>
    rows.map((row) => {
      const hour = hours.find((one) => partsOf(one, [row]).length);
      return hour ? { ...row, ...Object.fromEntries(prices.map((name) => [name, hour[name]])) } : row;
    }),
  );
};

/** Moves weeks, so that the first begins with the day of the range's start. */
function anchorWeeks(rows: readonly OddRow[], call: ProxiedCall): OddRow[] {
  const day = Math.floor(call.from / 86_400) * 86_400;
  const shift = (((day - (rows[0]?.startTimestampSeconds ?? day)) % 604_800) + 604_800) % 604_800;
  return rows.flatMap((row) => {
    const startTimestampSeconds = row.startTimestampSeconds + shift;
    const open = row.timestampSeconds - row.startTimestampSeconds < 604_800;
    const timestampSeconds = open ? row.timestampSeconds : row.timestampSeconds + shift;
    if (startTimestampSeconds >= timestampSeconds) return [];
    return [{ ...row, startTimestampSeconds, timestampSeconds: Math.min(timestampSeconds, call.now) }];
  });
}

/** Answers with the newest candle if the range has none. */
const nearest: () => ProxyDistortion = () => async (call, ask) => {
  const reply = await ask();
  if (!good(call, reply) || call.operation !== 'history' || rowsOf(reply).length) return reply;
  const query = `from=${call.now - 2 * width(call)}&to=${call.now}&interval=${call.interval}`;
  const rows = rowsOf(await ask({ url: `${call.url.split('?')[0]}?${query}&inverted=${call.inverted}` }));
  return withContent(reply, rows.slice(-1));
};

const oneEach = '§4.2: JSON array of candlestick records, one per INTERVAL in the range.';

/** Wrong for some ranges, directions and orders of parameters. */
export const secondRanges = numberSecond('E', 13, [
  {
    name: 'lost hour of the clock change',
    title: 'The hour in which summer time ends in Europe is missing among hours',
    breaks: oneEach,
    make: keepRows(
      (row, call) =>
        call.interval !== 'HOUR' ||
        row.startTimestampSeconds !==
          repeatedHour(new Date(row.startTimestampSeconds * 1000).getUTCFullYear()),
    ),
    shows: ({ now, history }) => {
      const hour = repeatedHour(new Date(now * 1000).getUTCFullYear());
      return [{ path: history('HOUR', hour - 7200, hour + 7200) }];
    },
  },
  {
    name: 'to before from',
    title: 'If to stands before from in the query, the range ends now',
    breaks: '§4.2 to: End of range, Unix seconds.',
    make: readdressed((call) =>
      /(^|&)to=.*&from=/.test(call.query) ? call.url.replace(/([?&]to=)\d+/, `$1${call.now}`) : call.url,
    ),
    shows: ({ now }) => [{ path: `${plainPath}?to=${now - 40_000}&from=${now - 80_000}&interval=HOUR` }],
  },
  {
    name: 'wide ranges are coarse',
    title: 'Five minutes in ranges of more than a day and a half have the prices of their hour',
    breaks: '§2.2 open: the first minutely observation in the INTERVAL.',
    make: inTurn(coarse),
    shows: newest('FIVEMIN', 450),
  },
  {
    name: 'weeks from the start of the range',
    title: 'Weeks are counted from the day in which the range starts',
    breaks: oneEach,
    make: changing(['history'], (reply, call) =>
      call.interval === 'WEEK' ? editRows(reply, call, anchorWeeks) : reply,
    ),
    shows: ({ now, history }) => [
      { path: history('WEEK', now - 15 * 86_400, now) },
      { path: history('WEEK', now - 16 * 86_400, now) },
    ],
  },
  {
    name: 'table of one month',
    title: 'A range over the end of a month has only the rows of the month of its first row',
    breaks: oneEach,
    make: keepRows(
      (row, _, rows) => month(row.startTimestampSeconds) === month(rows[0]?.startTimestampSeconds ?? 0),
    ),
    shows: newest('DAY', 35),
  },
  {
    name: 'no open candle inverted',
    title: 'Inverted histories leave the open candle out',
    breaks: oneEach,
    make: keepRows((row, call) => !call.inverted || row.startTimestampSeconds + width(call) <= call.now),
    shows: newest('HOUR', 5, '&inverted=true'),
  },
  {
    name: 'nearest candle',
    title: 'A range without a candle is answered with the newest candle',
    breaks: oneEach,
    make: inTurn(nearest),
    shows: ({ now, history }) => [{ path: history('HOUR', now + 40_000, now + 80_000) }],
  },
  {
    name: 'false is true',
    title: 'The parameter inverted=false inverts',
    breaks: '§4.2 inverted: boolean, default false.',
    make: readdressed((call) => call.url.replace('inverted=false', 'inverted=true')),
    shows: newest('HOUR', 5, '&inverted=false'),
  },
]);
