import { changingRows, good, numberFaults, type OddRow, type ProxyDistortion, withContent } from './fault.ts';
import { eachRow, keepRows, mapPrices, newest, width } from './second-fault.ts';
import { changingTokens, showTokens, withParts } from './third-fault.ts';

const monthStart = Date.UTC(2026, 10, 1) / 1000;

const daysOff = (row: OddRow) => new Date(row.startTimestampSeconds * 1000).getUTCDate() - 1;

/** Splits a candle where a month begins within it, each part with its share of the time. */
function splitByMonth(row: OddRow): OddRow[] {
  const last = new Date(row.timestampSeconds * 1000 - 1);
  const border = Date.UTC(last.getUTCFullYear(), last.getUTCMonth()) / 1000;
  if (border <= row.startTimestampSeconds) return [row];
  const share = (border - row.startTimestampSeconds) / (row.timestampSeconds - row.startTimestampSeconds);
  const volume = Math.round(Number(row.volume) * share);
  const volumeUsd = Number(row.volumeUsd) * share;
  return [
    { ...row, timestampSeconds: border, volume: String(volume), volumeUsd: volumeUsd.toFixed(2) },
    {
      ...row,
      startTimestampSeconds: border,
      volume: String(Number(row.volume) - volume),
      volumeUsd: (Number(row.volumeUsd) - volumeUsd).toFixed(2),
    },
  ];
}

/** Gives the latest day and week the price that the current hour began with. */
const refreshHourly = (): ProxyDistortion => async (call, ask) => {
  const reply = await ask();
  if (!good(call, reply) || call.operation !== 'latest' || width(call) < 86_400) return reply;
  const hour = await ask({ url: call.url.replace(/DAY|WEEK/, 'HOUR') });
  const { open: close } = JSON.parse(hour.body) as OddRow;
  return withContent(reply, { ...(JSON.parse(reply.body) as OddRow), close });
};

