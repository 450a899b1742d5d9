import type { GateTerms } from '../file-reading.ts';
import { judgeFiles } from '../gate.ts';
import type { Gated } from '../gated.ts';

/** A row of a table; `time` is in Unix seconds. */
export type SampleRow = {
  readonly time: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
};

/** 2019-01-01, a Tuesday. */
export const begin = 1_546_300_800;
export const lateNow = 1_800_000_000;

/** Makes rows whose prices vary and depend only on their position. */
export function makeRows(times: readonly number[]): SampleRow[] {
  return times.map((time, at) => {
    const [open, close] = [samplePrice(at), samplePrice(at + 1)];
    const high = Math.max(open, close) + 0.25;
    return { time, open, high, low: Math.min(open, close) - 0.25, close, volume: 1000 + ((at * 37) % 911) };
  });
}

function samplePrice(at: number): number {
  return Math.round(10_000 + 500 * Math.sin(at / 40) + 20 * Math.sin(at)) / 100;
}

/** Lists `count` times at intervals of `step` seconds. */
export function listTimes(count: number, step: number, from: number = begin): number[] {
  return Array.from({ length: count }, (_, at) => from + at * step);
}

/** Makes rows of a random walk with fat tails whose volatility comes in waves; `seed` chooses it. */
export function makeWalk(times: readonly number[], seed: number, volatility: number): SampleRow[] {
  let state = seed;
  const draw = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state + 0.5) / 2 ** 32;
  };
  const drawMove = (at: number): number => {
    const normal = Math.sqrt(-2 * Math.log(draw())) * Math.cos(2 * Math.PI * draw());
    // Student's t-distribution with four degrees of freedom.
    const spread = Math.sqrt((-Math.log(draw()) - Math.log(draw())) / 2);
    return (volatility * Math.exp(Math.sin(at / 700)) * normal) / spread;
  };
  let price = 100;
  return times.map((time, at) => {
    const open = price;
    price *= Math.exp(drawMove(at));
    const [high, low] = [Math.max(open, price), Math.min(open, price)].map(
      (edge, up) => edge * Math.exp((up === 0 ? 1 : -1) * Math.abs(drawMove(at)) * 0.5),
    ) as [number, number];
    return { time, open, high, low, close: price, volume: 1000 + ((at * 37) % 911) };
  });
}

/** Rolls up every `count` rows into one. */
export function rollUpRows(rows: readonly SampleRow[], count: number): SampleRow[] {
  return Array.from({ length: Math.floor(rows.length / count) }, (_, at) => {
    const parts = rows.slice(at * count, (at + 1) * count);
    const [first, last] = [parts[0] as SampleRow, parts.at(-1) as SampleRow];
    return {
      ...{ time: first.time, open: first.open, close: last.close },
      high: Math.max(...parts.map(({ high }) => high)),
      low: Math.min(...parts.map(({ low }) => low)),
      volume: parts.reduce((sum, { volume }) => sum + volume, 0),
    };
  });
}

/** Formats Unix seconds as `2019-01-31 00:05:00`. */
export const isoTime = (seconds: number): string =>
  new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ');

/** Formats rows as a CSV table. */
export function formatCsv(
  rows: readonly SampleRow[],
  timeText: (seconds: number) => string = isoTime,
): string {
  const lines = rows.map(({ time, open, high, low, close, volume }) =>
    [timeText(time), open, high, low, close, volume].join(','),
  );
  return [',Open,High,Low,Close,Volume', ...lines, ''].join('\n');
}

/** Judges tables by file name, in chunks of `chunkBytes` bytes. */
export async function judgeTables(
  tables: Readonly<Record<string, string | Uint8Array>>,
  terms: Partial<GateTerms> = {},
  chunkBytes = 50_000,
): Promise<Gated> {
  const sources = Object.entries(tables).map(([file, text]) => ({
    file,
    chunks: splitChunks(text, chunkBytes),
  }));
  return judgeFiles(sources, { gaps: 'observe', now: lateNow, ...terms });
}

async function* splitChunks(text: string | Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
}
