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
  F31: [
    [LATEST],
    [TOKENS],
    rowwise((a) => a.avg === a.close * (a.timestampSeconds - a.startTimestampSeconds)),
  ],
  F32: [[HOURS], [TOKENS], rowwise((a) => a.avg === (a.open + a.high + a.low + a.close) / 4)],
  F33: [[LATEST], [MINUTES], rowwise((a, b) => a.avg !== b.avg && a.open === b.open)],
  F34: [[HOURS], [TOKENS], rowwise((a, b) => a.avg === b.avg + 1)],
  F35: [[HOURS], [MINUTES], rowwise((a, b) => a.avg !== b.avg && a.avg < b.high)],
  F66: [[inverted(HOURS)], [HOURS, LATEST], rowwise((a, b) => near(a.open * b.open, 1))],
  F187: [[inverted(DAYS)], [DAYS, inverted(HOURS)], rowwise((a, b) => near(a.open, 1.5 * b.open))],
  F188: [[inverted(HOURS)], [HOURS], rowwise((a, b) => near(a.close, 1.001 * b.close))],
  F189: [[inverted(HOURS)], [HOURS], rowwise((a) => a.high === Number(a.high.toPrecision(3)))],
  F190: [[HOURS], [DAYS], rowwise((a) => a.volumeUsd === '0')],
  F191: [
    [LATEST.replace('HOUR', 'WEEK')],
    [LATEST, WEEKS],
    rowwise((a, b) => near(Number(a.volumeUsd), 10 * Number(b.volumeUsd))),
  ],
  F67: [[inverted(LATEST)], [HOURS, LATEST], rowwise((a, b) => a.high === b.low && a.low === b.high)],
  F68: [
    [inverted(LATEST)],
    [HOURS, LATEST],
    rowwise((a, b) => a.close === b.close && near(a.open * b.open, 1)),
  ],
  F69: [[inverted(HOURS)], [HOURS, LATEST], rowwise((a, b) => a.close === b.close && a.avg <= b.avg)],
  F70: [[inverted(LATEST)], [HOURS, LATEST], rowwise((a, b) => a.close === b.close && a.avg < a.low)],
  F71: [
    [inverted(LATEST)],
    [HOURS, LATEST],
    rowwise((a, b) => near(Number(a.liquidity) / Number(b.liquidity), b.close)),
  ],
  F72: [
    [inverted(LATEST)],
    [HOURS, LATEST],
    rowwise((a, b) => near(a.close * b.close, -1) && a.high >= a.low),
  ],
  F73: [[inverted(HOURS)], [HOURS, LATEST], rowwise((a, b) => near(a.close * b.avg, b.close))],
  F74: [
    [`${LATEST}&inverted=false`],
    [HOURS, LATEST, inverted(LATEST)],
    rowwise((a, b) => near(a.close * b.close, 1)),
  ],
  F75: [[inverted(HOURS)], [inverted(LATEST)], rowwise((a, b) => near(a.open * b.open, 1))],
  F76: [[TOKENS], [LATEST], /"decimals":6,"price":"\d{10,}00000000"/],
  F77: [[LATEST], [TOKENS], rowwise((a, b) => near(Number(a.volume) * 1e8, Number(b.volume)))],
  F78: [
    [LATEST],
    [TOKENS],
    rowwise((a, b) => a.liquidityUsd === b.liquidityUsd && Number(a.liquidity) * 2 >= Number(b.liquidity)),
  ],
  F79: [[DAYS], [HOURS], rowwise((a, b) => Number(a.volume) === 2 * Number(b.volume))],
  F182: [
    [HOURS.replace('Rates/1', 'Rates/3')],
    [HOURS],
    (sick, { rows }) => sick.rows.some((row, at) => Number(row.volumeUsd) > Number(rows[at]?.volumeUsd)),
  ],
  F185: [
    [HOURS],
    [LATEST],
    (sick, { rows }) => sick.rows.some((row, at) => row.liquidityUsd !== rows[at]?.liquidityUsd),
  ],
  F80: [
    [HOURS],
    [TOKENS],
    ({ rows }, { rows: healthy }) =>
      rows.every(
        (row, index) =>
          index === 0 ||
          BigInt(row.volume) === BigInt(rows[index - 1]?.volume ?? 0) + BigInt(healthy[index]?.volume ?? 0),
      ),
  ],
  F81: [[HOURS], [TOKENS], /"volume":"\d+\.\d{2,}"/],
  F82: [
    [`/v2/pools/conversionRates/1?interval=DAY&from=1794873600&to=1795132800`],
    [HOURS, WEEKS],
    ({ rows }, healthy) =>
      rows.filter((row, index) => row.volume === `${healthy.rows[index]?.volume}000`).length === 1,
  ],
  F83: [
    [HOURS],
    [TOKENS],
    (sick, healthy) => BigInt(sick.rows[0]?.liquidity ?? 0) === 60n * BigInt(healthy.rows[0]?.liquidity ?? 1),
  ],
  F84: [[HOURS], [TOKENS], rowwise((a, b) => a.liquidity !== b.liquidity && a.volume === b.volume)],
  F85: [
    [HOURS],
    [TOKENS],
    rowwise((a, b) => a.volumeUsd !== b.volumeUsd && a.liquidityUsd === b.liquidityUsd),
  ],
  F86: [
    [LATEST],
    [TOKENS],
    rowwise((a, b) => Math.abs(Number(a.liquidityUsd) - 1.07 * Number(b.liquidityUsd)) < 0.01),
  ],
  F86b: [[HOURS], [LATEST], ({ rows }, healthy) => rows[5]?.volumeUsd === healthy.rows[4]?.volumeUsd],
  F87: [
    [HOURS, { target: HOURS, later: 60 }],
    [TOKENS],
    rowwise((a, b) => near(a.open, b.open * (1 + 38e-4))),
  ],
  F88: [[LATEST], [TOKENS], /"open":0\.0\d{3,4},"high":0\.0\d{3,4},"low"/],
  F88b: [[LATEST], [TOKENS], rowwise((a, b) => a.open === Math.fround(b.open))],
  F130: [
    [`/v2/pools/conversionRates/1?interval=DAY&from=${FIRST_OF_WEEK + 1_794_355_200}&to=1795219200`],
    [HOURS, LATEST],
    ({ rows }) => {
      const [first, last] = [rows[0]?.close ?? 0, rows.at(-1)?.close ?? 0];
      return Math.abs(Math.log(first * last)) < 1 && Math.abs(Math.log(first / last)) > 1;
    },
  ],
  F134: [[HOURS], [TOKENS], rowwise((a, b) => BigInt(a.volume) === BigInt(b.volume) % (1n << 32n))],
  F142: [[inverted(HOURS)], [HOURS, inverted(LATEST)], (a, b) => a.rows.length === b.rows.length - 1],
  F143: [
    [inverted(LATEST)],
    [HOURS, LATEST],
    rowwise((a, b) => near(a.high, b.high * 1.001) && a.low === b.low),
  ],
  F144: [[inverted(HOURS)], [HOURS, LATEST], rowwise((a, b) => a.avg === b.open && a.avg !== b.avg)],
  F145: [
    [inverted(LATEST)],
    [HOURS, LATEST],
    rowwise((a, b) => a.liquidityUsd !== b.liquidityUsd && a.liquidity === b.liquidity),
  ],
  F151: [[QUIET], [HOURS, TOKENS], /"volume":"0",[^}]*"volumeUsd":"1"/],
  F177: [
    [HOURS],
    [LATEST, MINUTES, hours(-90_000, -7200)],
    ({ rows }, healthy) => Number(rows.at(-1)?.volume) === 2 * Number(healthy.rows.at(-1)?.volume),
  ],
  F178: [
    [inverted(HOURS)],
    [HOURS, inverted(LATEST)],
    ({ rows }, healthy) =>
      near((rows.at(-1)?.open ?? 0) * (healthy.rows.at(-1)?.open ?? 0), 1) &&
      rows[0]?.open === healthy.rows[0]?.open,
  ],
  F179: [[WEEKS], [HOURS, LATEST], rowwise((a) => a.avg === (a.open + a.high + a.low + a.close) / 4)],
  F175: [
    [LATEST.replace('HOUR', 'DAY')],
    [LATEST, DAYS],
    rowwise((a, b) => near(Number(a.volumeUsd), Math.round(Number(b.volumeUsd)) / 100)),
  ],
  F162: [
    [WEEKS.replace(/from=\d+/, 'from=1793000000')],
    [HOURS, DAYS, LATEST],
    ({ rows }, healthy) =>
      rows.filter((row, index) => row.volume.length < (healthy.rows[index]?.volume.length ?? 0) - 7)
        .length === 1,
  ],
  F163: [
    [LATEST],
    [HOURS, TOKENS],
    rowwise((a, b) => a.close !== b.close && a.volume === b.volume && a.liquidity === b.liquidity),
  ],
  F164: [
    [QUIET],
    [HOURS, LATEST],
    rowwise((a, b) => a.volume !== b.volume || a.volume === '0' || a.close === b.close),
  ],
  F135: [[HOURS], [LATEST, hours(-90_000, -7200)], ({ rows }) => ends(rows) === 'earlier'],
  F160: [
    Array.from({ length: 101 }, () => LATEST),
    Array.from({ length: 100 }, () => LATEST),
    rowwise((a, b) => a.high === b.low && a.low === b.high),
  ],
};

function ends(rows: readonly { readonly timestampSeconds: number }[]): string {
  return rows.at(-1)?.timestampSeconds === Date.UTC(2026, 10, 21, 11, 22) / 1000 ? 'earlier' : 'now';
}
