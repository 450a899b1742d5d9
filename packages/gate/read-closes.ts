import { ArrayLines } from './reading/array-lines.ts';
import { CandleTable } from './reading/candle-table.ts';
import type { TableChoice } from './reading/table.ts';

/** Reads the closes of a file in order of time, for a picture of them. Throws UnreadableTable. */
export async function readCloses(
  chunks: AsyncIterable<Uint8Array>,
  choice: TableChoice = {},
): Promise<number[]> {
  const rows: { readonly start: number; readonly close: number }[] = [];
  const table = new CandleTable(choice, false, ({ start, close }) => rows.push({ start, close }));
  for await (const chunk of new ArrayLines(choice).split(chunks)) table.feed(chunk);
  table.end();
  return rows.toSorted((a, b) => a.start - b.start).map(({ close }) => close);
}
