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
  F36: {
    at: [HOURS],
    not: [TOKENS],
    sees: rowwise((a, b) => a.startTimestampSeconds === b.startTimestampSeconds + 3600),
  },
  F37: {
    at: [HOURS],
    not: [DAYS, MINUTES],
    sees: (sick, healthy) =>
      sick.rows[4]?.close === healthy.rows[5]?.open && sick.rows[4]?.open !== healthy.rows[4]?.open,
  },
  F38: {
    at: [HOURS],
    not: [LATEST, hours(-2232, 0)],
    sees: ({ rows }) => rows.every((row) => row.startTimestampSeconds % 3600 === 2100),
  },
  F39: {
    at: [DAYS],
    not: [HOURS, LATEST],
    sees: ({ rows }) => rows.length > 0 && rows.every((row) => row.startTimestampSeconds % 86_400 === 14_400),
  },
  F40: {
    at: [LATEST.replace('HOUR', 'WEEK')],
    not: [WEEKS, LATEST],
    sees: ({ rows }) => rows[0]?.startTimestampSeconds === utc(0, 0, 19),
  },
  F41: {
    at: [HOURS],
    not: [LATEST],
    sees: ({ rows }) => rows.filter((row) => row.timestampSeconds % 3600 === 3599).length > 10,
  },
  F42: {
    at: [LATEST],
    not: [TOKENS],
    sees: rowwise((a, b) => a.startTimestampSeconds === b.timestampSeconds),
  },
  F43: { at: [LATEST], not: [TOKENS], sees: /"timestampSeconds":\d{13},/ },
  F44: {
    at: [LATEST, LATEST],
    not: [LATEST],
    sees: rowwise((a, b) => a.timestampSeconds === utc(12) && b.timestampSeconds === utc(11, 37)),
  },
  F45: {
    at: [LATEST],
    not: [HOURS],
    sees: rowwise((a) => a.timestampSeconds - a.startTimestampSeconds === 3600),
  },
  F46: { at: [HOURS], not: [LATEST], sees: (a, b) => a.rows.length === b.rows.length - 1 },
  F47: {
    at: [HOURS],
    not: [LATEST, hours(-2232, 0)],
    sees: (a, b) => a.rows[0]?.startTimestampSeconds === b.rows[1]?.startTimestampSeconds,
  },
  F48: { at: [hours(-2232, -2232)], not: [HOURS], sees: /200.*\n\[\]/s },
  F49: { at: [HOURS], not: [LATEST], sees: (a, b) => a.rows.length === b.rows.length + 2 },
  F50: {
    at: [MINUTES.replace(/from=\d+/, `from=${SECOND - 600_000}`)],
    not: [HOURS, LATEST],
    sees: ({ rows }) => rows.length === 500,
  },
  F51: { at: [HOURS], not: [DAYS], sees: (a, b) => a.rows.length === b.rows.length - 1 },
  F52: { at: [QUIET], not: [DAYS, LATEST], sees: (a, b) => a.rows.length < b.rows.length / 2 },
  F53: {
    at: [HOURS],
    not: [DAYS, LATEST],
    sees: ({ rows }) => rows.some((row, index) => row.volume === rows[index + 1]?.volume),
  },
  F54: {
    at: [HOURS],
    not: [DAYS, LATEST],
    sees: /"open":0,"high":0,"low":0,"close":0,"avg":0,"volume":"0"/,
  },
  F55: {
    at: [MINUTES],
    not: [HOURS, LATEST],
    sees: ({ rows }) => rows[100]?.startTimestampSeconds === rows[101]?.startTimestampSeconds,
  },
  F56: {
    at: [HOURS],
    not: [LATEST],
    sees: ({ rows }, b) =>
      rows[0] !== undefined && rows.length === b.rows.length && rows[0].open !== b.rows[0]?.open,
  },
  F57: { at: [PAST], not: [HOURS, LATEST], sees: ({ rows }) => rows.length > 10 && rows[0]?.volume === '0' },
  F137: {
    at: [hours(-22_632, -1032)],
    not: [LATEST],
    sees: (a, b) => b.rows[0]?.startTimestampSeconds !== a.rows[0]?.startTimestampSeconds,
  },
  F146: { at: [MINUTES], not: [HOURS, LATEST], sees: (a, b) => a.rows.length === b.rows.length - 1 },
  F180: {
    at: [hours(-600_000, 400_000)],
    not: [HOURS, LATEST],
    sees: (a, b) => a.rows.length > 100 && a.rows.length < b.rows.length,
  },
  F181: {
    at: [hours(-600_000, 400_000).replace('HOUR', 'DAY')],
    not: [HOURS, LATEST],
    sees: (a, b) => a.rows.length < b.rows.length,
  },
  F184: {
    at: [MINUTES.replace(/from=\d+/, `from=${utc(0, 0, 19)}`)],
    not: [HOURS, LATEST],
    sees: ({ rows }) => rows.length > 400 && rows[100]?.open === rows[101]?.open,
  },
  F186: {
    at: [inverted(hours(-600_000, 400_000))],
    not: [HOURS, LATEST],
    sees: (a, b) => a.rows.length === b.rows.length - 1,
  },
  F147: {
    at: [HOURS.replace(/(from=\d+)&(to=\d+)/, '$2&$1')],
    not: [HOURS, LATEST],
    sees: (a, b) => a.rows[0]?.startTimestampSeconds === b.rows[1]?.startTimestampSeconds,
  },
  F148: {
    at: [hours(-600_000, 0)],
    not: [HOURS, DAYS, LATEST],
    sees: ({ rows }) => (rows[0]?.startTimestampSeconds ?? 0) % 3600 === 1800,
  },
  F149: {
    at: [hours(-600_000, 0)],
    not: [HOURS, LATEST],
    sees: ({ rows }) => rows[0]?.startTimestampSeconds === utc(0, 0, 15),
  },
  F192: {
    at: [MINUTES.replace(String(SECOND - 90_000), String(SECOND - 600_000))],
    not: [HOURS],
    sees: ({ rows }) => (rows[0]?.startTimestampSeconds ?? 0) >= SECOND - 2 * 86_400,
  },
  F193: {
    at: [DAYS],
    not: [HOURS, LATEST],
    sees: ({ rows }, healthy) =>
      rows.at(-1)?.timestampSeconds === (healthy.rows.at(-1)?.timestampSeconds ?? 0) - 7200,
  },
  F194: {
    at: [WEEKS],
    not: [HOURS, LATEST],
    sees: ({ rows }, healthy) =>
      rows.at(-1)?.timestampSeconds === (healthy.rows.at(-1)?.timestampSeconds ?? 0) - 1200,
  },
  F195: {
    at: [HOURS, HOURS],
    not: [HOURS, DAYS],
    sees: ({ rows }, healthy) =>
      rows.at(-1)?.timestampSeconds === (healthy.rows.at(-1)?.timestampSeconds ?? 0) - 900,
  },
  F150: { at: [LATEST], not: [TOKENS], sees: rowwise((a) => a.startTimestampSeconds % 60 === 30) },
  F58: { at: [THIRD_POOL], not: [HOURS, FIRST_POOL], sees: /\[{"poolId":1,"open":0\.2/ },
  F59: { at: [THIRD_POOL], not: [HOURS, FIRST_POOL], sees: /\[{"poolId":3,"open":0\.2/ },
  F60: { at: [LATEST], not: [HOURS], sees: rowwise((a) => a.timestampSeconds === utc(11, 27)) },
  F60b: { at: [LATEST], not: [HOURS], sees: rowwise((a) => a.timestampSeconds === utc(11, 7)) },
  F61: { at: [LATEST], not: [HOURS], sees: rowwise((a) => a.startTimestampSeconds === utc(10)) },
  F62: {
    at: [SOON],
    not: [LATEST, HOURS],
    sees: rowwise((a, b) => a.startTimestampSeconds === utc(11) && b.startTimestampSeconds === utc(12)),
  },
  F63: {
    at: [LATEST, LATEST],
    not: [LATEST],
    sees: rowwise((a, b) => a.timestampSeconds === b.timestampSeconds - 120),
  },
  F64: {
    at: [LATEST],
    not: [HOURS],
    sees: rowwise((a, b) => Number(a.volume) * 5 < Number(b.volume) && a.close === b.close),
  },
  F65: {
    at: [LATEST.replace('HOUR', 'FIVEMIN')],
    not: [HOURS, LATEST],
    sees: rowwise((a) => a.startTimestampSeconds === utc(11)),
  },
};
