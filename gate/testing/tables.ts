import type { GateTerms } from '../file-reading.ts';
import { judgeFiles } from '../gate.ts';
import type { Gated } from '../gated.ts';

/** A row as a table has it; `time` in Unix seconds. */
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

/** Prices that move from row to row, the same for the same place. */
export function rowsAt(times: readonly number[]): SampleRow[] {
  return times.map((time, at) => {
    const [open, close] = [priceOf(at), priceOf(at + 1)];
    const high = Math.max(open, close) + 0.25;
    return { time, open, high, low: Math.min(open, close) - 0.25, close, volume: 1000 + ((at * 37) % 911) };
  });
}

function priceOf(at: number): number {
  return Math.round(10_000 + 500 * Math.sin(at / 40) + 20 * Math.sin(at)) / 100;
}

export function stepped(count: number, step: number, from: number = begin): number[] {
  return Array.from({ length: count }, (_, at) => from + at * step);
}

/** Rows as longer ones, each of `count`. */
export function rolledUp(rows: readonly SampleRow[], count: number): SampleRow[] {
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

export const isoTime = (seconds: number): string =>
  new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ');

export function csvOf(rows: readonly SampleRow[], timeText: (seconds: number) => string = isoTime): string {
  const lines = rows.map(({ time, open, high, low, close, volume }) =>
    [timeText(time), open, high, low, close, volume].join(','),
  );
  return [',Open,High,Low,Close,Volume', ...lines, ''].join('\n');
}

/** The result for tables by their file names, each in chunks of so many bytes. */
export async function gated(
  tables: Readonly<Record<string, string>>,
  terms: Partial<GateTerms> = {},
  chunkBytes = 50_000,
): Promise<Gated> {
  const sources = Object.entries(tables).map(([file, text]) => ({
    file,
    chunks: chunksOf(text, chunkBytes),
  }));
  return judgeFiles(sources, { gaps: 'observe', now: lateNow, ...terms });
}

async function* chunksOf(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
}
