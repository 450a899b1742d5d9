import {
  DAYS,
  HOURS,
  hours,
  inverted,
  LATEST,
  MINUTES,
  PAST,
  QUIET,
  rowwise,
  SECOND,
  type ShownFaults,
  TOKENS,
  WEEKS,
} from './shown.ts';

const utc = (hour: number, minute = 0, day = 21): number => Date.UTC(2026, 10, day, hour, minute) / 1000;
const FIRST_POOL = '/pools/conversionRates/latest/1?interval=HOUR';
const THIRD_POOL = HOURS.replace('Rates/1', 'Rates/3');
const SOON = { target: LATEST, later: 23 * 60 };

export const SHOWN_ROWS: ShownFaults = {
  F36: [[HOURS], [TOKENS], rowwise((a, b) => a.startTimestampSeconds === b.startTimestampSeconds + 3600)],
  F37: [
    [HOURS],
    [DAYS, MINUTES],
    (sick, healthy) =>
      sick.rows[4]?.close === healthy.rows[5]?.open && sick.rows[4]?.open !== healthy.rows[4]?.open,
  ],
  F38: [
    [HOURS],
    [LATEST, hours(-2232, 0)],
    ({ rows }) => rows.every((row) => row.startTimestampSeconds % 3600 === 2100),
  ],
  F39: [
    [DAYS],
    [HOURS, LATEST],
    ({ rows }) => rows.length > 0 && rows.every((row) => row.startTimestampSeconds % 86_400 === 14_400),
  ],
  F40: [
    [LATEST.replace('HOUR', 'WEEK')],
    [WEEKS, LATEST],
    ({ rows }) => rows[0]?.startTimestampSeconds === utc(0, 0, 19),
  ],
  F41: [
    [HOURS],
    [LATEST],
    ({ rows }) => rows.filter((row) => row.timestampSeconds % 3600 === 3599).length > 10,
  ],
  F42: [[LATEST], [TOKENS], rowwise((a, b) => a.startTimestampSeconds === b.timestampSeconds)],
  F43: [[LATEST], [TOKENS], /"timestampSeconds":\d{13},/],
  F44: [
    [LATEST, LATEST],
    [LATEST],
    rowwise((a, b) => a.timestampSeconds === utc(12) && b.timestampSeconds === utc(11, 37)),
  ],
  F45: [[LATEST], [HOURS], rowwise((a) => a.timestampSeconds - a.startTimestampSeconds === 3600)],
  F46: [[HOURS], [LATEST], (a, b) => a.rows.length === b.rows.length - 1],
  F47: [
    [HOURS],
    [LATEST, hours(-2232, 0)],
    (a, b) => a.rows[0]?.startTimestampSeconds === b.rows[1]?.startTimestampSeconds,
  ],
  F48: [[hours(-2232, -2232)], [HOURS], /200.*\n\[\]/s],
  F49: [[HOURS], [LATEST], (a, b) => a.rows.length === b.rows.length + 2],
  F50: [
    [MINUTES.replace(/from=\d+/, `from=${SECOND - 600_000}`)],
    [HOURS, LATEST],
    ({ rows }) => rows.length === 500,
  ],
  F51: [[HOURS], [DAYS], (a, b) => a.rows.length === b.rows.length - 1],
  F52: [[QUIET], [DAYS, LATEST], (a, b) => a.rows.length < b.rows.length / 2],
  F53: [
    [HOURS],
    [DAYS, LATEST],
    ({ rows }) => rows.some((row, index) => row.volume === rows[index + 1]?.volume),
  ],
  F54: [[HOURS], [DAYS, LATEST], /"open":0,"high":0,"low":0,"close":0,"avg":0,"volume":"0"/],
  F55: [
    [MINUTES],
    [HOURS, LATEST],
    ({ rows }) => rows[100]?.startTimestampSeconds === rows[101]?.startTimestampSeconds,
  ],
  F56: [
    [HOURS],
    [LATEST],
    ({ rows }, b) =>
      rows[0] !== undefined && rows.length === b.rows.length && rows[0].open !== b.rows[0]?.open,
  ],
  F57: [[PAST], [HOURS, LATEST], ({ rows }) => rows.length > 10 && rows[0]?.volume === '0'],
  F137: [
    [hours(-22_632, -1032)],
    [LATEST],
    (a, b) => b.rows[0]?.startTimestampSeconds !== a.rows[0]?.startTimestampSeconds,
  ],
  F146: [[MINUTES], [HOURS, LATEST], (a, b) => a.rows.length === b.rows.length - 1],
  F180: [
    [hours(-600_000, 400_000)],
    [HOURS, LATEST],
    (a, b) => a.rows.length > 100 && a.rows.length < b.rows.length,
  ],
  F181: [
    [hours(-600_000, 400_000).replace('HOUR', 'DAY')],
    [HOURS, LATEST],
    (a, b) => a.rows.length < b.rows.length,
  ],
  F184: [
    [MINUTES.replace(/from=\d+/, `from=${utc(0, 0, 19)}`)],
    [HOURS, LATEST],
    ({ rows }) => rows.length > 400 && rows[100]?.open === rows[101]?.open,
  ],
  F186: [
    [inverted(hours(-600_000, 400_000))],
    [HOURS, LATEST],
    (a, b) => a.rows.length === b.rows.length - 1,
  ],
  F147: [
    [HOURS.replace(/(from=\d+)&(to=\d+)/, '$2&$1')],
    [HOURS, LATEST],
    (a, b) => a.rows[0]?.startTimestampSeconds === b.rows[1]?.startTimestampSeconds,
  ],
  F148: [
    [hours(-600_000, 0)],
    [HOURS, DAYS, LATEST],
    ({ rows }) => (rows[0]?.startTimestampSeconds ?? 0) % 3600 === 1800,
  ],
  F149: [
    [hours(-600_000, 0)],
    [HOURS, LATEST],
    ({ rows }) => rows[0]?.startTimestampSeconds === utc(0, 0, 15),
  ],
  F192: [
    [MINUTES.replace(String(SECOND - 90_000), String(SECOND - 600_000))],
    [HOURS],
    ({ rows }) => (rows[0]?.startTimestampSeconds ?? 0) >= SECOND - 2 * 86_400,
  ],
  F193: [
    [DAYS],
    [HOURS, LATEST],
    ({ rows }, healthy) =>
      rows.at(-1)?.timestampSeconds === (healthy.rows.at(-1)?.timestampSeconds ?? 0) - 7200,
  ],
  F194: [
    [WEEKS],
    [HOURS, LATEST],
    ({ rows }, healthy) =>
      rows.at(-1)?.timestampSeconds === (healthy.rows.at(-1)?.timestampSeconds ?? 0) - 1200,
  ],
  F195: [
    [HOURS, HOURS],
    [HOURS, DAYS],
    ({ rows }, healthy) =>
      rows.at(-1)?.timestampSeconds === (healthy.rows.at(-1)?.timestampSeconds ?? 0) - 900,
  ],
  F150: [[LATEST], [TOKENS], rowwise((a) => a.startTimestampSeconds % 60 === 30)],
  F58: [[THIRD_POOL], [HOURS, FIRST_POOL], /\[{"poolId":1,"open":0\.2/],
  F59: [[THIRD_POOL], [HOURS, FIRST_POOL], /\[{"poolId":3,"open":0\.2/],
  F60: [[LATEST], [HOURS], rowwise((a) => a.timestampSeconds === utc(11, 27))],
  F60b: [[LATEST], [HOURS], rowwise((a) => a.timestampSeconds === utc(11, 7))],
  F61: [[LATEST], [HOURS], rowwise((a) => a.startTimestampSeconds === utc(10))],
  F62: [
    [SOON],
    [LATEST, HOURS],
    rowwise((a, b) => a.startTimestampSeconds === utc(11) && b.startTimestampSeconds === utc(12)),
  ],
  F63: [[LATEST, LATEST], [LATEST], rowwise((a, b) => a.timestampSeconds === b.timestampSeconds - 120)],
  F64: [[LATEST], [HOURS], rowwise((a, b) => Number(a.volume) * 5 < Number(b.volume) && a.close === b.close)],
  F65: [
    [LATEST.replace('HOUR', 'FIVEMIN')],
    [HOURS, LATEST],
    rowwise((a) => a.startTimestampSeconds === utc(11)),
  ],
};
