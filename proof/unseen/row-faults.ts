import {
  type AskService,
  changing,
  changingRows,
  type KindOfUnseen,
  type OddRow,
  type ProxiedCall,
  type ProxiedReply,
  seconds,
  type UnseenFault,
} from './fault.ts';

/** A fault with the sentence of the API's document that it breaks, or "good practice". */
export type SecondFault = UnseenFault & { readonly name: string; readonly breaks: string };

export const prices = ['open', 'high', 'low', 'close', 'avg'] as const;

/** Numbers faults of a kind from the first number on. */
export function numberSecond(
  kind: KindOfUnseen,
  first: number,
  faults: readonly Omit<SecondFault, 'number' | 'kind'>[],
): readonly SecondFault[] {
  return faults.map((fault, at) => ({ ...fault, kind, number: first + at }));
}

/** Returns the length of a call's interval; 0 without one. */
export const width = (call: ProxiedCall) => seconds[call.interval ?? ''] ?? 0;

/** Changes each row by what `change` returns for it. */
export const eachRow = (
  change: (row: OddRow, call: ProxiedCall, rows: readonly OddRow[], at: number) => Partial<OddRow>,
  operations?: readonly ProxiedCall['operation'][],
): UnseenFault['make'] =>
  changingRows(
    (rows, call) => rows.map((row, at) => ({ ...row, ...change(row, call, rows, at) })),
    operations,
  );

/** Keeps the rows of histories that pass. */
export const keepRows = (passes: (row: OddRow, call: ProxiedCall, rows: readonly OddRow[]) => boolean) =>
  changingRows((rows, call) => rows.filter((row) => passes(row, call, rows)), ['history']);

/** Changes each price of a row. */
export const mapPrices = (row: OddRow, change: (price: number) => number): Partial<OddRow> =>
  Object.fromEntries(prices.map((name) => [name, change(row[name])]));

/** Changes every good answer. */
export const changingAll = (edit: (reply: ProxiedReply, call: ProxiedCall) => ProxiedReply) =>
  changing(['tokens', 'history', 'latest'], edit);

/** Reads the rows of an answer, one or many. */
export const rowsOf = (reply: ProxiedReply) => [JSON.parse(reply.body)].flat() as OddRow[];

/** Asks for the rows of a call's range in another interval, from the start of its first row. */
export async function askParts(
  call: ProxiedCall,
  ask: AskService,
  interval: string,
  rows: readonly OddRow[],
): Promise<OddRow[]> {
  const from = rows[0]?.startTimestampSeconds;
  const to = rows.at(-1)?.timestampSeconds;
  if (from === undefined || to === undefined) return [];
  const query = `from=${from}&to=${to}&interval=${interval}&inverted=${call.inverted}`;
  const reply = await ask({ url: `${call.url.split('?')[0]}?${query}` });
  return reply.status === 200 ? rowsOf(reply) : [];
}

/** Returns the month of a time in UTC, from 0 on. */
export const month = (time: number) => new Date(time * 1000).getUTCMonth();

/** Returns the price of a tinybar in USD at the end of a row. */
export const rate = (row: OddRow) => Number(row.liquidityUsd) / Number(row.liquidity);

/** Returns the sum of some numbers. */
export const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** Weighs the average of parts by their volume. */
export function weighByVolume(_: OddRow, parts: readonly OddRow[]): Partial<OddRow> {
  const volume = sum(parts.map((part) => Number(part.volume)));
  return volume ? { avg: sum(parts.map((part) => part.avg * Number(part.volume))) / volume } : {};
}

/** Selects the parts that lie within a row. */
export const partsOf = (row: OddRow, parts: readonly OddRow[]) =>
  parts.filter(
    (part) =>
      part.startTimestampSeconds >= row.startTimestampSeconds &&
      part.timestampSeconds <= row.timestampSeconds,
  );

/** Shows a fault by the newest rows of an interval. */
export const newest =
  (interval: string, rows: number, more = '', pool = 1, times = 1): UnseenFault['shows'] =>
  ({ now, history }) => [
    { path: history(interval, now - rows * (seconds[interval] ?? 0), now, more, pool), times },
  ];
