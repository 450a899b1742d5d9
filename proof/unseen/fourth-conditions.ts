import { changingRows, good, numberFaults, type OddRow, type ProxiedCall, withHeaders } from './fault.ts';
import { askingInstead, showTokens } from './part-faults.ts';
import { keepAnswers } from './remembering.ts';
import { changingAll, eachRow, keepRows, mapPrices, newest, width } from './row-faults.ts';

const day = 86_400;
const newYork = new Intl.DateTimeFormat('en', {
  timeZone: 'America/New_York',
  hour: 'numeric',
  hourCycle: 'h23',
});
const localHour = (time: number) => Number(newYork.format(time * 1000));

const isOpen = (row: OddRow, call: ProxiedCall) => row.startTimestampSeconds + width(call) > call.now;
const isOlder = (row: OddRow, call: ProxiedCall, days: number) =>
  row.timestampSeconds < call.now - days * day;

/** Leaves the rows of five minutes that are newer than that out of some answers. */
const lacking = (time: number, when: (call: ProxiedCall) => boolean) =>
  keepRows(
    (row, call) => call.interval !== 'FIVEMIN' || !when(call) || row.timestampSeconds <= call.now - time,
  );

export const fourthConditions = numberFaults('B', 13, [
  [
    'A day or week in which New York changes its clocks ends an hour off (§2.2 timestampSeconds)',
    eachRow(({ startTimestampSeconds: start, timestampSeconds: end }, call) =>
      width(call) >= day && end - start === width(call)
        ? { timestampSeconds: end + (localHour(start) - localHour(end)) * 3600 }
        : {},
    ),
    newest('DAY', 20),
  ],
  [
    'The cache of latest candles does not know inverted (§4.3 inverted)',
    keepAnswers(
      30,
      (call, reply) =>
        good(call, reply) && call.operation === 'latest' ? `${call.pool} ${call.interval}` : undefined,
      () => true,
    ),
    ({ latest }) => [{ path: latest('HOUR') }, { path: `${latest('HOUR')}&inverted=true` }],
  ],
  [
    'Days and weeks of pool 3 have base and quote the other way round (§4.2 inverted)',
    askingInstead(
      (call) => call.operation === 'history' && call.pool === 3 && width(call) >= day,
      (call) => ({ inverted: !call.inverted }),
    ),
    newest('DAY', 3, '', 3),
  ],
  [
    'Each fourth answer is of a replica ten minutes behind (§4.2 “one per INTERVAL in the range”)',
    lacking(600, ({ n }) => n % 4 === 3),
    newest('FIVEMIN', 6, '', 1, 4),
  ],
  [
    'A page of a hundred rows begins with the last row of the page before (§4.2 “one per INTERVAL”)',
    changingRows(
      (rows) => rows.flatMap((row, at) => [...(at && at % 100 === 0 ? rows.slice(at - 1, at) : []), row]),
      ['history'],
    ),
    newest('FIVEMIN', 150),
  ],
  [
    'After twenty requests, a third of the answers is of a version that stamps in milliseconds (§2.2 “in seconds”)',
    eachRow(({ timestampSeconds, startTimestampSeconds }, { n }) =>
      n > 20 && n % 3 === 0
        ? {
            timestampSeconds: timestampSeconds * 1000,
            startTimestampSeconds: startTimestampSeconds * 1000,
          }
        : {},
    ),
    newest('HOUR', 3, '', 1, 24),
  ],
  [
    'Eight rows of five minutes are missing after an outage two days ago (§4.2 “one per INTERVAL in the range”)',
    keepRows(({ startTimestampSeconds: start }, call) => {
      const isThatDay = Math.floor(call.now / day) - Math.floor(start / day) === 2;
      return call.interval !== 'FIVEMIN' || !isThatDay || start % day < 7200 || start % day >= 9600;
    }),
    ({ now, history }) => {
      const midnight = now - (now % day) - 2 * day;
      return [{ path: history('FIVEMIN', midnight + 3600, midnight + 4 * 3600) }];
    },
  ],
  [
    'The hour at four in the night is filled in afterwards, without volume (§2.2 volume)',
    eachRow((row, call) =>
      call.interval === 'HOUR' && row.startTimestampSeconds % day === 4 * 3600 && !isOpen(row, call)
        ? { volume: '0', volumeUsd: '0' }
        : {},
    ),
    newest('HOUR', 24),
  ],
  [
    'Rows of pool 3 older than a week have its number before a migration (§2.2 poolId)',
    eachRow((row, call) => (call.pool === 3 && isOlder(row, call, 7) ? { poolId: 1003 } : {})),
    newest('DAY', 12, '', 3),
  ],
  [
    'Hours of pool 1 older than three days have prices of two decimals more (§2.2 “in tinybars”)',
    eachRow((row, call) =>
      call.pool === 1 && call.interval === 'HOUR' && isOlder(row, call, 3)
        ? mapPrices(row, (price) => (call.inverted ? price / 100 : price * 100))
        : {},
    ),
    newest('HOUR', 100),
  ],
  [
    'A volume of 15 digits has an exponent (§2.2 “decimal text”)',
    eachRow(({ volume }) =>
      Number(volume) >= 1e14 ? { volume: Number(volume).toExponential().replace('e+', 'E') } : {},
    ),
    newest('WEEK', 2),
  ],
  [
    'To who accepts Brotli, rows are of a store 15 minutes behind (§4.2 “one per INTERVAL in the range”)',
    lacking(900, ({ headers }) => /\bbr\b/.test(String(headers['accept-encoding']))),
    (market) =>
      newest('FIVEMIN', 6)(market).map((shown) => ({ ...shown, headers: { 'accept-encoding': 'br, gzip' } })),
  ],
  [
    'inverted is read only if it is the last parameter (§4.2 inverted)',
    askingInstead(
      ({ inverted, query }) => inverted && !/inverted=[^&]*$/.test(query),
      () => ({ inverted: false }),
    ),
    newest('HOUR', 3, '&inverted=true&page=1'),
  ],
  [
    'Until half past, the open hour has the volume of the hour before too (§2.2 volume)',
    eachRow((row, call, rows, at) => {
      const before = rows[at - 1];
      if (!before || call.interval !== 'HOUR' || !isOpen(row, call) || call.now % 3600 >= 1800) return {};
      return { volume: String(Number(row.volume) + Number(before.volume)) };
    }),
    newest('HOUR', 3),
  ],
  [
    'Each repetition of a request adds the volume of the open candle again (§2.2 volume)',
    eachRow((row, call) =>
      isOpen(row, call) ? { volume: String(Number(row.volume) * (call.repeats + 1)) } : {},
    ),
    newest('HOUR', 3, '', 1, 2),
  ],
  [
    'Each fifth answer is of a node that counts only its own requests (§8 x-ratelimit-remaining)',
    changingAll((reply, { n }) =>
      n % 5
        ? reply
        : withHeaders(reply, {
            'x-ratelimit-remaining': String(Number(reply.headers['x-ratelimit-limit']) - n / 5),
          }),
    ),
    showTokens({}, 6),
  ],
  [
    'Inverted volumes are in units of the other token (§2.2 “in tinybars”)',
    eachRow(({ volume, close }, { inverted }) =>
      inverted ? { volume: String(Math.round(Number(volume) / close)) } : {},
    ),
    newest('DAY', 3, '&inverted=true'),
  ],
  [
    'To who reads German, amounts in dollars have a decimal comma (§2.2 “decimal text”)',
    eachRow(({ volumeUsd, liquidityUsd }, { headers }) =>
      /^de/.test(String(headers['accept-language']))
        ? { volumeUsd: volumeUsd.replace('.', ','), liquidityUsd: liquidityUsd.replace('.', ',') }
        : {},
    ),
    (market) =>
      newest('HOUR', 3)(market).map((shown) => ({ ...shown, headers: { 'accept-language': 'de-CH' } })),
  ],
]);
