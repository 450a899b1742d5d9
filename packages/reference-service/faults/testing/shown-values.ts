import {
  DAYS,
  HOURS,
  hours,
  inverted,
  LATEST,
  MINUTES,
  near,
  QUIET,
  rowwise,
  type ShownFaults,
  TOKENS,
  WEEKS,
} from './shown.ts';

const FIRST_OF_WEEK = 345_600;

export const SHOWN_VALUES: ShownFaults = {
  F31: {
    at: [LATEST],
    not: [TOKENS],
    sees: rowwise((a) => a.avg === a.close * (a.timestampSeconds - a.startTimestampSeconds)),
  },
  F32: {
    at: [HOURS],
    not: [TOKENS],
    sees: rowwise((a) => a.avg === (a.open + a.high + a.low + a.close) / 4),
  },
  F33: { at: [LATEST], not: [MINUTES], sees: rowwise((a, b) => a.avg !== b.avg && a.open === b.open) },
  F34: { at: [HOURS], not: [TOKENS], sees: rowwise((a, b) => a.avg === b.avg + 1) },
  F35: { at: [HOURS], not: [MINUTES], sees: rowwise((a, b) => a.avg !== b.avg && a.avg < b.high) },
  F66: { at: [inverted(HOURS)], not: [HOURS, LATEST], sees: rowwise((a, b) => near(a.open * b.open, 1)) },
  F187: {
    at: [inverted(DAYS)],
    not: [DAYS, inverted(HOURS)],
    sees: rowwise((a, b) => near(a.open, 1.5 * b.open)),
  },
  F188: {
    at: [inverted(HOURS)],
    not: [HOURS],
    sees: rowwise((a, b) => near(a.close, 1.001 * b.close)),
  },
  F189: {
    at: [inverted(HOURS)],
    not: [HOURS],
    sees: rowwise((a) => a.high === Number(a.high.toPrecision(3))),
  },
  F190: { at: [HOURS], not: [DAYS], sees: rowwise((a) => a.volumeUsd === '0') },
  F191: {
    at: [LATEST.replace('HOUR', 'WEEK')],
    not: [LATEST, WEEKS],
    sees: rowwise((a, b) => near(Number(a.volumeUsd), 10 * Number(b.volumeUsd))),
  },
  F67: {
    at: [inverted(LATEST)],
    not: [HOURS, LATEST],
    sees: rowwise((a, b) => a.high === b.low && a.low === b.high),
  },
  F68: {
    at: [inverted(LATEST)],
    not: [HOURS, LATEST],
    sees: rowwise((a, b) => a.close === b.close && near(a.open * b.open, 1)),
  },
  F69: {
    at: [inverted(HOURS)],
    not: [HOURS, LATEST],
    sees: rowwise((a, b) => a.close === b.close && a.avg <= b.avg),
  },
  F70: {
    at: [inverted(LATEST)],
    not: [HOURS, LATEST],
    sees: rowwise((a, b) => a.close === b.close && a.avg < a.low),
  },
  F71: {
    at: [inverted(LATEST)],
    not: [HOURS, LATEST],
    sees: rowwise((a, b) => near(Number(a.liquidity) / Number(b.liquidity), b.close)),
  },
  F72: {
    at: [inverted(LATEST)],
    not: [HOURS, LATEST],
    sees: rowwise((a, b) => near(a.close * b.close, -1) && a.high >= a.low),
  },
  F73: {
    at: [inverted(HOURS)],
    not: [HOURS, LATEST],
    sees: rowwise((a, b) => near(a.close * b.avg, b.close)),
  },
  F74: {
    at: [`${LATEST}&inverted=false`],
    not: [HOURS, LATEST, inverted(LATEST)],
    sees: rowwise((a, b) => near(a.close * b.close, 1)),
  },
  F75: { at: [inverted(HOURS)], not: [inverted(LATEST)], sees: rowwise((a, b) => near(a.open * b.open, 1)) },
  F76: { at: [TOKENS], not: [LATEST], sees: /"decimals":6,"price":"\d{10,}00000000"/ },
  F77: {
    at: [LATEST],
    not: [TOKENS],
    sees: rowwise((a, b) => near(Number(a.volume) * 1e8, Number(b.volume))),
  },
  F78: {
    at: [LATEST],
    not: [TOKENS],
    sees: rowwise(
      (a, b) => a.liquidityUsd === b.liquidityUsd && Number(a.liquidity) * 2 >= Number(b.liquidity),
    ),
  },
  F79: { at: [DAYS], not: [HOURS], sees: rowwise((a, b) => Number(a.volume) === 2 * Number(b.volume)) },
  F182: {
    at: [HOURS.replace('Rates/1', 'Rates/3')],
    not: [HOURS],
    sees: (sick, { rows }) =>
      sick.rows.some((row, at) => Number(row.volumeUsd) > Number(rows[at]?.volumeUsd)),
  },
  F185: {
    at: [HOURS],
    not: [LATEST],
    sees: (sick, { rows }) => sick.rows.some((row, at) => row.liquidityUsd !== rows[at]?.liquidityUsd),
  },
  F80: {
    at: [HOURS],
    not: [TOKENS],
    sees: ({ rows }, { rows: healthy }) =>
      rows.every(
        (row, index) =>
          index === 0 ||
          BigInt(row.volume) === BigInt(rows[index - 1]?.volume ?? 0) + BigInt(healthy[index]?.volume ?? 0),
      ),
  },
  F81: { at: [HOURS], not: [TOKENS], sees: /"volume":"\d+\.\d{2,}"/ },
  F82: {
    at: [`/v2/pools/conversionRates/1?interval=DAY&from=1794873600&to=1795132800`],
    not: [HOURS, WEEKS],
    sees: ({ rows }, healthy) =>
      rows.filter((row, index) => row.volume === `${healthy.rows[index]?.volume}000`).length === 1,
  },
  F83: {
    at: [HOURS],
    not: [TOKENS],
    sees: (sick, healthy) =>
      BigInt(sick.rows[0]?.liquidity ?? 0) === 60n * BigInt(healthy.rows[0]?.liquidity ?? 1),
  },
  F84: {
    at: [HOURS],
    not: [TOKENS],
    sees: rowwise((a, b) => a.liquidity !== b.liquidity && a.volume === b.volume),
  },
  F85: {
    at: [HOURS],
    not: [TOKENS],
    sees: rowwise((a, b) => a.volumeUsd !== b.volumeUsd && a.liquidityUsd === b.liquidityUsd),
  },
  F86: {
    at: [LATEST],
    not: [TOKENS],
    sees: rowwise((a, b) => Math.abs(Number(a.liquidityUsd) - 1.07 * Number(b.liquidityUsd)) < 0.01),
  },
  F86b: {
    at: [HOURS],
    not: [LATEST],
    sees: ({ rows }, healthy) => rows[5]?.volumeUsd === healthy.rows[4]?.volumeUsd,
  },
  F87: {
    at: [HOURS, { target: HOURS, later: 60 }],
    not: [TOKENS],
    sees: rowwise((a, b) => near(a.open, b.open * (1 + 38e-4))),
  },
  F88: { at: [LATEST], not: [TOKENS], sees: /"open":0\.0\d{3,4},"high":0\.0\d{3,4},"low"/ },
  F88b: { at: [LATEST], not: [TOKENS], sees: rowwise((a, b) => a.open === Math.fround(b.open)) },
  F130: {
    at: [`/v2/pools/conversionRates/1?interval=DAY&from=${FIRST_OF_WEEK + 1_794_355_200}&to=1795219200`],
    not: [HOURS, LATEST],
    sees: ({ rows }) => {
      const [first, last] = [rows[0]?.close ?? 0, rows.at(-1)?.close ?? 0];
      return Math.abs(Math.log(first * last)) < 1 && Math.abs(Math.log(first / last)) > 1;
    },
  },
  F134: {
    at: [HOURS],
    not: [TOKENS],
    sees: rowwise((a, b) => BigInt(a.volume) === BigInt(b.volume) % (1n << 32n)),
  },
  F142: {
    at: [inverted(HOURS)],
    not: [HOURS, inverted(LATEST)],
    sees: (a, b) => a.rows.length === b.rows.length - 1,
  },
  F143: {
    at: [inverted(LATEST)],
    not: [HOURS, LATEST],
    sees: rowwise((a, b) => near(a.high, b.high * 1.001) && a.low === b.low),
  },
  F144: {
    at: [inverted(HOURS)],
    not: [HOURS, LATEST],
    sees: rowwise((a, b) => a.avg === b.open && a.avg !== b.avg),
  },
  F145: {
    at: [inverted(LATEST)],
    not: [HOURS, LATEST],
    sees: rowwise((a, b) => a.liquidityUsd !== b.liquidityUsd && a.liquidity === b.liquidity),
  },
  F151: { at: [QUIET], not: [HOURS, TOKENS], sees: /"volume":"0",[^}]*"volumeUsd":"1"/ },
  F177: {
    at: [HOURS],
    not: [LATEST, MINUTES, hours(-90_000, -7200)],
    sees: ({ rows }, healthy) => Number(rows.at(-1)?.volume) === 2 * Number(healthy.rows.at(-1)?.volume),
  },
  F178: {
    at: [inverted(HOURS)],
    not: [HOURS, inverted(LATEST)],
    sees: ({ rows }, healthy) =>
      near((rows.at(-1)?.open ?? 0) * (healthy.rows.at(-1)?.open ?? 0), 1) &&
      rows[0]?.open === healthy.rows[0]?.open,
  },
  F179: {
    at: [WEEKS],
    not: [HOURS, LATEST],
    sees: rowwise((a) => a.avg === (a.open + a.high + a.low + a.close) / 4),
  },
  F175: {
    at: [LATEST.replace('HOUR', 'DAY')],
    not: [LATEST, DAYS],
    sees: rowwise((a, b) => near(Number(a.volumeUsd), Math.round(Number(b.volumeUsd)) / 100)),
  },
  F162: {
    at: [WEEKS.replace(/from=\d+/, 'from=1793000000')],
    not: [HOURS, DAYS, LATEST],
    sees: ({ rows }, healthy) =>
      rows.filter((row, index) => row.volume.length < (healthy.rows[index]?.volume.length ?? 0) - 7)
        .length === 1,
  },
  F163: {
    at: [LATEST],
    not: [HOURS, TOKENS],
    sees: rowwise((a, b) => a.close !== b.close && a.volume === b.volume && a.liquidity === b.liquidity),
  },
  F164: {
    at: [QUIET],
    not: [HOURS, LATEST],
    sees: rowwise((a, b) => a.volume !== b.volume || a.volume === '0' || a.close === b.close),
  },
  F135: { at: [HOURS], not: [LATEST, hours(-90_000, -7200)], sees: ({ rows }) => ends(rows) === 'earlier' },
  F160: {
    at: Array.from({ length: 101 }, () => LATEST),
    not: Array.from({ length: 100 }, () => LATEST),
    sees: rowwise((a, b) => a.high === b.low && a.low === b.high),
  },
};

function ends(rows: readonly { readonly timestampSeconds: number }[]): string {
  return rows.at(-1)?.timestampSeconds === Date.UTC(2026, 10, 21, 11, 22) / 1000 ? 'earlier' : 'now';
}