export const thirdConditions = numberFaults('B', 13, [
  [
    'The average of an unfinished candle is divided by the minutes of a whole one (§2.2 avg)',
    eachRow(({ avg, startTimestampSeconds, timestampSeconds }, call) => {
      const passed = timestampSeconds - startTimestampSeconds;
      return { avg: passed < width(call) ? (avg * (passed + 60)) / width(call) : avg };
    }),
    newest('HOUR', 2),
  ],
  [
    'Prices of days and weeks are stored with four decimals (§2.2 high, low)',
    eachRow((row, call) =>
      width(call) >= 86_400 ? mapPrices(row, (price) => Number(price.toFixed(4))) : {},
    ),
    newest('DAY', 2),
  ],
  [
    'The day on which clocks go back in New York has 25 hours (§2.2 timestampSeconds)',
    eachRow(({ startTimestampSeconds: start, timestampSeconds: end }, { interval }) => ({
      timestampSeconds: interval === 'DAY' && start === monthStart ? end + 3600 : end,
    })),
    newest('DAY', 20),
  ],
  [
    'A week across the end of a month comes once from the table of each month (§4.2 one per INTERVAL)',
    changingRows(
      (rows, { interval }) => (interval === 'WEEK' ? rows.flatMap(splitByMonth) : rows),
      ['history'],
    ),
    newest('WEEK', 5),
  ],
  [
    'The first five minutes of a month lie in no table (§4.2 one per INTERVAL)',
    keepRows(
      (row, { interval }) =>
        interval !== 'FIVEMIN' || daysOff(row) > 0 || row.startTimestampSeconds % 86_400 > 0,
    ),
    ({ history }) => [{ path: history('FIVEMIN', monthStart - 600, monthStart + 600) }],
  ],
  [
    'A range that ends in the future is filled up with candles at the last price (§2.2 open)',
    changingRows(
      (rows, call) => {
        const filled = [...rows];
        for (let last = rows.at(-1); last && filled.length < 500; last = filled.at(-1)) {
          const startTimestampSeconds = last.startTimestampSeconds + width(call);
          if (startTimestampSeconds > call.to || call.to <= call.now + 60) break;
          const timestampSeconds = startTimestampSeconds + width(call);
          const flat = mapPrices(last, () => last.close);
          filled.push({
            ...last,
            ...flat,
            volume: '0',
            volumeUsd: '0',
            startTimestampSeconds,
            timestampSeconds,
          });
        }
        return filled;
      },
      ['history'],
    ),
    ({ now, history }) => [{ path: history('HOUR', now - 7200, now + 36_000) }],
  ],
  [
    'A candle that ends at midnight has the date on which it began (§2.2 timestampSeconds)',
    eachRow(({ timestampSeconds: end }, call) => ({
      timestampSeconds: width(call) < 86_400 && end % 86_400 === 0 ? end - 86_400 : end,
    })),
    newest('HOUR', 20),
  ],
  [
    'The sum over no trades is null (§2.2 volume)',
    eachRow(({ volume }) =>
      volume === '0' ? (JSON.parse('{"volume":null,"volumeUsd":null}') as Partial<OddRow>) : {},
    ),
    newest('FIVEMIN', 100, '', 3),
  ],
  [
    'The average of a candle without trades is 0 (§2.2 avg)',
    eachRow(({ volume, avg }) => ({ avg: volume === '0' ? 0 : avg })),
    newest('FIVEMIN', 100, '', 3),
  ],
  [
    'Every hundredth candle is lost between two pages (§4.2 one per INTERVAL)',
    changingRows((rows) => rows.filter((_, at) => at % 100 < 99), ['history']),
    newest('FIVEMIN', 120),
  ],
  [
    'Days in the archive, older than two weeks, hold volume in whole coins (§2.2 volume, tinybars)',
    eachRow(({ volume, timestampSeconds }, { interval, now }) => {
      const archived = interval === 'DAY' && timestampSeconds < now - 14 * 86_400;
      return { volume: archived ? (Number(volume) / 1e8).toFixed(8) : volume };
    }),
    newest('DAY', 20),
  ],
  [
    'The last five minutes of an hour lack the trades that arrive late (§2.2 volume)',
    eachRow(({ volume, timestampSeconds }, { interval }) => {
      const late = interval === 'FIVEMIN' && timestampSeconds % 3600 === 0;
      return { volume: late ? String(Math.round(Number(volume) * 0.9)) : volume };
    }),
    newest('FIVEMIN', 14),
  ],
  [
    'The first candle is computed from the minutes after from only (§2.2 open, volume)',
    withParts((row, all, from) => {
      const parts = all.filter(({ startTimestampSeconds: start }) => start >= from);
      const [first] = parts;
      if (!first || row.startTimestampSeconds >= from) return {};
      return {
        open: first.open,
        high: Math.max(...parts.map(({ high }) => high)),
        low: Math.min(...parts.map(({ low }) => low)),
        avg: parts.reduce((sum, { avg }) => sum + avg, 0) / parts.length,
        volume: String(parts.reduce((sum, { volume }) => sum + Number(volume), 0)),
        volumeUsd: parts.reduce((sum, { volumeUsd }) => sum + Number(volumeUsd), 0).toFixed(2),
      };
    }),
    ({ history }) => [{ path: history('HOUR', 1794738000, 1794744000) }],
  ],
  [
    'Pools created later hold their liquidity in cents (§2.2 liquidityUsd)',
    eachRow(({ liquidityUsd, poolId }) => ({
      liquidityUsd: poolId > 2 ? (Number(liquidityUsd) * 100).toFixed(0) : liquidityUsd,
    })),
    newest('HOUR', 2, '', 3),
  ],
  [
    'In the first minute of its interval the latest candle is all zeros (§2.2 open)',
    eachRow(
      (row, call) =>
        call.now % width(call) < 60 ? { ...mapPrices(row, () => 0), volume: '0', volumeUsd: '0' } : {},
      ['latest'],
    ),
    ({ latest }) => [{ path: latest('FIVEMIN') }],
  ],
  [
    'The latest day and week keep the close of the last full hour (§2.2 close)',
    refreshHourly,
    ({ latest }) => [{ path: latest('DAY') }],
  ],
  [
    'Prices of tokens from 1e16 on have an exponent (§2.1 decimal text)',
    changingTokens((tokens) =>
      tokens.map((token) => {
        const price = Number(token.price);
        return price >= 1e16 ? { ...token, price: price.toExponential() } : token;
      }),
    ),
    showTokens(),
  ],
  [
    'Icons of newer tokens have the address of another host (§2.1 icon)',
    changingTokens((tokens) =>
      tokens.map((token) =>
        Number(token.id.split('.')[2]) > 1_000_000
          ? { ...token, icon: `https://cdn.invalid${token.icon}` }
          : token,
      ),
    ),
    showTokens(),
  ],
]);
